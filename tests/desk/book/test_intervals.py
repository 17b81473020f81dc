"""Shares: their intervals match SciPy's, and hold alone or together as often as they say."""

from __future__ import annotations

import random

import pytest
from scipy.stats import binomtest

from desk.book.intervals import share_of


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
    maps = 1000
    held = 0
    for _ in range(maps):
        is_inside = True
        for cell in range(12):
            true, n = 0.3 + 0.04 * cell, 40
            low, high = share_of(sum(dice.random() < true for _ in range(n)), n, among=12)["interval"] or (
                0,
                0,
            )
            is_inside &= low <= true <= high
        held += is_inside
    error = (0.95 * 0.05 / maps) ** 0.5
    assert abs(held / maps - 0.95) < 0.02 + 2 * error
