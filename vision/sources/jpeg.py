"""A camera's JPEG bytes as pictures: gray with the colour planes left undecoded, or in colour.

They are oriented as their own EXIF data say, as in every viewer.
"""

from functools import partial

import cv2

from vision.frames.frame import Colour, Glimpse, Gray, colour_of, decoded
from vision.sources.source import SourceError

JPEG_START, JPEG_END = b"\xff\xd8", b"\xff\xd9"


def decode_gray(jpeg: bytes) -> Gray | None:
    """Decode JPEG bytes to gray, shape (height, width) uint8; None if they are damaged."""
    return _decoded(jpeg, cv2.IMREAD_GRAYSCALE)


def glimpse_of(jpeg: bytes) -> Glimpse | None:
    """Decode JPEG bytes with sides of whole blocks to a glance; None if they are damaged."""
    glance = _decoded(jpeg, cv2.IMREAD_REDUCED_GRAYSCALE_8)
    return None if glance is None else Glimpse(glance, partial(_whole, jpeg))


def sharing_glance(jpeg: bytes, glance: Gray) -> Glimpse | None:
    """Return a picture that shares another one's glance; None if the bytes may be damaged."""
    is_whole = jpeg.startswith(JPEG_START) and jpeg.rstrip(b"\0").endswith(JPEG_END)
    return Glimpse(glance, partial(_whole, jpeg)) if is_whole else None


def decode_colour(jpeg: bytes) -> Colour:
    """Decode JPEG bytes, known to be readable, to colour, shape (height, width, 3) uint8."""
    colour = colour_of(jpeg)
    if colour is None:
        raise SourceError("a JPEG that could be decoded to gray cannot be decoded to colour")
    return colour


def _whole(jpeg: bytes) -> Gray:
    gray = decode_gray(jpeg)
    if gray is None:
        raise SourceError("a JPEG of which a glance could be decoded cannot be decoded whole")
    return gray


def _decoded(jpeg: bytes, size: int) -> Gray | None:
    if not jpeg.startswith(JPEG_START):
        return None
    return decoded(jpeg, size)
