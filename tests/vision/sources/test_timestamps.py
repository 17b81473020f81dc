"""Frame times from stamps that are true, foreign, made up or missing."""

import numpy as np
import pytest

from vision.sources.timestamps import ClockUsed, Stamper

FRAME_NS = 16_666_667
BOOT_NS = 3_000_000_000_000  # of our clock, far from the sender's


def play(
    stamper: Stamper, stamps_ns: list[int | None], delays_ns: list[int]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Feed frames made every FRAME_NS; return what came out, and when they were made on our clock."""
    made = [BOOT_NS + number * FRAME_NS for number in range(len(delays_ns))]
    timed = [
        stamper.stamp(t_ns + delay, stamp)
        for t_ns, delay, stamp in zip(made, delays_ns, stamps_ns, strict=True)
    ]
    return timed, made


def delays(frames: int, least_ms: float = 4.0, spread_ms: float = 3.0, seed: int = 1) -> list[int]:
    dice = np.random.default_rng(seed)
    return [round((least_ms + dice.exponential(spread_ms)) * 1e6) for _ in range(frames)]


def test_stamps_of_our_own_clock_are_taken_as_they_are() -> None:
    stamper = Stamper(60.0)
    stamps: list[int | None] = [BOOT_NS + number * FRAME_NS for number in range(120)]
    timed, made = play(stamper, stamps, delays(120))
    assert [t_ns for t_ns, _ in timed] == made
    assert stamper.used is ClockUsed.DRIVER
    assert all(0 < unc_ns <= 1_000_000 for _, unc_ns in timed)


def test_a_foreign_clock_is_laid_onto_ours_by_the_least_delay() -> None:
    stamper = Stamper(60.0)
    stamps: list[int | None] = [77_000_000_000 + number * FRAME_NS for number in range(200)]
    timed, made = play(stamper, stamps, delays(200))
    assert stamper.used is ClockUsed.SENDER
    late_ns = np.array([t_ns for t_ns, _ in timed]) - np.array(made)
    settled = late_ns[60:]
    assert np.ptp(settled) < 500_000  # frames are exact beside each other
    assert 4e6 <= settled.mean() < 5e6  # what they have in common is the least delay
    assert timed[5][1] >= FRAME_NS  # before the clock was seen to run nothing is promised


@pytest.mark.parametrize("rate", [0.5, 2.0])
def test_stamps_counted_at_a_rate_that_was_only_promised_are_caught(rate: float) -> None:
    stamper = Stamper(60.0)
    stamps: list[int | None] = [BOOT_NS + round(number * FRAME_NS * rate) for number in range(90)]
    play(stamper, stamps, delays(90, spread_ms=1.0))
    assert stamper.used is ClockUsed.ARRIVAL
    assert stamper.problem is not None
    assert f"{rate:.2f} times as fast" in stamper.problem
