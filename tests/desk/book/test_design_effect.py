"""Intervals hold where opponents and form differ from match to match."""

from math import exp

import numpy as np
import pytest

from desk.book.design_effect import design_effect, likeness
from desk.book.figures import PoemSeen, likeness_of, takes_of

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


def test_as_many_cards_of_as_many_matches_are_independent() -> None:
    assert design_effect(range(10), 0.3) == 1.0
    assert design_effect([], 0.3) == 1.0
    assert design_effect([1] * 11, 0.3) == pytest.approx(4.0)


def test_the_intervals_of_independent_cards_are_what_they_were() -> None:
    poems = [PoemSeen(1, 1, match % 3 > 0, None, 400.0 + match, 0, 0, match) for match in range(30)]
    assert takes_of(poems, likeness_of(poems)) == takes_of(poems)
