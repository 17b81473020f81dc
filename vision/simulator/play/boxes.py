"""Cards and hands as rotated rectangles on the floor: their corners, and how deeply they overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.layout import (
    CARD_HEIGHT_M,
    CARD_WIDTH_M,
    HALF_DEPTH_M,
    HALF_WIDTH_M,
    TERRITORY_GAP_M,
    PlacedCard,
)
from referee.sides import Side
from vision.simulator.drawing.paths import Floats

CARD_HALF_M = (CARD_WIDTH_M / 2, CARD_HEIGHT_M / 2)
_CORNERS_M = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64) * CARD_HALF_M


@dataclass(frozen=True, slots=True)
class Box:
    """One rotated rectangle: its centre, its angle with cosine and sine, and its half size."""

    x: float
    y: float
    angle: float
    cos: float
    sin: float
    half: tuple[float, float]

    @classmethod
    def at(cls, x: float, y: float, angle: float, half: tuple[float, float]) -> Box:
        """Return the box with its centre at x, y, rotated by an angle."""
        return cls(x, y, angle, float(np.cos(angle)), float(np.sin(angle)), half)

    @classmethod
    def of_card(cls, pose: Floats) -> Box:
        """Return a card at x, y, angle."""
        return cls.at(float(pose[0]), float(pose[1]), float(pose[2]), CARD_HALF_M)

    def moved(self, x: float, y: float) -> Box:
        """Return the box with its centre elsewhere."""
        return Box(x, y, self.angle, self.cos, self.sin, self.half)


def depths(a: Box, b: Box) -> tuple[float, float, float, float]:
    """Return how deeply two boxes overlap along each of the four separating axes.

    They overlap if the smallest of the four is positive.
    """
    x, y, turn = b.x - a.x, b.y - a.y, b.angle - a.angle
    cos, sin = abs(float(np.cos(turn))), abs(float(np.sin(turn)))
    (aw, ah), (bw, bh) = a.half, b.half
    return (
        aw + bw * cos + bh * sin - abs(x * a.cos + y * a.sin),
        ah + bw * sin + bh * cos - abs(y * a.cos - x * a.sin),
        bw + aw * cos + ah * sin - abs(x * b.cos + y * b.sin),
        bh + aw * sin + ah * cos - abs(y * b.cos - x * b.sin),
    )


def parting(a: Box, b: Box, axis: int) -> Floats:
    """Return the unit direction (2,) along which box b leaves box a soonest."""
    box = (a, b)[axis // 2]
    way = np.array([box.cos, box.sin] if axis % 2 == 0 else [-box.sin, box.cos])
    return way if np.array([b.x - a.x, b.y - a.y]) @ way > 0 else -way


def corners_m(pose: Floats) -> Floats:
    """Return the four corners (4, 2) of a card at x, y, angle: its own top left, then clockwise."""
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    return np.asarray(pose[:2] + _CORNERS_M @ np.array([[cos, sin], [-sin, cos]]))


def is_completely_out(pose: Floats, home: Side) -> bool:
    """Tell whether all four corners are outside the territory `home`."""
    corners = corners_m(pose)
    depth = corners[:, 1] if home is Side.NEAR else -corners[:, 1]
    inside = (np.abs(corners[:, 0]) < HALF_WIDTH_M) & (depth > TERRITORY_GAP_M / 2) & (depth < HALF_DEPTH_M)
    return not bool(inside.any())


def picture_angle(side: Side, angle_rad: float) -> float:
    """Return the angle in the picture of a card that lies `angle_rad` off facing its owner."""
    return angle_rad if side is Side.NEAR else angle_rad + np.pi


def lying_pose(placed: PlacedCard) -> Floats:
    """Return x, y, angle in the picture and height of a card at rest."""
    return np.array([placed.x_m, placed.y_m, picture_angle(placed.side, placed.angle_rad), 0.0])
