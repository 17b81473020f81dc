"""Shares, times and ratings against known truth: their errors are small, and their intervals hold."""

from datetime import date
from math import exp

import numpy as np
import pytest
from scipy.stats import CensoredData, binomtest, ecdf

from benchmarks.book.reactions import CardCell, Cell, measured, measured_cards
from benchmarks.book.strengths import Club, lone_master, share_apart
from benchmarks.book.strengths import measured as measured_club
from desk.book.figures import PoemSeen, likeness_of, takes_of
from desk.book.intervals import share_of
from desk.book.strength import Ratings
from desk.book.survival import timing_of
from desk.panel.book.port import Rating


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


@pytest.mark.parametrize("opponent_ms", [None, 600])
@pytest.mark.parametrize(("spread", "takes"), [(0.1, 3), (0.25, 3), (0.25, 10)])
def test_the_error_is_near_the_least_there_is(spread: float, takes: int, opponent_ms: float | None) -> None:
    found = measured_cards(CardCell(spread, takes, opponent_ms), samples=10)
    assert found["error_ms"] < 1.2 * found["best_ms"]
    assert found["error_ms"] < found["own_mean_ms"]


@pytest.mark.parametrize(("won", "n"), [(0, 1), (1, 1), (3, 7), (10, 19), (11, 20), (55, 100)])
def test_the_interval_of_a_share_is_wilsons_however_many_there_are(won: int, n: int) -> None:
    share = share_of(won, n)
    expected = binomtest(won, n).proportion_ci(method="wilson")
    assert share["interval"] == pytest.approx((expected.low, expected.high), abs=1e-4)
    assert share["share"] == pytest.approx(won / n, abs=1e-4)


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
def test_95_of_100_intervals_hold_the_true_figures(matches: int, opponents: float, form: float) -> None:
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


DAY = date(2026, 1, 4)


def ratings(*pairs: tuple[str, str], day: date = DAY) -> Ratings:
    return Ratings((winner, loser, day) for winner, loser in pairs)


def rated(of: Ratings, name: str) -> Rating:
    found = of.of(name)
    assert found is not None
    return found


def test_groups_that_never_met_are_not_compared() -> None:
    found = ratings(("Hana", "Ken"), ("Ken", "Mei"), ("Mei", "Hana"), ("Jun", "Rin"))
    assert {rated(found, name)["group"] for name in ("Hana", "Ken", "Mei")} == {1}
    assert {rated(found, name)["group"] for name in ("Jun", "Rin")} == {2}
    assert rated(found, "Hana")["groups"] == 2
    assert found.between("Hana", "Jun") is None
    assert found.between("Jun", "Rin") is not None
    linked = ratings(("Hana", "Ken"), ("Ken", "Mei"), ("Mei", "Hana"), ("Jun", "Rin"), ("Rin", "Mei"))
    assert linked.between("Hana", "Jun") is not None, "through Rin and Mei"
    assert rated(linked, "Hana")["groups"] == 1


def test_a_single_master_is_not_drawn_to_the_others() -> None:
    """What is supposed of the others held the difference in 78 of 100 clubs, of a beginner in 69."""
    for gap, matches in ((600, 100), (600, 400), (-800, 200)):
        inside = [share_apart(*lone_master(gap, matches, seed), ["0"]) for seed in range(25)]
        assert np.mean(inside) > 0.85, (gap, matches)  # 0.95 less two standard errors of 25 clubs


@pytest.mark.parametrize(
    "club",
    [
        Club(spread=100, matches=100),
        Club(spread=100, matches=300, days=333, drift=4),
        Club(players=5, spread=150, matches=100, groups=2),
    ],
    ids=["few", "drifting", "two groups"],
)
def test_ratings_are_as_good_as_they_can_be_and_say_how_good(club: Club) -> None:
    found = measured_club(club, range(20))
    assert found["ratio"] < 1.2, "of the error of who knows the spread and the drift"
    assert found["ratings"] < found["equal"], "better than to call everybody equal"
    # ten ratings of a club share its matches: some eight of them are independent
    error = (0.95 * 0.05 / (0.8 * found["rated"])) ** 0.5
    assert abs(found["rating"] - 0.95) < 0.02 + 2 * error
    assert abs(found["difference"] - 0.95) < 0.02 + 2 * error
