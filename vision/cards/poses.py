"""Positions and directions of cards on the field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M

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
