"""The light on the whole resting floor as a smooth surface, since the floor under cards is not seen.

Lenses darken the picture's corners, and light comes from one side, so the floor beside a card is brighter or
darker than the floor below it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field.slots import Floats

_UNLIKE = (np.inf, 0.5, 0.25, 0.25)
"""Log factor from the previous fit beyond which a sample is no floor but a border or somebody's shade."""


def light_trend(picture: Floats, bare: NDArray[np.bool_]) -> Floats:
    """Return the brightness of the floor as a smooth surface whose logarithm is a polynomial.

    Returns: (h, w), relative to its usual level; constant if too little floor is seen.

    `picture`: (h, w), the field at rest. `bare`: (h, w), whether it shows the floor.
    """
    height, width = picture.shape
    sparse_px = 16  # every 16th pixel of each row and column is used
    some = slice(sparse_px // 2, None, sparse_px), slice(sparse_px // 2, None, sparse_px)
    darkest_gray = 4.0
    gray, seen = picture[some], bare[some] & (picture[some] > darkest_gray)
    fewest_samples = 200
    if np.count_nonzero(seen) < fewest_samples:
        return np.ones_like(picture)
    y, x = (np.linspace(-1, 1, size, dtype=np.float32) for size in gray.shape)
    degree = 2
    terms = [(i, j) for i in range(degree + 1) for j in range(degree + 1 - i)]
    surface = np.stack([np.outer(y**i, x**j) for i, j in terms], axis=-1)
    level = np.log(np.maximum(gray, darkest_gray))
    told = np.full_like(gray, np.median(level[seen]))
    for unlike in _UNLIKE:
        used = seen & (np.abs(level - told) < unlike)
        if np.count_nonzero(used) < fewest_samples:
            break
        held = surface[used].astype(np.float64)  # few terms, many pixels: normal equations are exact enough
        told = surface @ np.linalg.lstsq(held.T @ held, held.T @ level[used], rcond=None)[0]
    return np.asarray(cv2.resize(np.exp(told), (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
