"""Intervals match SciPy, and cover as promised over all possible samples."""

from __future__ import annotations

from itertools import product

import pytest
from scipy.stats import binomtest

from desk.book.intervals import FEW, share_of, timing_of


@pytest.mark.parametrize(("won", "n"), [(0, 1), (1, 1), (3, 7), (10, 19), (19, 19)])
def test_the_interval_of_a_share_is_wilsons(won: int, n: int) -> None:
    share = share_of(won, n)
    expected = binomtest(won, n).proportion_ci(method="wilson")
    assert share["interval"] == pytest.approx((expected.low, expected.high), abs=1e-4)
    assert share["share"] == pytest.approx(won / n, abs=1e-4)


def test_twenty_takes_need_no_interval_and_none_have_none() -> None:
    assert share_of(10, FEW)["interval"] is None
    assert timing_of(list(range(FEW)))["interval_ms"] is None
    assert share_of(0, 0) == {"won": 0, "n": 0, "share": None, "interval": None}
    assert timing_of([]) == {"n": 0, "median_ms": None, "quartiles_ms": None, "interval_ms": None}


@pytest.mark.parametrize("n", [5, 6, 9, 12])
def test_the_interval_of_a_median_holds_it_in_95_of_100_samples(n: int) -> None:
    # of a sample only matters which times lie above the median: all 2^n ways are equally likely
    found = timing_of([float(rank) for rank in range(n)])["interval_ms"]
    if n < 6:
        assert found is None, "even the fastest and the slowest of five miss the median too often"
        return
    assert found is not None
    low, high = round(found[0]), round(found[1])
    covered = sum(low < sum(below) <= high for below in product((0, 1), repeat=n)) / 2**n
    narrower = sum(low + 1 < sum(below) <= high - 1 for below in product((0, 1), repeat=n)) / 2**n
    assert covered >= 0.95 > narrower


def test_the_quartiles_hold_half_of_the_times() -> None:
    timing = timing_of([100.0, 200.0, 300.0, 400.0, 500.0])
    assert (timing["median_ms"], timing["quartiles_ms"]) == (300.0, (200.0, 400.0))
