"""Places for torifuda: the slots of a territory, the deal, and free places for sent cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.layout import (
    CARD_HEIGHT_M,
    CARD_WIDTH_M,
    HALF_DEPTH_M,
    HALF_WIDTH_M,
    ROWS,
    TERRITORY_GAP_M,
    TERRITORY_WIDTH_M,
    Layout,
    PlacedCard,
    row_centre_y_m,
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


PITCH_M = 0.0532  # distance between neighbouring cards of a row
COLUMNS = 8  # number of cards in a row from the side line to the middle, counted from the side line
_MOST_IN_GROUP = 7


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a territory: `column` 0 is at the side line; `x_sign` is -1 on the picture's left."""

    side: Side
    row: int
    x_sign: int
    column: int

    @property
    def x_m(self) -> float:
        """Centre of a card in this place, metres."""
        return self.x_sign * (TERRITORY_WIDTH_M / 2 - CARD_WIDTH_M / 2 - self.column * PITCH_M)


def slot_of(placed: PlacedCard) -> Slot:
    from_edge = TERRITORY_WIDTH_M / 2 - CARD_WIDTH_M / 2 - abs(placed.x_m)
    column = int(np.clip(round(from_edge / PITCH_M), 0, COLUMNS - 1))
    return Slot(placed.side, placed.row, 1 if placed.x_m > 0 else -1, column)


def put(card: int, slot: Slot, rng: np.random.Generator, turn_deg: float) -> PlacedCard:
    """Put a card into a slot as exactly as a hurried hand does: `turn_deg` is twice its largest turn."""
    slip_m = 0.0004
    slip = np.clip(rng.normal(0, slip_m, 2), -0.0006, 0.0006)
    turn = np.clip(rng.normal(0, turn_deg / 2), -turn_deg, turn_deg)
    # A turned card is wider: neighbours may lean on each other, but not lie on each other.
    return PlacedCard(
        card=card,
        side=slot.side,
        row=slot.row,
        x_m=slot.x_m + float(slip[0]),
        y_m=row_centre_y_m(slot.side, slot.row) + float(slip[1]),
        angle_rad=float(np.deg2rad(turn)) * 0.5,
    )


def deal(
    cards: Sequence[int], side: Side, rng: np.random.Generator, turn_deg: float
) -> tuple[PlacedCard, ...]:
    """Lay out one player's cards in groups that grow inwards from the side lines."""
    groups = [(row, x_sign) for row in range(ROWS) for x_sign in (-1, 1)]
    if len(cards) > len(groups) * _MOST_IN_GROUP:
        raise ValueError(f"a territory takes at most {len(groups) * _MOST_IN_GROUP} cards, got {len(cards)}")
    filled = dict.fromkeys(groups, 0)
    placed = []
    for card in cards:
        # Most players keep more cards in the rows near themselves, and about as many on either side.
        weights = np.array(
            [
                (1.0 + 0.5 * row) / (1 + filled[row, x]) * (filled[row, x] < _MOST_IN_GROUP)
                for row, x in groups
            ]
        )
        row, x_sign = groups[int(rng.choice(len(groups), p=weights / weights.sum()))]
        slot = Slot(side, row, x_sign, filled[row, x_sign])
        filled[row, x_sign] += 1
        placed.append(put(card, slot, rng, turn_deg))
    return tuple(placed)


def free_slot(layout: Layout, side: Side, rng: np.random.Generator) -> Slot:
    """Choose a place for a sent card: at the inner end of a group or in a gap."""
    taken = {slot_of(placed) for placed in layout.of(side)}
    ends = []
    for row in range(ROWS):
        for x_sign in (-1, 1):
            free = [Slot(side, row, x_sign, column) for column in range(COLUMNS)]
            ends += [slot for slot in free if slot not in taken][:1]
    return ends[int(rng.integers(len(ends)))]
