"""What is practised: which of the cards that lie there are read, and in which order."""

from __future__ import annotations

import secrets
from collections.abc import Set
from dataclasses import dataclass
from typing import Final

from recitation.reading.karafuda import karafuda
from recitation.reading.order import Order, reading_order

_SEEDS: Final = 1_000_000
PATIENCE_S: Final = 3.0
"""So long after a first half the reader waits for a hand before it reads on."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is practised.

    Attributes
    ----------
    wanted : the cards that are read, if they lie there; empty for all that lie there.
    karafuda : how many poems are read beside them; look-alikes come first.
    seed : the dice of the order; None throws them.
    by_hand : the reader waits for `next` before every poem.
    patience_s : so long the reader waits for a hand after a first half.
    """

    wanted: tuple[int, ...] = ()
    karafuda: int = 0
    seed: int | None = None
    by_hand: bool = False
    patience_s: float = PATIENCE_S

    def order(self, lying: Set[int]) -> tuple[int, ...]:
        """Return the poems to read where these cards lie; empty where none of them is wanted."""
        chosen = lying & set(self.wanted) if self.wanted else lying
        if not chosen:
            return ()
        seed = secrets.randbelow(_SEEDS) if self.seed is None else self.seed
        extra = karafuda(lying, min(self.karafuda, 100 - len(lying)), seed, confusable=1.0)
        return tuple(reading_order(Order.SHUFFLE, seed, {*chosen, *extra}))
