"""Reaction times: what lost cards add, against known truth and against other ways to count."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import CensoredData, ecdf

from benchmarks.book.reactions import Cell, measured
from desk.book.survival import timing_of


def test_without_lost_cards_the_median_is_the_middle() -> None:
    assert timing_of([])["median_ms"] is None
    assert timing_of([])["interval_ms"] == (None, None)
    assert timing_of([300.0])["median_ms"] == 300.0
    assert timing_of([300.0])["quartiles_ms"] is None
    five = timing_of([500.0, 100.0, 300.0, 200.0, 400.0])
    assert (five["n"], five["lost"], five["median_ms"], five["quartiles_ms"]) == (5, 0, 300.0, (200.0, 400.0))
    assert timing_of([100.0, 200.0, 300.0, 400.0])["median_ms"] == 250.0


def test_takes_before_the_kimariji_count_like_all_others() -> None:
    assert timing_of([-40.0, -20.0, 100.0])["median_ms"] == -20.0


@pytest.mark.parametrize("seed", range(5))
def test_the_median_is_that_of_scipys_estimate(seed: int) -> None:
    dice = np.random.default_rng(seed)
    taken, lost = dice.normal(500, 150, 30).round(), dice.normal(500, 150, 21).round()
    curve = ecdf(CensoredData(uncensored=taken, right=lost)).sf
    first = curve.quantiles[np.argmax(curve.probabilities <= 0.5)]
    assert timing_of(list(taken), list(lost))["median_ms"] == first


def test_a_card_that_is_mostly_lost_has_no_median_but_a_lower_end() -> None:
    timing = timing_of([300.0], [310.0 + place for place in range(9)])
    assert timing["median_ms"] is None
    low, high = timing["interval_ms"]
    assert low is not None
    assert 300.0 <= low < 318.0
    assert high is None
    assert timing_of([], [300.0] * 20)["interval_ms"] == (300.0, None), "half take longer than that"


def test_few_takes_leave_the_interval_open() -> None:
    assert timing_of([300.0, 310.0, 320.0])["interval_ms"] == (None, None)
    assert timing_of([300.0, 310.0, 320.0, 330.0, 340.0])["interval_ms"] == (300.0, 340.0)


def slow_at_times(dice: np.random.Generator, n: int) -> NDArray[np.float64]:
    """One card of twelve takes three times as long."""
    return np.where(dice.random(n) < 1 / 12, 3.0, 1.0) * 600 * np.exp(0.35 * dice.standard_normal(n))


def of_whole_frames(dice: np.random.Generator, n: int) -> NDArray[np.float64]:
    return np.asarray((600 * np.exp(0.35 * dice.standard_normal(n)) * 0.06).round() / 0.06, np.float64)


def with_a_clock_that_jumps(dice: np.random.Generator, n: int) -> NDArray[np.float64]:
    """One take of twenty is told a second too early."""
    times: NDArray[np.float64] = np.where(dice.random(n) < 0.05, -1000.0, 0.0)
    times += 600 * np.exp(0.35 * dice.standard_normal(n))
    return times


def of_two_kinds(dice: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Half of the cards are known by heart."""
    return np.where(dice.random(n) < 0.5, 350.0, 900.0) * np.exp(0.15 * dice.standard_normal(n))


@pytest.mark.parametrize("n", [8, 40, 200])
@pytest.mark.parametrize(
    "times",
    [slow_at_times, of_whole_frames, with_a_clock_that_jumps, of_two_kinds],
    ids=lambda times: times.__name__,
)
def test_the_interval_supposes_nothing_of_how_times_scatter(
    times: Callable[[np.random.Generator, int], NDArray[np.float64]], n: int
) -> None:
    dice = np.random.default_rng(n)
    true = float(np.median(times(dice, 1_000_000)))
    inside = []
    for _ in range(300):
        own, other = times(dice, n), 600 * np.exp(0.35 * dice.standard_normal(n))
        low, high = timing_of(list(own[own <= other]), list(other[own > other]))["interval_ms"]
        inside.append((low is None or low <= true + 0.1) and (high is None or high >= true - 0.1))
    assert np.mean(inside) > 0.95 - 3 * (0.95 * 0.05 / 300) ** 0.5


def test_cards_that_are_hard_for_both_make_the_median_too_slow() -> None:
    """The book says so: nothing in the times tells it."""
    found = measured(Cell(600, 150, shared=0.2), samples=400)
    assert 20 < found["bias_ms"] < 45
    assert found["inside"] < 0.93


@pytest.mark.parametrize(
    "cell",
    [Cell(450, 150), Cell(600, 60), Cell(800, 40), Cell(None, 40)],
    ids=lambda cell: f"against {cell.opponent_ms}",
)
def test_the_median_of_lost_races_is_the_players_own(cell: Cell) -> None:
    """A player of 600 ms is told 600 ms whoever sits opposite, and the interval holds it."""
    found = measured(cell, samples=400)
    error = (0.95 * 0.05 / 400) ** 0.5
    assert abs(found["bias_ms"]) < 3 * found["error_ms"] / 400**0.5 + 12
    assert found["inside"] > 0.95 - 3 * error
    assert found["won_only_bias_ms"] < -30 or cell.opponent_ms is None
