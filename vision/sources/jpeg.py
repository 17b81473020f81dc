"""JPEG bytes of a camera as pictures: gray with the colour planes left undecoded, or in colour."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frames import Colour, Gray

JPEG_START = b"\xff\xd8"


def decode_gray(jpeg: bytes) -> Gray | None:
    """Decode JPEG bytes to gray, shape (height, width) uint8; None where they are damaged."""
    if not jpeg.startswith(JPEG_START):
        return None
    flags = cv2.IMREAD_GRAYSCALE | cv2.IMREAD_IGNORE_ORIENTATION
    gray = cv2.imdecode(np.frombuffer(jpeg, np.uint8), flags)
    return None if gray is None else gray.astype(np.uint8, copy=False)


def decode_colour(jpeg: bytes) -> Colour:
    """Decode JPEG bytes, known to be readable, to colour, shape (height, width, 3) uint8."""
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), flags), np.uint8)
