"""Intervals from few values hold what they say."""

import numpy as np
import pytest

from calibration.clocks.spread import middle_and_spread


@pytest.mark.parametrize("n", [3, 4, 5, 8, 12, 40])
def test_95_of_100_further_values_lie_within_the_spread_of_few(n: int) -> None:
    dice = np.random.default_rng(7)
    inside = 0
    for *few, further in dice.normal(size=(4000, n + 1)).tolist():
        middle, half = middle_and_spread(few)
        inside += abs(further - middle) <= half
    assert 0.938 < inside / 4000 < 0.98
