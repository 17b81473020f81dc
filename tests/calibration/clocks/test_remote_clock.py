"""Another machine's clock: bounds by round trips hold whatever the network does."""

import random

import numpy as np
import pytest

from calibration.clocks.remote_clock import RemoteClock
from calibration.clocks.spread import middle_and_spread

MS = 1_000_000
AHEAD_NS = 5_000_000_000_000


def ask(clock: RemoteClock, t_ns: int, there_ms: float, back_ms: float, offset_ns: float = 0) -> None:
    """Let an answer take so long each way; the other clock is `AHEAD_NS` behind, and `offset_ns` on top."""
    heard_ns = t_ns + round(there_ms * MS)
    clock.answered(t_ns, heard_ns - AHEAD_NS - round(offset_ns), heard_ns + round(back_ms * MS))


def test_the_truth_lies_in_the_interval_whatever_the_ways_take() -> None:
    dice = random.Random(3)
    outside = widest_ns = 0
    for _ in range(50):
        clock, drift = RemoteClock(), dice.uniform(-50e-6, 50e-6)
        for number in range(300):
            t_ns = number * 200 * MS
            # pictures hold up the way here: it takes longer than the way there, and now and then much longer
            ways = dice.uniform(0.5, 4), dice.uniform(1, 9) + 250 * (dice.random() < 0.05)
            ask(clock, t_ns, *ways, offset_ns=drift * t_ns)
            if clock.is_known:
                laid = clock.laid_onto(t_ns - AHEAD_NS - round(drift * t_ns))
                outside += abs(laid.t_ns - t_ns) > laid.t_unc_ns
        widest_ns = max(widest_ns, laid.t_unc_ns)
    assert outside == 0
    assert widest_ns < 4 * MS


def test_neighbouring_instants_keep_their_distance() -> None:
    dice = random.Random(4)
    clock, steps_ns = RemoteClock(), []
    before_ns = None
    for number in range(400):
        ask(clock, number * 200 * MS, dice.uniform(0.5, 9), dice.uniform(0.5, 9))
        if clock.is_known:
            now_ns = clock.laid_onto(0).t_ns
            steps_ns.append(0 if before_ns is None else abs(now_ns - before_ns))
            before_ns = now_ns
    assert max(steps_ns[20:]) < 0.05 * MS, "a step of the offset would be motion that nobody made"


def test_a_clock_that_jumped_is_measured_anew() -> None:
    clock = RemoteClock()
    for number in range(10):
        ask(clock, number * 200 * MS, 1, 1)
    assert clock.is_known
    ask(clock, 2_000 * MS, 1, 1, offset_ns=3_000 * MS)
    assert (clock.jumps, clock.is_known) == (1, False)
    with pytest.raises(ValueError, match="5 answers are needed, 1 came"):
        clock.laid_onto(0)


@pytest.mark.parametrize("n", [3, 4, 5, 8, 12, 40])
def test_95_of_100_further_values_lie_within_the_spread_of_few(n: int) -> None:
    dice = np.random.default_rng(7)
    inside = 0
    for *few, further in dice.normal(size=(4000, n + 1)).tolist():
        middle, half = middle_and_spread(few)
        inside += abs(further - middle) <= half
    assert 0.938 < inside / 4000 < 0.98
