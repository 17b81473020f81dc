"""Picture files by name: which files a pattern means, and in which order they were taken.

Numbers count as numbers, whatever their number of digits or script. Case does not matter, since cameras and
programs write `IMG_9.JPG` beside `img_10.jpg`.
"""

from __future__ import annotations

import fnmatch
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from calibration.files.folders import listed

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp"})
STAMPED = re.compile(r"(\d+(?:\.\d+)?)\s*ms$", re.IGNORECASE)  # a name that ends in a number of milliseconds
_NUMBERS = re.compile(r"(\d+)")
_WILD = re.compile(r"(\*|\?|%\d*d)")


def is_picture(path: Path) -> bool:
    """Tell by its name whether a file is a picture."""
    return path.suffix.lower() in SUFFIXES and path.is_file()


def in_natural_order(paths: Iterable[Path]) -> list[Path]:
    """Return pictures in the order of the times in their names, or of the names if not all give a time."""
    found = list(paths)
    if all(STAMPED.search(path.stem) for path in found):
        return sorted(found, key=lambda path: (_stamp(path), _by_number(path)))
    return sorted(found, key=_by_number)


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
    words = _WILD.split(part)
    return "".join(_meant(word) if place % 2 else re.escape(word) for place, word in enumerate(words))


def _meant(wild: str) -> str:
    if wild.startswith("%"):
        return rf"\d{{{int(wild[1:-1] or 1)},}}"
    return ".*" if wild == "*" else "."


def _by_number(path: Path) -> list[list[tuple[int, str]]]:
    """Return a sorting key that puts `9.png` before `10.png`, folder by folder."""
    names = [*path.parts[:-1], path.stem, path.suffix]
    return [[_word(word) for word in _NUMBERS.split(_plain(name))] for name in (*names, path.name)]


def _word(word: str) -> tuple[int, str]:
    return (int(word), "") if word.isdecimal() else (-1, word)


def _stamp(path: Path) -> float:
    found = STAMPED.search(path.stem)
    return float(found[1]) if found else 0.0


def _plain(name: str) -> str:
    """Return a name without differences of character width and case."""
    return unicodedata.normalize("NFKC", name).casefold()
