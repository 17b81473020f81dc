"""Intervals from few values hold what they say."""

import numpy as np
import pytest
from scipy.special import stdtrit

from calibration.clocks.spread import middle_and_spread, student_95


@pytest.mark.parametrize("n", [3, 4, 5, 8, 12, 40])
def test_95_of_100_further_values_lie_within_the_spread_of_few(n: int) -> None:
    dice = np.random.default_rng(7)
    inside = 0
    for *few, further in dice.normal(size=(4000, n + 1)).tolist():
        middle, half = middle_and_spread(few)
        inside += abs(further - middle) <= half
    assert 0.938 < inside / 4000 < 0.98


@pytest.mark.parametrize("freedom", [1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 1000.0])
def test_students_t_is_never_too_small_and_hardly_too_large(freedom: float) -> None:
    exact = float(stdtrit(freedom, 0.975))
    assert exact * 0.996 <= student_95(freedom) <= exact * 1.07
