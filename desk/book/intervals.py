"""Shares with their 95 % intervals."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from desk.panel.book.port import Share

MISSED = 0.05  # how often an interval may miss what is true: 95 % intervals


def share_of(won: int, n: int, *, among: int = 1, effect: float = 1.0) -> Share:
    """Return `won` of `n` as a share, with Wilson's score interval.

    `among`: number of intervals that are looked at together; all of them hold in 95 % of all cases
    (Bonferroni). `effect`: the design effect, see `desk.book.intervals`; 1 where all are independent.
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


USUAL_TAKES, USUAL_TIMES = 0.06, 0.03
"""Correlation of two takes, and of two times, in a match where a player's own matches do not tell it:
opponents whose speed differs by a sixth, and form that changes by a twentieth."""
_USUAL_MATCHES = 4  # the usual correlation counts as much as so many further matches


@dataclass(frozen=True, slots=True)
class Likeness:
    """Correlation of whether two cards of a match are taken, and of whether they are reached soon; 0..1."""

    takes: float = 0.0
    times: float = 0.0


def likeness(groups: Sequence[tuple[int, int]], usual: float) -> float:
    """Return the correlation of two cards in a match (analysis of variance), drawn to the usual one.

    `groups`: of each match how many cards were taken, and how many there were.
    """
    sizes = [n for _, n in groups]
    k, n = len(groups), sum(sizes)
    own = 0.0
    if k > 1 and n > k:
        share = sum(won for won, _ in groups) / n
        between = sum(size * (won / size - share) ** 2 for won, size in groups) / (k - 1)
        within = sum(won * (1 - won / size) for won, size in groups) / (n - k)
        size = (n - sum(each * each for each in sizes) / n) / (k - 1)
        whole = between + (size - 1) * within
        own = min(1.0, max(0.0, (between - within) / whole)) if whole > 0 else 0.0
    told = k - 1 if n > k else 0
    return (told * own + _USUAL_MATCHES * usual) / (told + _USUAL_MATCHES)


def design_effect(matches: Iterable[int], alike: float) -> float:
    """Return by how much fewer independent cards would tell as much; at least 1.

    `matches`: the match of each card. `alike`: the correlation of two cards in a match.
    """
    sizes = Counter(matches).values()
    return 1 + alike * (sum(size * size for size in sizes) / sum(sizes) - 1) if sizes else 1.0
