"""Photos in files."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.frames.frame import Colour, Gray


def read_gray(path: Path) -> Gray:
    """Return a photo's brightness, shape (height, width), turned upright; errors as `read_colour`."""
    return _read(path, cv2.IMREAD_GRAYSCALE)


def read_colour(path: Path) -> Colour:
    """Return a photo in BGR, shape (height, width, 3), turned as its camera noted.

    Raises
    ------
    FileNotFoundError
        Where there is no such file.
    OSError
        Where it cannot be read.
    ValueError
        Where it is no picture, or one that is too large.
    """
    return _read(path, cv2.IMREAD_COLOR)


def _read(path: Path, flags: int) -> Gray:
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file; give the path of a photo")
    if not path.is_file():
        raise ValueError(f"{path} is not a file: give the path of a photo")
    data = np.frombuffer(path.read_bytes(), np.uint8)
    if not data.size:
        raise ValueError(f"{path} is empty: give the path of a photo")
    try:
        picture = cv2.imdecode(data, flags)
    except cv2.error as error:  # its header promises more pixels than anybody films, or is damaged
        raise ValueError(f"{path} cannot be read as a picture: {error.err}") from error
    if picture is None:
        raise ValueError(f"{path} cannot be read as a picture: JPEG and PNG work")
    return np.asarray(picture, np.uint8)
