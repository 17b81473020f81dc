"""Halve pictures until their pixels are as coarse as the search allows."""

from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

_Level = TypeVar("_Level", np.uint8, np.float32)


def halvings_for(px_per_mm: float, pixel_mm: float) -> int:
    """Return how often to halve a picture so that its pixels measure about `pixel_mm`."""
    return max(0, round(float(np.log2(max(px_per_mm * pixel_mm, 1.0)))))


def halved(picture: NDArray[_Level], halvings: int) -> NDArray[_Level]:
    """Halve the sides of a picture, (height, width), `halvings` times; each step averages 2 x 2 pixels."""
    for _ in range(halvings):
        height, width = picture.shape
        small = cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        picture = np.asarray(small, picture.dtype)
    return picture
