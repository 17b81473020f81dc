"""Clubs whose players' strength is known: how often a rating's interval holds it."""

from __future__ import annotations

import random
from collections.abc import Sequence

from desk.book.strength import MIDDLE, Ratings

PLAYERS = 10
SPREADS = (100.0, 200.0)
"""Standard deviations of strength within a club, in points of its ratings."""
SEASONS = (100, 300, 1000)
"""Matches of a club."""


def held(clubs: int = 20) -> tuple[int, int]:
    """Return how many true strengths lie inside the 95 % intervals of the ratings, and how many there are.

    Only differences of ratings mean something, so the true ones are laid on the same middle.

    Parameters
    ----------
    clubs : for each spread and each number of matches.
    """
    inside = rated = 0
    for spread in SPREADS:
        for matches in SEASONS:
            for seed in range(clubs):
                dice = random.Random(seed)
                strengths = {f"p{number}": dice.gauss(MIDDLE, spread) for number in range(PLAYERS)}
                ratings = Ratings(_season(strengths, matches, dice))
                found = {name: rating for name in strengths if (rating := ratings.of(name)) is not None}
                shift = sum(each["points"] - strengths[name] for name, each in found.items()) / len(found)
                for name, rating in found.items():
                    low, high = rating["interval"]
                    inside += low <= strengths[name] + shift <= high
                    rated += 1
    return inside, rated


def _season(strengths: dict[str, float], matches: int, dice: random.Random) -> Sequence[tuple[str, str]]:
    played = []
    for _ in range(matches):
        one, other = dice.sample(sorted(strengths), 2)
        wins = 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400))
        played.append((one, other) if dice.random() < wins else (other, one))
    return played
