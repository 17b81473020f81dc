"""Cards and hands as turned rectangles on the floor: where their corners are and how deep they overlap."""

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
class Boxes:
    """Turned rectangles: middles (N, 2), angles (N,), and the half sizes that all of them share."""

    at: Floats
    angle: Floats
    half: tuple[float, float]


def overlap(a: Boxes, b: Boxes) -> Floats:
    """Measure how deep boxes overlap along each of the four separating axes, shape (4, N).

    Boxes overlap where the smallest of the four is positive.
    """
    across, along = _apart(a, b)
    cos, sin = np.abs(np.cos(b.angle - a.angle)), np.abs(np.sin(b.angle - a.angle))
    (aw, ah), (bw, bh) = a.half, b.half
    limits = (
        aw + bw * cos + bh * sin,
        ah + bw * sin + bh * cos,
        bw + aw * cos + ah * sin,
        bh + aw * sin + ah * cos,
    )
    return np.array(limits) - np.abs(np.array((*across, *along)))


def _apart(a: Boxes, b: Boxes) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Return the way from a to b along a's two axes and along b's two axes."""
    x, y = (b.at - a.at).T
    parts = []
    for angle in (a.angle, b.angle):
        cos, sin = np.cos(angle), np.sin(angle)
        parts.append((x * cos + y * sin, y * cos - x * sin))
    return parts[0], parts[1]


def parting(a: Boxes, b: Boxes, axis: int, pair: int) -> Floats:
    """Return the unit direction (2,) along which box b of a pair leaves box a soonest."""
    angle = float((a.angle, b.angle)[axis // 2][pair])
    way = (
        np.array([np.cos(angle), np.sin(angle)])
        if axis % 2 == 0
        else np.array([-np.sin(angle), np.cos(angle)])
    )
    return way if (b.at[pair] - a.at[pair]) @ way > 0 else -way


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
    """Angle in the picture of a card that lies `angle_rad` off facing its owner."""
    return angle_rad if side is Side.NEAR else angle_rad + np.pi


def lying_pose(placed: PlacedCard) -> Floats:
    """Return x, y, angle in the picture and height of a card at rest."""
    return np.array([placed.x_m, placed.y_m, picture_angle(placed.side, placed.angle_rad), 0.0])
