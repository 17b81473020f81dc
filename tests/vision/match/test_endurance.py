"""A match goes on although the eye failed in one of its poems."""

from typing import Any

import pytest

from referee.facts import FieldSettled, Gap, PoemStarted, Testimony
from vision.contact.facts import may_be_touch
from vision.match.endurance import Endurance, SkippedLooks, error_line
from vision.match.live_watcher import LiveEvent, LiveWatch
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen
from vision.poem.watcher import PoemWatcher
from vision.simulator import SimulatedMatch

S = 1_000_000_000


def fail() -> list[Any]:
    raise KeyError("a picture " * 1000)


def test_an_eye_that_fails_at_once_again_is_broken() -> None:
    failures: list[str] = []
    endurance = Endurance(MatchWatcher(), failures)
    assert endurance.tried(list, 0) == []
    assert endurance.tried(fail, 1 * S) == []
    assert endurance.tried(fail, 7 * S) == []
    with pytest.raises(KeyError):
        endurance.tried(fail, 8 * S)
    assert len(failures) == 2
    assert "KeyError, test_endurance.py:" in failures[0]
    assert len(failures[0]) < 400
    assert error_line(ValueError("why")) == "why (ValueError)"


@pytest.fixture
def match() -> SimulatedMatch:
    return SimulatedMatch(11, fps=30, size=(640, 360), cards_per_side=5)


@pytest.mark.slow
def test_the_poem_goes_to_the_officials_and_the_next_one_is_judged(
    match: SimulatedMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = [PoemStarted(one.poem, round(one.t_ms * 1e6), 10_000_000) for one in match.readings][:3]
    starts, events, failed = list(readings), list[LiveEvent](), list[PoemStarted]()
    look, watch = PoemWatcher.finish, LiveWatch()

    def broken(self: PoemWatcher, **how: bool) -> list[Testimony]:
        if starts == readings[2:] and not failed:
            failed.append(readings[1])
            raise IndexError("the second poem")
        return look(self, **how)

    monkeypatch.setattr(PoemWatcher, "finish", broken)
    for frame in match:
        while starts and starts[0].t_ns <= frame.t_ns:
            events += watch.poem_started(starts.pop(0))
        events += watch.feed(frame)
        if sum(isinstance(event, PoemSeen) for event in events) == 3:
            break
    assert failed
    first, second, third = (event for event in events if isinstance(event, PoemSeen))
    assert [first.start, second.start, third.start] == readings
    assert [fact.reason for fact in second.facts if isinstance(fact, Gap)] == ["eye_failed"]
    assert not [fact for fact in (*first.facts, *third.facts) if isinstance(fact, Gap)]
    assert [fact for fact in third.facts if may_be_touch(fact)]
    between = events[events.index(second) : events.index(third)]
    assert any(isinstance(event, FieldSettled) for event in between), "the field was read anew"
    assert [failure.partition(",")[0] for failure in watch.failures] == ["the second poem (IndexError"]


def test_looks_that_fail_are_left_out_until_many_fail() -> None:
    looks = SkippedLooks()
    assert looks.tried(lambda: [7], 0) == [7]
    assert [looks.tried(fail, t_s * S) for t_s in (1, 2, 3, 4, 5)] == [[]] * 5
    assert looks.tried(lambda: [8], 6 * S) == [8]
    with pytest.raises(KeyError):
        looks.tried(fail, 10 * S)
    assert looks.tried(fail, 12 * S) == [], "the first of the five is ten seconds ago"
    assert "KeyError, test_endurance.py:" in looks.failures[0]
    assert len(looks.failures) == 6
    assert all(len(failure) < 400 for failure in looks.failures)
