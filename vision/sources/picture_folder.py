"""A folder or a list of picture files as frames, for single photos and exported sequences.

A file has no clock. If its name ends in a number of milliseconds (`frame_001234ms.jpg`), that is the frame's
time; else frames follow each other once a second.
"""

import fnmatch
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import cv2

from calibration.files.folders import listed
from vision.frames.frame import Frame, decoded
from vision.sources.jpeg import JPEG_START, decode_gray
from vision.sources.source import Counters, Opened, SourceError

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp"})
STAMPED = re.compile(r"(\d+(?:\.\d+)?)\s*ms$", re.IGNORECASE)  # a name that ends in a number of milliseconds
_NUMBERS = re.compile(r"(\d+)")
_WILD = re.compile(r"(\*|\?|%\d*d)")


def is_picture(path: Path) -> bool:
    """Tell by its name whether a file is a picture."""
    return path.suffix.lower() in SUFFIXES and path.is_file()


def in_natural_order(paths: Iterable[Path]) -> list[Path]:
    """Return pictures in the order of the times in their names, or of the names if not all give a time."""
    found = [(STAMPED.search(path.stem), path) for path in paths]
    if all(stamped for stamped, _ in found):
        found.sort(key=lambda each: (float(each[0][1]) if each[0] else 0.0, _by_number(each[1])))
    else:
        found.sort(key=lambda each: _by_number(each[1]))
    return [path for _, path in found]


def matching(pattern: str) -> list[Path]:
    """Return the files that a pattern means, in natural order.

    `pattern`: a path in which `*` stands for any characters, `?` for one and `%d` or `%04d` for a number,
    also in its folders. Brackets are plain characters; only if no file has such a name, `[0-9]` is a
    character class.
    """
    for with_classes in (False, True):
        found = [Path(Path(pattern).anchor or ".")]
        parts = Path(pattern).parts[1 if Path(pattern).anchor else 0 :]
        for part in parts:
            found = [path for folder in found for path in _named(folder, part, with_classes=with_classes)]
        if files := [path for path in found if path.is_file()]:
            return in_natural_order(files)
    return []


def _named(folder: Path, part: str, *, with_classes: bool) -> list[Path]:
    """Return the entries of a folder that a part of a pattern means."""
    if (folder / part).exists():
        return [folder / part]
    if not folder.is_dir():
        return []
    expression = re.compile((fnmatch.translate if with_classes else _expression)(_plain(part)))
    return [path for path in listed(folder) if expression.fullmatch(_plain(path.name))]


def _expression(part: str) -> str:
    meant = {"*": ".*", "?": "."}
    return "".join(
        (meant.get(word) or rf"\d{{{int(word[1:-1] or 1)},}}") if place % 2 else re.escape(word)
        for place, word in enumerate(_WILD.split(part))
    )


def _by_number(path: Path) -> list[list[tuple[int, str]]]:
    """Return a sorting key that puts `9.png` before `10.png`, folder by folder."""
    names = [*path.parts[:-1], path.stem, path.suffix]
    return [
        [(int(word), "") if word.isdecimal() else (-1, word) for word in _NUMBERS.split(_plain(name))]
        for name in (*names, path.name)
    ]


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


_STEP_NS = 1_000_000_000  # between pictures whose names tell no time


class PictureSource(Opened):
    """Picture files in the order of their names (numbers counted as numbers), or in the order given.

    Raises SourceError if there is no picture file, or a file is missing.
    """

    is_live = False

    def __init__(self, files: Path | Sequence[Path]) -> None:
        self.paths = _listed(files)
        self.name = str(files if isinstance(files, Path) else self.paths[0].parent)
        self.counters = Counters()

    def __iter__(self) -> Iterator[Frame]:
        """Iterate over the pictures; pictures that cannot be decoded are counted and left out.

        `t_unc_ns` is half a step if frames are only counted, half a millisecond if names give the times.
        """
        self.counters = Counters()
        latest_ns: int | None = None
        for number, path in enumerate(self.paths):
            content = path.read_bytes()
            is_jpeg = content.startswith(JPEG_START)
            gray = decode_gray(content) if is_jpeg else decoded(content, cv2.IMREAD_GRAYSCALE)
            if gray is None:
                self.counters.damaged += 1
                continue
            stamped = STAMPED.search(path.stem)
            t_ns = round(float(stamped[1]) * 1e6) if stamped else round(number * _STEP_NS)
            if latest_ns is not None and t_ns <= latest_ns:
                self.counters.untimed += 1
                continue
            latest_ns = t_ns
            unc_ns = 500_000 if stamped else _STEP_NS // 2
            yield Frame(gray, t_ns, unc_ns, self.counters.delivered, content if is_jpeg else None)
            self.counters.delivered += 1


def _listed(files: Path | Sequence[Path]) -> list[Path]:
    if isinstance(files, Path):
        paths = in_natural_order(path for path in listed(files) if is_picture(path))
        if not paths:
            raise SourceError(
                "folder {files} holds no pictures ({suffixes})",
                files=files,
                suffixes=", ".join(sorted(SUFFIXES)),
            )
        return paths
    missing = [str(path) for path in files if not path.is_file()]
    if missing or not files:
        raise SourceError("pictures are missing: {missing}", missing=", ".join(missing) or "none was named")
    return list(files)
