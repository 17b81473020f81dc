"""The plan of a practice: which cards of the field are read, and in which order."""

import secrets
from collections.abc import Set
from dataclasses import dataclass
from typing import Final

from recitation.reading.order import Order, karafuda, reading_order

_SEEDS: Final = 1_000_000
PATIENCE_S: Final = 3.0  # how long the reader waits for a hand after a first half before it reads on


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a practice."""

    # the cards to read if they are on the field; empty for all cards of the field
    wanted: tuple[int, ...] = ()
    karafuda: int = 0  # number of further poems; those that sound like the cards come first
    seed: int | None = None  # seed of the order; None takes a random one
    by_hand: bool = False  # whether the reader waits for `next` before every poem
    patience_s: float = PATIENCE_S  # how long the reader waits for a hand after a first half

    def order(self, lying: Set[int]) -> tuple[int, ...]:
        """Return the poems to read for these cards on the field; empty if none of them is wanted."""
        chosen = lying & set(self.wanted) if self.wanted else lying
        if not chosen:
            return ()
        seed = secrets.randbelow(_SEEDS) if self.seed is None else self.seed
        extra = karafuda(lying, min(self.karafuda, 100 - len(lying)), seed, confusable=1.0)
        return tuple(reading_order(Order.SHUFFLE, seed, {*chosen, *extra}))
