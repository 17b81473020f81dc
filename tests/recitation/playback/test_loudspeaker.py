"""Two loudspeakers play in sync at a scheduled instant."""

import time

import pytest

from recitation.playback.loudspeaker import Loudspeaker, Sounded
from recitation.playback.player import ReadingSettings
from recitation.playback.reports import Failed, Opened
from recitation.reading.phrase import Half, Phrase

pytestmark = pytest.mark.live
PHRASE = Phrase(17, Half.KAMI)
MS = 1_000_000


def sounded(loudspeaker: Loudspeaker, limit_s: float = 10.0) -> Sounded:
    ends_s = time.monotonic() + limit_s
    while time.monotonic() < ends_s:
        for report in loudspeaker.reports(0.05):
            assert not isinstance(report, Failed), report
            if isinstance(report, Sounded):
                return report
    raise TimeoutError("nothing sounded")


def test_two_loudspeakers_sound_as_one_at_their_instant() -> None:
    both = [Loudspeaker(ReadingSettings(silent=True)) for _ in range(2)]
    try:
        for loudspeaker in both:
            (opened,) = loudspeaker.reports(15.0)
            assert isinstance(opened, Opened)
        t_ns = time.perf_counter_ns() + 800 * MS
        for loudspeaker in both:
            loudspeaker.play(PHRASE, t_ns)
        for loudspeaker in both:
            told = sounded(loudspeaker)
            assert told.phrase == PHRASE
            assert abs(told.t_ns - t_ns) < 1 * MS
    finally:
        for loudspeaker in both:
            loudspeaker.close()
