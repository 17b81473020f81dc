"""Reaction times: what lost cards add, and which cards are slow, against known truth."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import CensoredData, ecdf

from benchmarks.book.reactions import CardCell, Cell, measured, measured_cards
from desk.book.card_times import card_times
from desk.book.survival import timing_of


def test_without_lost_cards_the_median_is_the_middle() -> None:
    assert timing_of([])["median_ms"] is None
    assert timing_of([])["interval_ms"] == (None, None)
    assert timing_of([300.0])["median_ms"] == 300.0
    assert timing_of([300.0])["quartiles_ms"] is None
    five = timing_of([500.0, 100.0, 300.0, 200.0, 400.0])
    assert (five["n"], five["lost"], five["median_ms"], five["quartiles_ms"]) == (5, 0, 300.0, (200.0, 400.0))
    assert timing_of([100.0, 200.0, 300.0, 400.0])["median_ms"] == 250.0


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


@pytest.mark.parametrize("n", [8, 40, 200])
def test_the_interval_supposes_nothing_of_how_times_scatter(n: int) -> None:
    dice = np.random.default_rng(n)

    def times(dice: np.random.Generator, n: int) -> NDArray[np.float64]:
        """One card of twelve takes three times as long."""
        return np.where(dice.random(n) < 1 / 12, 3.0, 1.0) * 600 * np.exp(0.35 * dice.standard_normal(n))

    true = float(np.median(times(dice, 1_000_000)))
    inside = []
    for _ in range(300):
        own, other = times(dice, n), 600 * np.exp(0.35 * dice.standard_normal(n))
        low, high = timing_of(list(own[own <= other]), list(other[own > other]))["interval_ms"]
        inside.append((low is None or low <= true + 0.1) and (high is None or high >= true - 0.1))
    assert np.mean(inside) > 0.95 - 3 * (0.95 * 0.05 / 300) ** 0.5


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


def test_a_player_without_takes_has_no_times() -> None:
    assert card_times([]) == {}
    assert card_times([(1, 300.0, False), (2, 400.0, False)]) == {}


def test_one_take_of_a_card_moves_it_less_than_ten() -> None:
    others = [(poem, 500.0 + 10 * (poem % 5), True) for poem in range(1, 21) for _ in range(5)]
    once = card_times([*others, (30, 900.0, True)])[30]
    often = card_times([*others, *[(30, 900.0, True)] * 10])[30]
    assert 500 < once.ms < often.ms < 900
    assert 0 < once.above < often.above


def test_a_lost_card_is_slower_than_one_taken_at_that_time() -> None:
    others = [(poem, 400.0 + 20 * poem, True) for poem in range(1, 21) for _ in range(3)]
    taken = card_times([*others, *[(30, 600.0, True)] * 3])[30]
    lost = card_times([*others, *[(30, 600.0, False)] * 3])[30]
    assert lost.ms > taken.ms


@pytest.mark.parametrize("opponent_ms", [None, 600])
@pytest.mark.parametrize(("spread", "takes"), [(0.1, 3), (0.25, 3), (0.25, 10)])
def test_the_error_is_near_that_of_who_knows_all_spreads(
    spread: float, takes: int, opponent_ms: float | None
) -> None:
    found = measured_cards(CardCell(spread, takes, opponent_ms), samples=10)
    assert found["error_ms"] < 1.2 * found["best_ms"]
    assert found["error_ms"] < found["own_mean_ms"]
