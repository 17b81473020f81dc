"""The instant at which a sample is heard: exact without jitter, within the stated uncertainty with it."""

import random

from recitation.playback.stream_clock import StreamClock
from recitation.reading.plan import sample_to_ns

START_NS = 987_654_321_000


def test_without_jitter_the_instant_is_exact() -> None:
    clock = StreamClock()
    for sample in range(0, 48_000, 480):
        clock.observe(sample, START_NS + sample_to_ns(sample))
    assert clock.instant(96_000) == (START_NS + 2_000_000_000, 100_000)


def test_the_truth_lies_within_the_uncertainty() -> None:
    dice = random.Random(4)
    hits = 0
    for _ in range(200):
        clock = StreamClock()
        for sample in range(0, 48_000, 480):
            clock.observe(sample, START_NS + sample_to_ns(sample) + round(dice.gauss(0, 400_000)))
        t_ns, t_unc_ns = clock.instant(48_000)
        assert t_unc_ns < 1_500_000
        hits += abs(t_ns - START_NS - 1_000_000_000) <= t_unc_ns
    assert hits >= 190


def test_nothing_is_relied_on_while_the_buffer_is_only_being_filled() -> None:
    clock = StreamClock(settle_samples=72_000)
    settled = []
    for sample in range(0, 78_000, 6_000):
        slept_ns = 0 if sample < 24_000 else 1_170_000_000
        clock.observe(sample, START_NS + sample_to_ns(sample) + slept_ns)
        settled.append(clock.is_settled)
    assert settled == [False] * 12 + [True], "the buffer, and a second that was really played"
    assert clock.instant(4_800)[0] == START_NS + sample_to_ns(4_800) + 1_170_000_000


def test_one_late_callback_moves_nothing() -> None:
    clock = StreamClock()
    for sample in range(0, 48_000, 480):
        late_ns = 90_000_000 if sample in {24_000, 24_480} else 0
        clock.observe(sample, START_NS + sample_to_ns(sample) + late_ns)
    assert clock.instant(96_000) == (START_NS + 2_000_000_000, 100_000)


def test_a_step_that_is_seen_only_at_the_end_widens_the_uncertainty() -> None:
    clock = StreamClock()
    for sample in range(0, 48_000, 480):
        late_ns = 12_000_000 if sample >= 46_000 else 0
        clock.observe(sample, START_NS + sample_to_ns(sample) + late_ns)
    t_ns, t_unc_ns = clock.instant(96_000)
    assert (t_ns, t_unc_ns) == (START_NS + 2_000_000_000, 12_000_000)


def test_a_calibrated_latency_is_added_with_its_own_uncertainty() -> None:
    clock = StreamClock(latency_ns=12_000_000, latency_unc_ns=500_000)
    for _ in range(3):
        clock.observe(0, START_NS)
    assert clock.instant(0) == (START_NS + 12_000_000, 600_000)
