"""How much less the cards of a few matches tell than as many of as many matches would (Kish, 1965).

Cards of one match share the opponent and the form of the day. Taken for independent, 95 % intervals hold the
player's long-run share in 60 to 80 % of cases, and the median time in 76 to 93 %.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
