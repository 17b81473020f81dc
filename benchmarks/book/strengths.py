"""Clubs whose players' strength is known: errors of ratings, and how often their intervals hold the truth.

The best estimator named is Bradley and Terry's model penalised by the spread and drift that the club was
simulated with, which nobody knows of a real club.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations, product
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


def lone_master(gap: float, matches: int, seed: int) -> tuple[list[tuple[str, str, date]], dict[str, float]]:
    """Play a club of ten equals and one who is better by so many points; that one is `0`."""
    strong = {str(player): gap * (player == 0) for player in range(10)}
    dice = np.random.default_rng(seed)
    pairs = (dice.choice(10, 2, replace=False) for _ in range(matches))
    return _results([(str(one), str(other)) for one, other in pairs], strong, dice), strong


def linked_clubs(links: int, seed: int) -> tuple[list[tuple[str, str, date]], dict[str, float]]:
    """Play two clubs of five, 300 points apart, 100 matches in each and so many of one pairing between."""
    dice = np.random.default_rng(seed)
    strong = {
        f"{club}{player}": float(dice.normal(300 * club, 100)) for club in (0, 1) for player in range(5)
    }
    pairs = [(club, *dice.choice(5, 2, replace=False)) for club in (0, 1) for _ in range(100)]
    met = [(f"{club}{one}", f"{club}{other}") for club, one, other in pairs]
    return _results([*met, *[("00", "10")] * links], strong, dice), strong


def _results(
    pairs: Sequence[tuple[str, str]], strong: dict[str, float], dice: np.random.Generator
) -> list[tuple[str, str, date]]:
    chances = [1 / (1 + 10 ** ((strong[other] - strong[one]) / 400)) for one, other in pairs]
    wins = dice.random(len(pairs)) < chances
    return [
        (one, other, FIRST) if is_won else (other, one, FIRST)
        for (one, other), is_won in zip(pairs, wins, strict=True)
    ]


def share_apart(played: list[tuple[str, str, date]], strong: dict[str, float], ones: Sequence[str]) -> float:
    """Return how many intervals of the differences between some players and the others hold the truth."""
    ratings, inside = Ratings(played), []
    for one, other in product(ones, [name for name in strong if name not in ones]):
        apart = ratings.between(one, other)
        if apart is not None:
            inside.append(apart["interval"][0] <= strong[one] - strong[other] <= apart["interval"][1])
    return float(np.mean(inside))


def attacks(seeds: int) -> Iterator[str]:
    """Iterate over a line for each club that is not as the model supposes."""
    for gap, matches in ((600, 100), (600, 400), (-800, 200)):
        found = [share_apart(*lone_master(gap, matches, seed), ["0"]) for seed in range(seeds)]
        yield f"one of ten {gap:+} points, {matches} matches: differences inside {np.mean(found):.1%}"
    for links in (1, 5, 20, 40, 80):
        own = [f"0{player}" for player in range(5)]
        found = [share_apart(*linked_clubs(links, seed), own) for seed in range(seeds)]
        yield f"two clubs that one pairing links {links} times: differences inside {np.mean(found):.1%}"


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
