"""Shares and medians, with 95 % intervals for small samples."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, sqrt
from statistics import median, quantiles

from desk.panel.book.port import Share, Timing

FEW = 20
"""Number of takes from which a figure has no interval."""
Z95 = 1.959964
"""Half width of the central 95 % of a normal distribution, in standard deviations."""


def share_of(won: int, n: int) -> Share:
    """Return `won` of `n` as a share, with Wilson's score interval if `n` is below `FEW`."""
    return {
        "won": won,
        "n": n,
        "share": round(won / n, 4) if n else None,
        "interval": _wilson(won, n) if 0 < n < FEW else None,
    }


def timing_of(times_ms: Sequence[float]) -> Timing:
    """Return the median and the quartiles of some times, with an interval if there are fewer than `FEW`."""
    ordered = sorted(times_ms)
    n = len(ordered)
    quartiles = quantiles(ordered, n=4, method="inclusive") if n > 1 else None
    return {
        "n": n,
        "median_ms": round(median(ordered), 1) if n else None,
        "quartiles_ms": None if quartiles is None else (round(quartiles[0], 1), round(quartiles[2], 1)),
        "interval_ms": _of_median(ordered) if n < FEW else None,
    }


def _wilson(won: int, n: int) -> tuple[float, float]:
    share, z2 = won / n, Z95**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)


def _of_median(ordered: Sequence[float]) -> tuple[float, float] | None:
    """Return the order statistics that enclose the median in 95 % of all samples, None below six times.

    Each time is below the median with probability 1/2, so the number of those below is binomial for any
    distribution. The interval from the k-th smallest to the k-th largest time misses the median with
    probability 2 P(fewer than k).
    """
    n = len(ordered)
    missed, place = 0.0, 0
    while place < n // 2:
        missed += comb(n, place) / 2**n
        if 2 * missed > 0.05:
            break
        place += 1
    return None if place == 0 else (round(ordered[place - 1], 1), round(ordered[n - place], 1))
