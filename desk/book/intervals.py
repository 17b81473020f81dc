"""Shares with their 95 % intervals."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from desk.panel.book.port import Share

MISSED = 0.05  # how often an interval may miss what is true: 95 % intervals


def share_of(won: int, n: int, *, among: int = 1, effect: float = 1.0) -> Share:
    """Return `won` of `n` as a share, with Wilson's score interval.

    `among`: number of intervals that are looked at together; all of them hold in 95 % of all cases
    (Bonferroni). `effect`: the design effect, see `desk.book.design_effect`; 1 where all are independent.
    """
    return {
        "won": won,
        "n": n,
        "share": round(won / n, 4) if n else None,
        "interval": _wilson(won / effect, n / effect, NormalDist().inv_cdf(1 - MISSED / among / 2))
        if n
        else None,
    }


def _wilson(won: float, n: float, z: float) -> tuple[float, float]:
    share, z2 = won / n, z**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = z / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)
