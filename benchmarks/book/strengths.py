"""Clubs whose players' strength is known: errors of ratings, and how often their intervals hold the truth.

The best estimator named is Bradley and Terry's model penalised by the spread and drift that the club was
simulated with, which nobody knows of a real club.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations
from math import sqrt
from typing import Any
from unittest.mock import patch

import numpy as np

from desk.book import strength
from desk.book.strength import MIDDLE, Ratings

FIRST = date(2026, 1, 1)


@dataclass(frozen=True)
class Club:
    """A cell of the simulation: groups of players that never meet, their spread, matches, days and drift."""

    players: int = 10
    spread: float = 100.0
    matches: int = 100
    days: int = 1
    drift: float = 0.0
    groups: int = 1


CELLS = (
    *(Club(spread=spread, matches=matches) for spread in (100, 200) for matches in (100, 300, 1000)),
    *(Club(matches=matches, days=333, drift=drift) for drift in (0, 4, 14) for matches in (100, 300, 1000)),
    Club(players=5, spread=150, matches=100, groups=2),
    Club(players=30, spread=150, matches=300),
)


def season(club: Club, seed: int) -> tuple[list[tuple[str, str, date]], list[dict[str, float]]]:
    """Play a club's matches; return them and each group's true strengths on the last day."""
    dice = np.random.default_rng(seed)
    played, strengths = [], []
    for group in range(club.groups):
        now = dice.normal(MIDDLE + 300 * group, club.spread, club.players)
        day = 0
        for match in range(club.matches):
            at = match * club.days // club.matches
            now = now + dice.normal(0, sqrt(club.drift * (at - day)), club.players)
            day = at
            one, other = dice.choice(club.players, 2, replace=False)
            if dice.random() > 1 / (1 + 10 ** ((now[other] - now[one]) / 400)):
                one, other = other, one
            played.append((f"{group}.{one}", f"{group}.{other}", FIRST + timedelta(days=day)))
        strengths.append({f"{group}.{number}": float(each) for number, each in enumerate(now)})
    return played, strengths


def measured(club: Club, seeds: Sequence[int]) -> dict[str, Any]:
    """Return the errors in a cell, the ratio to the best estimator, and the shares inside the intervals."""
    errors: dict[str, list[float]] = {"ratings": [], "best": [], "equal": []}
    inside: dict[str, list[bool]] = {"rating": [], "difference": []}
    for seed in seeds:
        played, strengths = season(club, seed)
        ratings = Ratings(played)
        known_spread = patch.object(strength, "SPREADS", (club.spread,))
        normal = patch.object(strength, "FREEDOMS", (1e9,))
        with known_spread, normal, patch.object(strength, "DRIFTS", (club.drift or 1e-6,)):
            best = Ratings(played)
        for group in strengths:
            known = [name for name in group if ratings.of(name) is not None]
            middle = sum(group[name] for name in known) / len(known)
            for name in known:
                told, named = ratings.of(name), best.of(name)
                assert told is not None
                assert named is not None
                true = group[name] - middle
                errors["ratings"].append(told["points"] - MIDDLE - true)
                errors["best"].append(named["points"] - MIDDLE - true)
                errors["equal"].append(true)
                inside["rating"].append(told["interval"][0] <= true + MIDDLE <= told["interval"][1])
            for one, other in combinations(known, 2):
                apart = ratings.between(one, other)
                assert apart is not None
                low, high = apart["interval"]
                inside["difference"].append(low <= group[one] - group[other] <= high)
    error = {name: float(np.sqrt(np.mean(np.square(each)))) for name, each in errors.items()}
    return {
        "cell": club,
        "rated": len(errors["ratings"]),
        **error,
        "ratio": error["ratings"] / error["best"],
        **{name: sum(each) / len(each) for name, each in inside.items()},
    }


def rows(seeds: int) -> Iterator[str]:
    """Iterate over a line for each cell."""
    for club in CELLS:
        found = measured(club, range(seeds))
        yield (
            f"{club.groups} x {club.players} players, spread {club.spread:.0f}, {club.matches} matches"
            f"{f' in {club.days} days, drift {club.drift:g}' if club.days > 1 else ''}: "
            f"error {found['ratings']:.0f} (best {found['best']:.0f}, ratio {found['ratio']:.2f}; "
            f"all equal {found['equal']:.0f}); inside: ratings {found['rating']:.1%} of {found['rated']}, "
            f"differences {found['difference']:.1%}"
        )
