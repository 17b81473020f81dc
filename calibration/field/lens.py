"""Radial lens distortion with one coefficient, around the centre of the picture.

Coordinates are relative to the picture's centre, in units of half its width. An ideal point at radius r is
seen at r (1 + k1 r^2): negative k1 is the barrel distortion of wide lenses.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


def distort(ideal: Points, k1: float) -> Points:
    """Return where the lens shows ideal points; both of shape (..., 2), in half widths."""
    return np.asarray(ideal * (1.0 + k1 * np.square(ideal).sum(axis=-1, keepdims=True)))


def undistort(seen: Points, k1: float | Points) -> Points:
    """Return the ideal points of seen ones; both of shape (..., 2), in half widths.

    Handles several lenses at once if k1 broadcasts against (..., 1). Newton's method on the radius; four
    steps are exact to 1e-9 for any lens whose picture does not fold.
    """
    radius = np.sqrt(np.square(seen).sum(axis=-1, keepdims=True))
    ideal = radius
    for _ in range(4):
        square = k1 * np.square(ideal)
        ideal = ideal - (ideal * (1.0 + square) - radius) / (1.0 + 3.0 * square)
    return np.asarray(seen * np.divide(ideal, radius, out=np.ones_like(ideal), where=radius > 0))
