"""Reduce a card's picture to a unit vector for comparison: coarse colours, without the light."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture

GRID: Final = (24, 40)
"""Cells across and down: 1.4 mm each on hanafuda, which a camera above a whole table still resolves."""

_PLAIN: Final = np.float32(4.0)
"""Standard deviation, in gray levels, below which a picture counts as unprinted."""

Signatures = NDArray[np.float32]
"""Shape (N, 24 * 40 * 3), rows of length 1: the product of two is their correlation, 1 = the same picture."""


def signatures(pictures: Sequence[Picture]) -> Signatures:
    """Return one signature per picture.

    Each channel loses its mean, and the whole its scale, so brightness and most of the tint do not count.
    Strong tints count weakly: the channels keep their proportions, or red would look like black.
    """
    if not len(pictures):
        return np.empty((0, GRID[0] * GRID[1] * 3), np.float32)
    cells = np.stack([cv2.resize(picture, GRID, interpolation=cv2.INTER_AREA) for picture in pictures])
    return normalised(cells.astype(np.float32))


def normalised(cells: NDArray[np.float32]) -> Signatures:
    """Return the signatures of cells of shape (N, 40, 24, 3), gray values."""
    count, rows, columns, channels = cells.shape
    pixels = cells.reshape(count, rows * columns, channels)
    # a product of matrices: the array library's own mean over the middle axes takes twenty times as long
    mean = np.full((1, rows * columns), 1 / (rows * columns), np.float32) @ pixels
    flat = (pixels - mean).reshape(count, rows * columns * channels)
    # a picture with no more contrast than noise and shading is treated as blank
    least = _PLAIN * np.float32(np.sqrt(flat.shape[1]))
    lengths = np.maximum(np.sqrt(np.einsum("ni,ni->n", flat, flat))[:, None], least)
    return np.asarray(flat / lengths, np.float32)
