"""Ratings against known strengths: error, intervals, differences, groups that never met."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from benchmarks.book.strengths import Club, linked_clubs, lone_master, measured, share_apart
from desk.book.strength import MIDDLE, Ratings
from desk.panel.book.port import Rating

DAY = date(2026, 1, 4)


def ratings(*pairs: tuple[str, str], day: date = DAY) -> Ratings:
    return Ratings((winner, loser, day) for winner, loser in pairs)


def rated(of: Ratings, name: str) -> Rating:
    found = of.of(name)
    assert found is not None
    return found


def width(rating: Rating) -> int:
    low, high = rating["interval"]
    return high - low


def test_who_wins_rises_by_what_the_other_falls() -> None:
    found = ratings(("Hana", "Ken"))
    hana, ken = rated(found, "Hana"), rated(found, "Ken")
    assert hana["points"] - MIDDLE == MIDDLE - ken["points"] > 0
    assert (hana["matches"], ken["matches"]) == (1, 1)
    assert hana["interval"][0] < MIDDLE, "one match tells little"
    apart = found.between("Hana", "Ken")
    assert apart is not None
    assert apart["points"] == pytest.approx(hana["points"] - ken["points"], abs=1)
    assert apart["interval"][0] < 0


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


@pytest.mark.parametrize(("links", "seeds", "least"), [(1, 6, 0.8), (5, 6, 0.8), (40, 40, 0.85)])
def test_of_clubs_that_one_pairing_links_no_more_is_told_than_its_matches_say(
    links: int, seeds: int, least: float
) -> None:
    """What is supposed of one club drew two together: 12, 19 and 79 of 100 intervals held the difference."""
    own = [f"0{player}" for player in range(5)]
    assert np.mean([share_apart(*linked_clubs(links, seed), own) for seed in range(seeds)]) > least


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
    found = measured(club, range(20))
    assert found["ratio"] < 1.2, "of the error of who knows the spread and the drift"
    assert found["ratings"] < found["equal"], "better than to call everybody equal"
    # ten ratings of a club share its matches: some eight of them are independent
    error = (0.95 * 0.05 / (0.8 * found["rated"])) ** 0.5
    assert abs(found["rating"] - 0.95) < 0.02 + 2 * error
    assert abs(found["difference"] - 0.95) < 0.02 + 2 * error
