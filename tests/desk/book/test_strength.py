"""Ratings: winners rise, more matches narrow the interval, and it contains the true strength."""

from __future__ import annotations

import random

from desk.book.strength import MIDDLE, SPREAD, Ratings


def test_nobody_is_rated_before_a_match() -> None:
    assert Ratings([]).of("Hana") is None


def test_who_wins_rises_by_what_the_other_falls() -> None:
    ratings = Ratings([("Hana", "Ken")])
    hana, ken = ratings.of("Hana"), ratings.of("Ken")
    assert hana is not None
    assert ken is not None
    assert hana["points"] - MIDDLE == MIDDLE - ken["points"] > 0
    assert (hana["matches"], ken["matches"]) == (1, 1)
    low, high = hana["interval"]
    assert 2 * 1.5 * SPREAD < high - low < 2 * 2 * SPREAD, "one match tells little"


def test_a_win_against_a_stronger_player_counts_more() -> None:
    season = [("Mei", "Ken")] * 10 + [("Ken", "Jun")] * 10
    over_strong, over_weak = (Ratings([*season, ("Hana", loser)]).of("Hana") for loser in ("Mei", "Jun"))
    assert over_strong is not None
    assert over_weak is not None
    assert over_strong["points"] > over_weak["points"]


def test_the_interval_narrows_and_holds_what_is_true() -> None:
    dice = random.Random(5)
    inside = rated = 0
    widths = []
    for matches in (40, 400):
        for _ in range(6):
            strength = {name: dice.gauss(MIDDLE, 150) for name in "ABCDEFGH"}
            played = []
            for _ in range(matches):
                one, other = dice.sample(sorted(strength), 2)
                wins = 1 / (1 + 10 ** ((strength[other] - strength[one]) / 400))
                played.append((one, other) if dice.random() < wins else (other, one))
            ratings = Ratings(played)
            found = {name: rating for name in strength if (rating := ratings.of(name)) is not None}
            # only differences mean something: both are laid on the same middle
            shift = sum(rating["points"] - strength[name] for name, rating in found.items()) / len(found)
            for name, rating in found.items():
                low, high = rating["interval"]
                inside += low <= strength[name] + shift <= high
                rated += 1
                widths.append((matches, high - low))
    assert inside / rated > 0.85
    assert max(width for matches, width in widths if matches == 400) < min(
        width for matches, width in widths if matches == 40
    )
