"""Players whose reaction times are known: what the book tells of them against faster and slower opponents."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import log_ndtr

from desk.book.card_times import card_times
from desk.book.survival import timing_of

OWN_MS, SCATTER = 600.0, 0.35
"""The player's median, and the standard deviation of the logarithms of all times."""


@dataclass(frozen=True)
class Cell:
    """A player of 600 ms against an opponent of `opponent_ms` (None: nobody), over `cards` cards."""

    opponent_ms: float | None
    cards: int
    shared: float = 0.0  # standard deviation of what makes a card slow for both, of the `SCATTER` of each


CELLS = (
    *(Cell(opponent_ms, cards) for opponent_ms in (450, 600, 800, None) for cards in (15, 40, 150, 600)),
    *(Cell(600, cards, shared=0.2) for cards in (40, 150, 600)),
)


def measured(cell: Cell, samples: int) -> dict[str, float]:
    """Return error and bias of the median, of takes alone too, and how often the interval holds it."""
    dice = np.random.default_rng(cell.cards)
    medians, alone = [], []
    inside = closed = 0
    for _ in range(samples):
        hard = cell.shared * dice.standard_normal(cell.cards)
        apart = np.sqrt(SCATTER**2 - cell.shared**2)
        own = OWN_MS * np.exp(hard + apart * dice.standard_normal(cell.cards))
        other = (cell.opponent_ms or np.inf) * np.exp(hard + apart * dice.standard_normal(cell.cards))
        taken = own[own <= other]
        timing = timing_of(list(taken), list(other[own > other]))
        low, high = timing["interval_ms"]
        inside += (low is None or low <= OWN_MS) and (high is None or high >= OWN_MS)
        closed += low is not None and high is not None
        if timing["median_ms"] is not None:
            medians.append(timing["median_ms"] - OWN_MS)
        if len(taken):
            alone.append(float(np.median(taken)) - OWN_MS)
    return {
        "error_ms": float(np.sqrt(np.mean(np.square(medians)))),
        "bias_ms": float(np.mean(medians)),
        "won_only_bias_ms": float(np.mean(alone)),
        "inside": inside / samples,
        "closed": closed / samples,
        "known": len(medians) / samples,
    }


@dataclass(frozen=True)
class CardCell:
    """A hundred cards whose medians scatter by `spread` (logarithms), each met `takes` times."""

    spread: float
    takes: int
    opponent_ms: float | None = None


CARD_CELLS = tuple(
    CardCell(spread, takes, opponent_ms)
    for spread in (0.0, 0.1, 0.25)
    for takes in (3, 10)
    for opponent_ms in (None, 600)
)


def measured_cards(cell: CardCell, samples: int) -> dict[str, float]:
    """Return the errors of the cards' times: the book's, the best, and those of each card's own mean.

    The best estimator named knows the player's mean, the spread of the cards and the scatter of takes, and
    weighs every possible time of a card by them.
    """
    squares: dict[str, list[float]] = {"error_ms": [], "best_ms": [], "own_mean_ms": []}
    slowest = []
    for seed in range(samples):
        dice = np.random.default_rng(seed)
        true = OWN_MS * np.exp(cell.spread * dice.standard_normal(100))
        own = true[:, None] * np.exp(SCATTER * dice.standard_normal((100, cell.takes)))
        other = (cell.opponent_ms or np.inf) * np.exp(SCATTER * dice.standard_normal(own.shape))
        seen, is_taken = np.minimum(own, other), own <= other
        found = card_times(
            (card, float(seen[card, take]), bool(is_taken[card, take]))
            for card in range(100)
            for take in range(cell.takes)
        )
        for card, time in found.items():
            squares["error_ms"].append((time.ms - true[card]) ** 2)
            squares["best_ms"].append((_best_ms(cell, seen[card], is_taken[card]) - true[card]) ** 2)
            squares["own_mean_ms"].append((float(seen[card].mean()) - true[card]) ** 2)
        slowest.append(float(np.mean(sorted(time.ms for time in found.values())[-20:])))
    errors = {name: float(np.sqrt(np.mean(each))) for name, each in squares.items()}
    return {**errors, "slowest_20_ms": float(np.mean(slowest))}


def _best_ms(cell: CardCell, seen: Any, is_taken: Any) -> float:
    if not cell.spread:
        return OWN_MS
    centre = np.log(OWN_MS) + np.linspace(-5, 5, 201) * cell.spread
    z = (np.log(seen)[:, None] - centre) / SCATTER
    weight = np.where(is_taken[:, None], -z * z / 2, log_ndtr(-z)).sum(axis=0)
    weight -= ((centre - np.log(OWN_MS)) / cell.spread) ** 2 / 2
    weight = np.exp(weight - weight.max())
    return float(np.exp(weight @ centre / weight.sum()))


def rows(samples: int) -> Iterator[str]:
    """Iterate over a line for each cell."""
    for cell in CELLS:
        found = measured(cell, samples)
        yield (
            f"600 ms against {cell.opponent_ms or 'nobody'}, {cell.cards} cards"
            f"{f', {cell.shared} hard for both' if cell.shared else ''}: "
            f"bias {found['bias_ms']:+.0f}, error {found['error_ms']:.0f} ms "
            f"(takes alone: bias {found['won_only_bias_ms']:+.0f}); "
            f"inside {found['inside']:.1%}, closed {found['closed']:.0%}, median known {found['known']:.0%}"
        )
    for card_cell in CARD_CELLS:
        found = measured_cards(card_cell, max(5, samples // 50))
        yield (
            f"100 cards, spread {card_cell.spread}, {card_cell.takes} each, against "
            f"{card_cell.opponent_ms or 'nobody'}: error {found['error_ms']:.0f} ms, best "
            f"{found['best_ms']:.0f}, own mean {found['own_mean_ms']:.0f}; the slowest twenty "
            f"{found['slowest_20_ms']:.0f} ms"
        )
