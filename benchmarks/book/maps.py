"""Maps of twelve places whose true shares are known: how often all twelve intervals hold them."""

from collections.abc import Iterator

import numpy as np

from desk.book.figures import PLACES
from desk.book.intervals import share_of

CELLS = ((0.5, 10), (0.5, 40), (0.3, 40), (0.5, 200), (0.2, 200))
"""The middle of the true shares, which lie 0.15 around it, and the cards of each place."""


def held(middle: float, cards: int, samples: int) -> tuple[float, float]:
    """Return how often all twelve intervals hold, and how often each of them would alone."""
    dice = np.random.default_rng(cards)
    together = alone = 0
    for _ in range(samples):
        true = dice.uniform(middle - 0.15, middle + 0.15, PLACES)
        won = dice.binomial(cards, true)
        inside = [
            [low <= share <= high for share, (low, high) in zip(true, ends, strict=True)]
            for ends in (
                [share_of(int(each), cards, among=among)["interval"] or (0.0, 1.0) for each in won]
                for among in (PLACES, 1)
            )
        ]
        together += all(inside[0])
        alone += sum(inside[1])
    return together / samples, alone / samples / PLACES


def rows(samples: int) -> Iterator[str]:
    """Iterate over a line for each cell."""
    for middle, cards in CELLS:
        together, alone = held(middle, cards, samples)
        yield (
            f"twelve places around {middle:.0%}, {cards} cards each: all twelve inside {together:.1%}; "
            f"a single 95 % interval {alone:.1%}"
        )
