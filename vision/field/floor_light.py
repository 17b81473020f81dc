"""How the light falls over the whole resting floor: a smooth surface, for what lies under cards is not seen.

Near the picture's corners lenses darken it, and light comes from one side: what is beside a card is then
brighter or darker than what is below it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field.slots import Floats

_UNLIKE = (np.inf, 0.5, 0.25, 0.25)
"""What is off by more from the fit before (logarithm of a factor) is no floor: a border, somebody's shade."""


def light_trend(picture: Floats, bare: NDArray[np.bool_]) -> Floats:
    """Return the brightness of the floor as a smooth surface, the logarithm of which is a polynomial.

    Parameters
    ----------
    picture : (h, w), the field at rest.
    bare : (h, w), where it shows the floor.

    Returns
    -------
    numpy.ndarray
        (h, w); even where too little floor is seen.
    """
    height, width = picture.shape
    sparse_px = 16  # every 16th pixel of each row and column is looked at
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
        held = surface[used].astype(np.float64)  # few terms over many pixels: normal equations will do
        told = surface @ np.linalg.lstsq(held.T @ held, held.T @ level[used], rcond=None)[0]
    return np.asarray(cv2.resize(np.exp(told), (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
