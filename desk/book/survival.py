"""Reaction times of which some are only known to be longer: Kaplan and Meier's estimate and its band.

A card that the opponent took at 450 ms says that the player would have needed longer. To leave it out would
make every player look faster, the more so the faster the opponent. The estimate supposes that the opponent's
time tells nothing of the player's own on the same card.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, ndtr, ndtri

from desk.book.intervals import MISSED
from desk.panel.book.port import Timing

_EQUAL = 1e-9  # two shares that differ by less are equal, as far as sums of floats tell


def timing_of(
    taken_ms: Sequence[float], lost_ms: Sequence[float] = (), *, among: int = 1, effect: float = 1.0
) -> Timing:
    """Return the median, the quartiles and the median's 95 % interval of a player's reaction times.

    `among`, `effect`: as for `desk.book.intervals.share_of`.
    """
    times, is_taken = _ordered(taken_ms, lost_ms)
    # as many standard errors further out as fewer independent times would have
    tail = float(ndtr(ndtri(MISSED / among / 2) * np.sqrt(effect)))
    quartile_1, middle, quartile_3 = _quantiles(times, is_taken, (0.25, 0.5, 0.75))
    return {
        "n": len(taken_ms),
        "lost": len(lost_ms),
        "median_ms": middle,
        "quartiles_ms": None if quartile_1 is None or len(taken_ms) < 2 else (quartile_1, quartile_3),
        "interval_ms": _median_interval(times, is_taken, tail) if len(times) else (None, None),
    }


def median_of(taken_ms: Sequence[float], lost_ms: Sequence[float]) -> float | None:
    """Return the median alone; see `timing_of`."""
    return _quantiles(*_ordered(taken_ms, lost_ms), (0.5,))[0]


def _ordered(
    taken_ms: Sequence[float], lost_ms: Sequence[float]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return all times in order, and which of them are takes; of equal times, takes come first."""
    times = np.concatenate([np.asarray(taken_ms, np.float64), np.asarray(lost_ms, np.float64)])
    is_lost = np.arange(len(times)) >= len(taken_ms)
    order = np.lexsort((is_lost, times))
    return times[order], ~is_lost[order]


def _quantiles(
    times: NDArray[np.float64], is_taken: NDArray[np.bool_], shares: Sequence[float]
) -> list[float | None]:
    """Return the times by which these shares of the cards would be reached, None where too few are known."""
    at_risk = np.arange(len(times), 0, -1)
    left = np.cumprod(np.where(is_taken, 1 - 1 / at_risk, 1.0))[is_taken]
    taken = times[is_taken]
    found: list[float | None] = []
    for share in shares:
        place = int(np.argmax(left <= 1 - share + _EQUAL)) if len(left) else 0
        if not len(left) or left[place] > 1 - share + _EQUAL:
            found.append(None)
            continue
        # where exactly this share is reached, it lasts up to the next take
        upto = place + 1 if abs(left[place] - (1 - share)) < _EQUAL and place + 1 < len(taken) else place
        found.append(round(float(taken[place] + taken[upto]) / 2, 1))
    return found


def _median_interval(
    times: NDArray[np.float64], is_taken: NDArray[np.bool_], tail: float
) -> tuple[float | None, float | None]:
    """Return the times that enclose the median; an end is None where too few are known to close it.

    The band of Fay, Brittain and Proschan (Biometrics 69, 2013, `bpcp` by the method of moments, mid-p): each
    take among r waiting cards multiplies the share that is left by a Beta(r, 1) variable; before the next
    take it may be less by another. Without lost cards this is the interval of order statistics.
    """
    waiting = np.arange(len(times), 0, -1).astype(np.float64)
    first = np.concatenate([[1.0], np.cumprod(np.where(is_taken, waiting / (waiting + 1), 1.0))])
    second = np.concatenate([[1.0], np.cumprod(np.where(is_taken, waiting / (waiting + 2), 1.0))])
    then = np.append(waiting, 0.0)  # how many wait after each time, and before the first
    below = (
        _below_half(first, second) + _below_half(first * then / (then + 1), second * then / (then + 2))
    ) / 2
    low = int(np.argmax(below > tail))
    is_above = below > 1 - tail
    return (
        None if low == 0 else round(float(times[low - 1]), 1),
        round(float(times[int(np.argmax(is_above)) - 1]), 1) if is_above.any() else None,
    )


def _below_half(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability that a Beta variable is below 1/2, from its first and second moments."""
    inner = (first > 0) & (first < 1)
    mean, square = first[inner], second[inner]
    both = mean * (1 - mean) / (square - mean * mean) - 1
    found = np.where(first <= 0, 1.0, 0.0)
    found[inner] = betainc(mean * both, (1 - mean) * both, 0.5)
    return found
