"""The instant at which a sample is heard: exact without jitter, within the stated uncertainty with it."""

import random
import time

import numpy as np
import pytest

from recitation.playback.sound_out import Heard, StreamOut
from recitation.playback.stream_clock import StreamClock
from recitation.playback.timeline import Timeline
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, Cue, sample_to_ns
from recitation.sound.clip import Wave

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


S = 1_000_000_000

BLOCK = StreamOut.block


@pytest.mark.live
def test_blocks_hold_the_timeline_in_order() -> None:
    timeline = Timeline()
    ramp = np.linspace(-0.9, 0.9, 2 * BLOCK).astype(np.float32)
    timeline.schedule([(Cue(Phrase(17, Half.KAMI), BLOCK // 2, len(ramp)), ramp)])
    out = StreamOut(timeline)
    out.start()
    deadline_s = time.monotonic() + 10
    while len(out.blocks) < 4 and time.monotonic() < deadline_s:
        time.sleep(0.02)
    out.close()
    blocks = list(out.blocks)[:4]
    assert [block.sample for block in blocks] == [0, BLOCK, 2 * BLOCK, 3 * BLOCK]
    wave = np.concatenate([np.frombuffer(block.data, "<i2") for block in blocks]) / 32_767
    assert np.allclose(wave[BLOCK // 2 : BLOCK // 2 + len(ramp)], ramp, atol=1e-4)
    assert timeline.started[0].stream_sample == BLOCK // 2


def test_an_underrun_in_the_browser_moves_all_that_follows() -> None:
    out = StreamOut(Timeline())
    for sample in (0, SAMPLE_RATE, 2 * SAMPLE_RATE):
        out.heard(Heard(sample, 7 * S + sample * S // SAMPLE_RATE, 3_000_000))
    for sample in (3 * SAMPLE_RATE, 4 * SAMPLE_RATE, 5 * SAMPLE_RATE):
        out.heard(Heard(sample, 8 * S + sample * S // SAMPLE_RATE, 3_000_000, underruns=1))
    assert out.underruns == 1
    assert out.clock.instant(6 * SAMPLE_RATE)[0] == 14 * S


KAMI, SHIMO = Phrase(1, Half.KAMI), Phrase(1, Half.SHIMO)


class Stream:
    """Pulls blocks of odd sizes from a timeline, as sound cards do."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.heard: list[Wave] = []
        self.sample = 0

    def pull(self, frames: int, block: int = 479) -> Wave:
        start = len(self.wave)
        while frames > 0:
            buffer = np.full(min(block, frames), np.nan, dtype=np.float32)
            self.timeline.fill(buffer, self.sample)
            self.sample += len(buffer)
            frames -= len(buffer)
            self.heard.append(buffer)
        return self.wave[start:]

    @property
    def wave(self) -> Wave:
        return np.concatenate(self.heard) if self.heard else np.zeros(0, np.float32)


def ones(length: int) -> Wave:
    return np.ones(length, dtype=np.float32)


@pytest.fixture
def timeline() -> Timeline:
    made = Timeline()
    made.schedule([(Cue(KAMI, 1_000, 5_000), ones(5_000)), (Cue(SHIMO, 8_000, 6_000), ones(6_000))])
    return made


@pytest.mark.parametrize("block", [1_000, 479, 7, 20_000])
def test_clips_begin_and_end_to_the_sample(timeline: Timeline, block: int) -> None:
    wave = Stream(timeline).pull(20_000, block)
    assert not wave[:1_000].any()
    assert (wave[1_000:6_000] == 1).all()
    assert not wave[6_000:8_000].any()
    assert (wave[8_000:14_000] == 1).all()
    assert not wave[14_000:].any()
    assert [(start.cue.phrase, start.stream_sample) for start in timeline.started] == [
        (KAMI, 1_000),
        (SHIMO, 8_000),
    ]
    assert timeline.is_idle


def test_a_pause_loses_nothing_and_moves_what_comes_after(timeline: Timeline) -> None:
    stream = Stream(timeline)
    stream.pull(2_000)
    timeline.pause()
    assert timeline.is_paused
    faded = stream.pull(3_000)
    assert faded[0] > 0.9
    assert not faded[2_000:].any()
    stood_still = timeline.position
    stream.pull(50_000)
    assert timeline.position == stood_still
    timeline.resume()
    stream.pull(20_000)
    waited = stream.sample - timeline.position
    assert [start.stream_sample for start in timeline.started] == [1_000, 8_000 + waited]
    second = stream.wave[8_000 + waited : 14_000 + waited]
    assert (second == 1).all()


def test_stop_fades_and_forgets(timeline: Timeline) -> None:
    stream = Stream(timeline)
    stream.pull(2_000)
    timeline.stop(fade_s=0.05)
    assert not timeline.is_idle
    faded = stream.pull(4_000, 240)
    assert np.all(np.diff(faded[:2_400]) <= 0), "it only gets softer"
    assert faded[1_200] == pytest.approx(0.5, abs=0.01)
    assert not stream.pull(20_000).any()
    timeline.schedule([(Cue(KAMI, 0, 100), ones(100))])
    assert (stream.pull(100) == 1).all(), "what comes next is not faded"


def test_volume_moves_without_a_click(timeline: Timeline) -> None:
    stream = Stream(timeline)
    stream.pull(2_000)
    timeline.set_volume(0.25)
    wave = stream.pull(3_000)
    assert np.abs(np.diff(wave)).max() < 0.002
    assert wave[-1] == 0.25
