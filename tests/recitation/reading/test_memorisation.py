"""The time to memorise: announced two minutes before its end and at its end, ended early by hand."""

import numpy as np
import pytest

from recitation.announcements.clips import announcement_wave
from recitation.playback.reciter import Reciter
from recitation.playback.reports import Act, Announced, Memorising, PhraseStarted, State, StateChanged
from recitation.playback.stream_clock import StreamClock
from recitation.playback.timeline import Timeline
from recitation.reading.memorisation import Announcement, MemoriseTimer
from recitation.reading.phrase import Phrase
from recitation.reading.plan import SAMPLE_RATE, Spacing
from recitation.reading.practice import steps
from recitation.reading.rhythm import DEFAULT
from recitation.sound.clip import Clip
from recitation.sound.loudness import loudness_lufs

S = 1_000_000_000


def test_fifteen_minutes_with_the_notice_at_thirteen() -> None:
    timer = MemoriseTimer(900.0)
    assert timer.due(0) is None
    timer.start(5 * S)
    assert timer.due(784 * S) is None
    assert timer.due(785 * S) is Announcement.TWO_MINUTES
    assert timer.due(786 * S) is None, "once"
    assert timer.due(904 * S) is None
    assert timer.due(905 * S) is Announcement.TIME
    assert timer.due(906 * S) is None


def test_two_minutes_or_less_have_no_notice() -> None:
    timer = MemoriseTimer(120.0)
    timer.start(0)
    assert timer.due(1) is None
    assert timer.due(120 * S) is Announcement.TIME


def test_an_impossible_time_is_refused() -> None:
    with pytest.raises(ValueError, match=r"0\.\.60 minutes, got 90"):
        MemoriseTimer(5400.0)


@pytest.mark.parametrize("announcement", Announcement)
def test_announcements_are_sound(announcement: Announcement) -> None:
    wave = announcement_wave(announcement)
    assert 2.0 < len(wave) / SAMPLE_RATE < 6.0
    assert abs(loudness_lufs(wave) + 20) < 1.5
    assert np.abs(wave).max() < 1.0


class Silence:
    """A voice without a sound."""

    name, rhythm = "silence", DEFAULT

    def samples(self, phrase: Phrase) -> int:
        return SAMPLE_RATE

    def clip(self, phrase: Phrase) -> Clip:
        return Clip(np.zeros(SAMPLE_RATE, np.float32))


class Table:
    """A reciter whose clock moves only with its samples; blocks of a tenth of a second."""

    def __init__(self, memorise_s: float) -> None:
        self.sample = 0
        self.clock, self.timeline = StreamClock(), Timeline()
        self.reciter = Reciter(
            steps([17], joka=False),
            Silence(),
            self.timeline,
            self.clock,
            lambda: self.sample * S // SAMPLE_RATE,
            Spacing(lead_s=0.1, wait_s=1.0),
            memorise_s=memorise_s,
        )
        self.told: list[tuple[float, object]] = []

    def run(self, seconds: float) -> None:
        block = np.zeros(SAMPLE_RATE // 10, np.float32)
        for _ in range(round(10 * seconds)):
            self.reciter.tick()
            self.clock.observe(self.sample, self.sample * S // SAMPLE_RATE)
            self.timeline.fill(block, self.sample)
            self.sample += len(block)
            while self.reciter.reports:
                self.told.append((self.sample / SAMPLE_RATE, self.reciter.reports.popleft()))

    def seconds_of(self, kind: type) -> list[float]:
        return [at_s for at_s, report in self.told if isinstance(report, kind)]


def test_the_reading_begins_when_the_time_is_over() -> None:
    table = Table(150.0)
    table.run(170.0)
    assert [report for _, report in table.told[:2]] == [
        Memorising(150 * S),
        StateChanged(State.MEMORISING, 0),
    ]
    notice_s, time_s = table.seconds_of(Announced)
    assert notice_s == pytest.approx(30.0, abs=0.2)
    assert time_s == pytest.approx(150.0, abs=0.2)
    words_s = len(announcement_wave(Announcement.TIME)) / SAMPLE_RATE
    assert table.seconds_of(PhraseStarted)[0] == pytest.approx(150.0 + words_s, abs=0.5)


def test_players_who_are_ready_begin_at_once() -> None:
    table = Table(900.0)
    table.run(10.0)
    table.reciter.do(Act.GO)
    table.run(2.0)
    assert table.seconds_of(PhraseStarted)[0] == pytest.approx(10.2, abs=0.2)
    assert table.seconds_of(Announced) == []
