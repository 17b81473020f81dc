"""The timeline: sample-exact mixing, and a clock that stands still while paused."""

import numpy as np
import pytest

from recitation.playback.timeline import Timeline
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import Cue
from recitation.sound.clip import Wave

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
