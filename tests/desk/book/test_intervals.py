"""Shares: their intervals match SciPy's, and hold together, and where form differs from match to match."""

from __future__ import annotations

import random
from math import exp

import numpy as np
import pytest
from scipy.stats import binomtest

from desk.book.figures import PoemSeen, likeness_of, takes_of
from desk.book.intervals import likeness, share_of


@pytest.mark.parametrize(("won", "n"), [(0, 1), (1, 1), (3, 7), (10, 19), (11, 20), (55, 100)])
def test_the_interval_of_a_share_is_wilsons_however_many_there_are(won: int, n: int) -> None:
    share = share_of(won, n)
    expected = binomtest(won, n).proportion_ci(method="wilson")
    assert share["interval"] == pytest.approx((expected.low, expected.high), abs=1e-4)
    assert share["share"] == pytest.approx(won / n, abs=1e-4)


def test_of_nothing_there_is_no_share() -> None:
    assert share_of(0, 0) == {"won": 0, "n": 0, "share": None, "interval": None}


def test_twelve_intervals_hold_together() -> None:
    dice = random.Random(12)
    maps, held, n = 1000, 0, 40
    for _ in range(maps):
        is_inside = True
        for true in (0.3 + 0.04 * cell for cell in range(12)):
            share = share_of(sum(dice.random() < true for _ in range(n)), n, among=12)
            low, high = share["interval"] or (0, 0)
            is_inside &= low <= true <= high
        held += is_inside
    error = (0.95 * 0.05 / maps) ** 0.5
    assert abs(held / maps - 0.95) < 0.02 + 2 * error


CARDS = 45


def season(dice: np.random.Generator, matches: int, opponents: float, form: float) -> list[PoemSeen]:
    """Play matches of a player of 600 ms whose opponents and form scatter by so much (logarithms)."""
    played = []
    for match in range(matches):
        own_ms, other_ms = 600 * exp(dice.normal(0, form)), 600 * exp(dice.normal(0, opponents))
        own = own_ms * np.exp(dice.normal(0, 0.35, CARDS))
        other = other_ms * np.exp(dice.normal(0, 0.35, CARDS))
        played += [
            PoemSeen(1, 1, bool(mine < yours), None, float(min(mine, yours)), 0, 0, match)
            for mine, yours in zip(own, other, strict=True)
        ]
    return played


@pytest.mark.parametrize("matches", [1, 3, 10, 30])
@pytest.mark.parametrize(("opponents", "form"), [(0.0, 0.0), (0.1, 0.0), (0.2, 0.05)])
def test_95_of_100_intervals_hold_the_long_run_share_and_the_median(
    matches: int, opponents: float, form: float
) -> None:
    dice, shares, medians = np.random.default_rng(3), 0, 0
    seasons = 150
    for _ in range(seasons):
        poems = season(dice, matches, opponents, form)
        told = takes_of(poems, likeness_of(poems))
        low, high = told["takes"]["interval"] or (0.0, 1.0)
        shares += low <= 0.5 <= high
        early, late = told["reaction"]["interval_ms"]
        medians += (early or 0.0) <= 600 <= (late or 1e9)
    assert shares >= 0.95 * seasons - 8
    assert medians >= 0.95 * seasons - 8


def test_matches_that_are_alike_count_nearly_as_single_cards() -> None:
    alike = likeness([(20, 40), (21, 40)] * 30, 0.06)
    assert alike < 0.005
    assert likeness([(10, 40), (30, 40)] * 30, 0.06) == pytest.approx(0.25, abs=0.03)


def test_one_match_tells_nothing_of_how_matches_differ() -> None:
    assert likeness([(20, 40)], 0.06) == 0.06
    assert likeness([], 0.06) == 0.06
    assert likeness([(1, 1), (0, 1)], 0.06) == 0.06
