"""Read photos from files."""

from __future__ import annotations

from pathlib import Path

import cv2

from vision.frames.decoding import decoded
from vision.frames.frame import Colour


def read_colour(path: Path) -> Colour:
    """Return a photo in BGR, shape (height, width, 3), turned as its camera noted.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    OSError
        If it cannot be read.
    ValueError
        If it is no picture, or is too large.
    """
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file; give the path of a photo")
    if not path.is_file():
        raise ValueError(f"{path} is not a file: give the path of a photo")
    if not path.stat().st_size:
        raise ValueError(f"{path} is empty: give the path of a photo")
    most_bytes = 1 << 29
    if path.stat().st_size > most_bytes:
        raise ValueError(f"{path} is larger than {most_bytes >> 20} MiB: give the path of a photo")
    picture = decoded(path.read_bytes(), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError(f"{path} cannot be read as a picture: JPEG and PNG of up to 134 megapixels work")
    return picture
