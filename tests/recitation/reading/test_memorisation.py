"""The time to memorise: announced two minutes before its end and at its end, ended early by hand."""

import pytest

from recitation.announcements.clips import announcement_wave
from recitation.playback.reports import Announced, Memorising, PhraseStarted, State, StateChanged
from recitation.reading.memorisation import Announcement, MemoriseTimer
from recitation.reading.plan import SAMPLE_RATE
from tests.recitation.playback.quiet_table import Table

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


def test_the_reading_begins_when_the_time_is_over() -> None:
    table = Table(memorise_s=121.0)
    table.run(130.0)
    assert [report for _, report in table.told[:2]] == [
        Memorising(121 * S),
        StateChanged(State.MEMORISING, 0),
    ]
    notice_s, time_s = table.seconds_of(Announced)
    assert notice_s == pytest.approx(1.0, abs=0.2)
    assert time_s == pytest.approx(121.0, abs=0.2)
    words_s = len(announcement_wave(Announcement.TIME)) / SAMPLE_RATE
    assert table.seconds_of(PhraseStarted)[0] == pytest.approx(121.0 + words_s + 0.5, abs=0.2)
