"""Cut single cards out of a photo, upright and of one size, with some of their surroundings."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from calibration.decks.signature import GRID

MARGIN: Final = 2
"""Cells of surroundings on every side of a crop, so that it can be compared at shifted places."""


def crop_size_px() -> tuple[int, int]:
    """Return width and height of the crops that `HanafudaReader.read` takes: two pixels per cell."""
    return 2 * (GRID[0] + 2 * MARGIN), 2 * (GRID[1] + 2 * MARGIN)


def card_corners_in_crop() -> NDArray[np.float64]:
    """Return the card's corners in a crop, shape (4, 2), px, clockwise from the upper left one."""
    width, height = crop_size_px()
    left, top, right, low = 2 * MARGIN, 2 * MARGIN, width - 2 * MARGIN, height - 2 * MARGIN
    return np.array([[left, top], [right, top], [right, low], [left, low]], np.float64) - 0.5


def rectify(picture: Picture, corners_px: NDArray[np.float64]) -> Picture:
    """Cut a card out of a picture, with `MARGIN` cells of its surroundings.

    Returns: picture of `crop_size_px`.

    `picture`: shape (height, width, 3), uint8, blue, green, red. `corners_px`: shape (4, 2), clockwise, the
    first side a short one; pixel centres are integers.
    """
    width, height = crop_size_px()
    # a card far larger than the crop is averaged first, or its fine print would turn into noise
    shrink = min(1.0, 3 * width / max(float(np.ptp(corners_px[:, 0])), 1.0))
    if shrink < 0.5:
        # a place partly or completely outside the picture shows the picture's nearest edge, as below
        last = np.array(picture.shape[1::-1]) - 1
        x, y = np.clip(np.floor(corners_px.min(axis=0)) - 8, 0, last).astype(int)
        far_x, far_y = np.clip(np.ceil(corners_px.max(axis=0)) + 8, 0, last).astype(int)
        part = picture[y : far_y + 1, x : far_x + 1]
        size = np.maximum(np.rint(shrink * np.array(part.shape[1::-1])), 1).astype(int)
        picture = np.asarray(cv2.resize(part, size.tolist(), interpolation=cv2.INTER_AREA), np.uint8)
        corners_px = (corners_px - (x, y) + 0.5) * (size / part.shape[1::-1]) - 0.5
    to_crop = cv2.getPerspectiveTransform(
        corners_px.astype(np.float32), card_corners_in_crop().astype(np.float32)
    )
    return np.asarray(
        cv2.warpPerspective(picture, to_crop, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
