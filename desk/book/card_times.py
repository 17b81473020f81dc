"""How slow each card is for a player: its times, shrunk towards the player's mean as far as they scatter.

The slowest of a hundred cards with three takes each are mostly unlucky ones. So cards are normally
distributed around the player's mean, and takes around their card, on a logarithmic scale; a card that the
opponent took is known to have needed longer. The spread of the cards is averaged over what the data allow.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

_ORIGIN_MS, _EARLIEST_MS = -500.0, -400.0
"""Where the logarithm begins, and the earliest time that it tells apart: half a second before the end of the
kimariji most poems have only begun, and a take there is a guess."""
_SPREADS = (0.02, 0.04, 0.07, 0.1, 0.14, 0.2, 0.28)
"""Possible standard deviations of the cards, in natural logarithms: 0.1 is some 100 ms at 500 ms."""
_ROUNDS = 12
_LEAST_SPREAD = 0.02  # least standard deviation of takes around their card


@dataclass(frozen=True, slots=True)
class CardTime:
    """A card's typical time, and how far it lies above the player's mean (natural logarithms)."""

    ms: float
    above: float


def card_times(trials: Iterable[tuple[int, float, bool]]) -> Mapping[int, CardTime]:
    """Return the typical time of each card; none where the player took none.

    `trials`: poem, time in ms, and whether the player took it (True) or the opponent did (False).
    """
    rows = list(trials)
    if not any(is_taken for _, _, is_taken in rows):
        return {}
    number = {poem: place for place, poem in enumerate(sorted({poem for poem, _, _ in rows}))}
    card = np.array([number[poem] for poem, _, _ in rows])
    y = np.log(np.maximum([ms for _, ms, _ in rows], _EARLIEST_MS) - _ORIGIN_MS)
    is_taken = np.array([taken for _, _, taken in rows])
    fits = [_fit(y, is_taken, card, spread) for spread in _SPREADS]
    weight = np.array([fit.evidence for fit in fits])
    weight = np.exp(weight - weight.max())
    weight /= weight.sum()
    mean = weight @ np.stack([fit.centre for fit in fits])
    whole = float(weight @ np.array([fit.mean for fit in fits]))
    return {
        poem: CardTime(round(float(np.exp(mean[place])) + _ORIGIN_MS, 1), float(mean[place]) - whole)
        for poem, place in number.items()
    }


@dataclass(frozen=True, slots=True)
class _Fit:
    """The cards for one spread: their centres, the player's mean, and the log evidence."""

    centre: NDArray[np.float64]
    mean: float
    evidence: float


def _fit(y: NDArray[np.float64], is_taken: NDArray[np.bool_], card: NDArray[np.int64], spread: float) -> _Fit:
    """Fit centres, mean and the scatter of takes, each likelihood as a parabola at the latest centres."""
    count = int(card.max()) + 1
    mean, scatter = float(y.mean()), max(float(y.std()), _LEAST_SPREAD)
    centre = np.full(count, mean)
    for _ in range(_ROUNDS):
        z = (y - centre[card]) / scatter
        log_later = log_ndtr(-z)
        hazard = np.exp(-z * z / 2 - log_later) / np.sqrt(2 * np.pi)
        slope = np.bincount(card, np.where(is_taken, z, hazard) / scatter, count)
        curve = np.bincount(card, np.where(is_taken, 1.0, hazard * (hazard - z)) / scatter**2, count)
        seen, apart = centre + slope / curve, spread**2 + 1 / curve
        mean_variance = 1 / float(np.sum(1 / apart))
        mean = mean_variance * float(np.sum(seen / apart))
        pull = spread**2 / apart
        new = mean + pull * (seen - mean)
        variance = pull / curve + (1 - pull) ** 2 * mean_variance
        height = np.where(is_taken, -z * z / 2 - np.log(scatter * np.sqrt(2 * np.pi)), log_later)
        evidence = (
            float(height.sum() + np.sum(slope**2 / (2 * curve) - np.log(curve * apart) / 2))
            - float(np.sum((seen - mean) ** 2 / (2 * apart)))
            + 0.5 * np.log(mean_variance)
        )
        square = np.where(is_taken, z * z, 1 + z * hazard) * scatter**2 + variance[card]
        scatter = max(float(np.sqrt(square.mean())), _LEAST_SPREAD)
        centre = new
    return _Fit(centre, mean, evidence)
