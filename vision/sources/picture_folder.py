"""A folder or a list of picture files as frames, for single photos and exported sequences.

A file has no clock. If its name ends in a number of milliseconds (`frame_001234ms.jpg`), that is the frame's
time; else frames follow each other once a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2

from calibration.files.folders import listed
from vision.frames.decoding import decoded
from vision.frames.frame import Frame, Gray
from vision.sources.jpeg import JPEG_START, decode_gray
from vision.sources.picture_names import STAMPED, SUFFIXES, in_natural_order, is_picture
from vision.sources.source import Counters, Opened, SourceError

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
            gray = _decode(content)
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
            jpeg = content if content.startswith(JPEG_START) else None
            yield Frame(gray, t_ns, unc_ns, self.counters.delivered, jpeg)
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


def _decode(content: bytes) -> Gray | None:
    if content.startswith(JPEG_START):
        return decode_gray(content)
    return decoded(content, cv2.IMREAD_GRAYSCALE)
