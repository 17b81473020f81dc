"""Places for torifuda: the slots of a territory, the deal, and free places for sent cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.layout import CARD_WIDTH_M, ROWS, TERRITORY_WIDTH_M, Layout, PlacedCard, row_centre_y_m
from referee.sides import Side

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
