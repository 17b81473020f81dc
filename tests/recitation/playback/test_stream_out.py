"""Sound for a remote loudspeaker: blocks in order, and the browser's reports of when they were heard."""

import time

import numpy as np
import pytest

from recitation.playback.sound_out import Heard, StreamOut
from recitation.playback.timeline import Timeline
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, Cue

pytestmark = pytest.mark.live

S = 1_000_000_000

BLOCK = StreamOut.block


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


def test_the_browsers_word_replaces_the_guess() -> None:
    out = StreamOut(Timeline())
    out.clock.observe(0, 1)
    for sample in (0, SAMPLE_RATE, 2 * SAMPLE_RATE):
        out.heard(Heard(sample, 7 * S + sample * S // SAMPLE_RATE, 3_000_000))
    assert out.clock.instant(4 * SAMPLE_RATE) == (11 * S, 3_100_000)


def test_an_underrun_in_the_browser_moves_all_that_follows() -> None:
    out = StreamOut(Timeline())
    for sample in (0, SAMPLE_RATE, 2 * SAMPLE_RATE):
        out.heard(Heard(sample, 7 * S + sample * S // SAMPLE_RATE, 3_000_000))
    for sample in (3 * SAMPLE_RATE, 4 * SAMPLE_RATE, 5 * SAMPLE_RATE):
        out.heard(Heard(sample, 8 * S + sample * S // SAMPLE_RATE, 3_000_000, underruns=1))
    assert out.underruns == 1
    assert out.clock.instant(6 * SAMPLE_RATE)[0] == 14 * S
