"""Positions and directions of cards on the field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M
from vision.frames.frame import Gray

Floats = NDArray[np.float64]

CARD_M: Final = np.array([CARD_WIDTH_M, CARD_HEIGHT_M])


@dataclass(frozen=True, slots=True, eq=False)
class CardPoses:
    """Poses of N cards."""

    centres_m: Floats  # shape (N, 2), field coordinates
    angles_rad: Floats  # shape (N,); clockwise turn from upright in the picture, whichever way up the text is

    @classmethod
    def of_corners(cls, corners_m: Floats) -> CardPoses:
        """Fit rigid cards to measured corners. `corners_m`: shape (N, 4, 2), clockwise from the top left."""
        across, down = _mean_sides(corners_m)
        # Long sides determine the turn better than short ones, so they are weighted by length.
        share = CARD_HEIGHT_M / CARD_WIDTH_M
        angles = np.arctan2(across[:, 1] - share * down[:, 0], across[:, 0] + share * down[:, 1])
        return cls(corners_m.mean(axis=1), np.asarray(angles))

    def __len__(self) -> int:
        return len(self.centres_m)

    def __getitem__(self, keep: NDArray[np.bool_]) -> CardPoses:
        return CardPoses(self.centres_m[keep], self.angles_rad[keep])

    def corners_m(self) -> Floats:
        """Return the cards' corners, shape (N, 4, 2), clockwise from the picture's top left."""
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * CARD_M / 2
        cos, sin = np.cos(self.angles_rad), np.sin(self.angles_rad)
        turns = np.stack([np.stack([cos, sin], -1), np.stack([-sin, cos], -1)], -2)
        return np.asarray(half @ turns + self.centres_m[:, None])


def joined(first: CardPoses, second: CardPoses) -> CardPoses:
    return CardPoses(
        np.concatenate([first.centres_m, second.centres_m]),
        np.concatenate([first.angles_rad, second.angles_rad]),
    )


def sizes(corners: Floats) -> tuple[Floats, Floats]:
    """Return widths and heights, means of opposite sides, of rectangles with corners of shape (N, 4, 2)."""
    across, down = _mean_sides(corners)
    return np.linalg.norm(across, axis=1), np.linalg.norm(down, axis=1)


def _mean_sides(corners: Floats) -> tuple[Floats, Floats]:
    across = corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]
    down = corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]
    return across / 2, down / 2


CROP_WIDTH_PX: Final = 56
CROP_HEIGHT_PX: Final = 80
"""About 1.1 px/mm: the scale at which a 720p camera sees a field that fills its picture."""
FLAT_PX: Final = round(CARD_WIDTH_M * 1000), round(CARD_HEIGHT_M * 1000)
"""Width and height of a card rectified to a millimetre per pixel."""
PRINTED: Final = (slice(8, -8), slice(6, -6))
"""Rows and columns of a crop that hold print, without the card's border and its surroundings."""


def card_crops(gray: Gray, corners_px: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Cut cards out of a picture.

    Returns: crops, shape (N, CROP_HEIGHT_PX, CROP_WIDTH_PX), uint8.

    `gray`: shape (height, width), uint8. `corners_px`: shape (N, 4, 2); corners of each card in reading
    order: top left, top right, bottom right, bottom left of the text, where pixel centres have integer
    coordinates.
    """
    crops = np.empty((len(corners_px), CROP_HEIGHT_PX, CROP_WIDTH_PX), np.uint8)
    for crop, corners in zip(crops, np.asarray(corners_px, np.float32), strict=True):
        # Large cards are sampled more finely and averaged, or thin strokes would fall between the samples.
        height_px = max(np.linalg.norm(corners[3] - corners[0]), np.linalg.norm(corners[2] - corners[1]))
        finer = int(np.clip(round(float(height_px) / CROP_HEIGHT_PX), 1, 16))
        width, height = CROP_WIDTH_PX * finer, CROP_HEIGHT_PX * finer
        target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(corners, target)
        if finer == 1:
            cv2.warpPerspective(
                gray, warp, (width, height), dst=crop, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
        else:
            large = cv2.warpPerspective(
                gray, warp, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
            cv2.resize(large, (CROP_WIDTH_PX, CROP_HEIGHT_PX), dst=crop, interpolation=cv2.INTER_AREA)
    return crops


def laid_flat(
    picture: NDArray[np.uint8] | NDArray[np.float32], corners_px: NDArray[np.float64], inset_mm: float = 0.0
) -> NDArray[np.float32]:
    """Return a card at a millimetre per pixel, (73, 52); `corners_px`, (4, 2), lie `inset_mm` inside."""
    wide, tall = (side - 1 - inset_mm for side in FLAT_PX)
    flat = np.array([[inset_mm, inset_mm], [wide, inset_mm], [wide, tall], [inset_mm, tall]], np.float32)
    across = cv2.getPerspectiveTransform(corners_px.astype(np.float32), flat)
    return np.asarray(cv2.warpPerspective(picture, across, FLAT_PX, flags=cv2.INTER_LINEAR), np.float32)


def normalised(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Remove each crop's brightness and contrast.

    Returns: shape (N, 1, CROP_HEIGHT_PX, CROP_WIDTH_PX), float32, with mean 0 and standard deviation 1 in the
    printed part of each crop.
    """
    pixels = crops.astype(np.float32)
    inner = pixels[:, *PRINTED].reshape(len(crops), -1)
    middle = inner.mean(axis=1)[:, None, None]
    # The lower bound keeps the noise of a card without text from being amplified into strokes.
    spread = np.maximum(inner.std(axis=1), 6.0)[:, None, None]
    return np.asarray(((pixels - middle) / spread)[:, None], np.float32)
