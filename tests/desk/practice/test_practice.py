"""A practice from the field to the list of slow cards: the order of poems, and the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from desk.book.book import Book
from desk.errors import EventLogError
from desk.log.event_log import EventLog
from desk.practice.events import CODEC, Attempt, Outcome, PracticeOpened
from desk.practice.plan import Plan
from referee.facts import FieldSettled, KimarijiCompleted, PoemStarted, Touch
from tests.desk.practice.scripted_practice import FIELD, Evening


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Callable[..., Evening]]:
    """Begins practices; where it `reads`, the field lies and the reading has begun."""
    begun: list[Evening] = []

    def evening(*, reads: bool = True, **wish: Any) -> Evening:
        begun.append(Evening(tmp_path, Plan(seed=1, **wish)))
        if reads:
            begun[-1].lay()
            assert begun[-1].practice.do("start") is None
        return begun[-1]

    yield evening
    for each in begun:
        each.practice.close()


def test_without_a_card_nothing_is_read(evening: Callable[..., Evening]) -> None:
    alone = evening(reads=False)
    assert alone.practice.do("start") == "no_field"
    assert alone.practice.do("next") == "not_now"
    with pytest.raises(KeyError):
        alone.practice.do("dance")
    assert alone.voice is None


def test_only_the_proposed_cards_that_lie_there_are_read_and_look_alikes_beside_them(
    evening: Callable[..., Evening],
) -> None:
    alone = evening(wanted=(66, 88, 1), karafuda=1)
    assert alone.voice is not None
    assert {66, 88} <= set(alone.voice.order)
    (karafuda,) = set(alone.voice.order) - {66, 88}
    assert FIELD.find(karafuda) is None
    assert alone.practice.now()["karafuda"] == 1


def test_each_take_is_timed_from_the_end_of_its_kimariji_and_kept_in_the_book(
    evening: Callable[..., Evening], tmp_path: Path
) -> None:
    alone = evening(wanted=(17, 66), by_hand=True)
    first = alone.hear()
    # no other poem was read: 17 is known by its second mora (ちは), 66 by its second (もろ)
    alone.see(first, (first, 400 + 310))
    now = alone.practice.now()
    assert now["attempts"][-1]["ms"] == pytest.approx(310, abs=0.1)
    assert now["awaits"] == "by_hand"
    alone.wait(10.0)
    assert alone.practice.do("next") is None
    second = alone.hear()
    alone.see(second, (88, 500))
    assert alone.practice.now()["attempts"][-1]["lure"] == 88
    alone.practice.do("end")
    ended = alone.practice.now()
    assert [each["poem"] for each in ended["slow"]] == [second]
    book = Book(tmp_path)
    figures = book.figures("Hana")
    assert figures is not None
    assert figures["practice"] is not None
    assert (figures["practice"]["sessions"], figures["practice"]["lured"]) == (1, 1)
    assert figures["practice"]["takes"]["won"] == 1
    assert figures["practice"]["reaction"]["median_ms"] == pytest.approx(310, abs=0.1)
    assert figures["matches"] == 0
    assert [player["practices"] for player in book.players()] == [1]
    book.close()


@pytest.mark.parametrize(("obstacle", "awaits"), [("hand", "hand"), ("motion", "motion"), ("", "reading")])
def test_it_says_what_keeps_a_poem_open(evening: Callable[..., Evening], obstacle: str, awaits: str) -> None:
    alone = evening()
    alone.hear()
    alone.eye.obstacle = obstacle
    assert alone.practice.now()["awaits"] == awaits


def test_the_reader_reads_on_once_the_field_is_tidied(evening: Callable[..., Evening]) -> None:
    alone = evening()
    first = alone.hear()
    assert alone.voice is not None
    alone.see(first, (first, 700))
    alone.wait(5.0)
    assert alone.voice.asked == 1, "cards still lie about"
    alone.lay(FIELD.without(first))
    alone.wait(0.1)
    assert alone.hear() != first


def test_the_reader_reads_on_where_nobody_reaches_for_a_card(evening: Callable[..., Evening]) -> None:
    alone = evening(patience_s=3.0)
    first = alone.hear()
    assert alone.voice is not None
    alone.wait(6.0)  # the half is four seconds long
    assert alone.voice.asked == 1
    alone.wait(2.0)
    alone.see(first)  # the eye closes a poem without touches when the next one begins
    assert alone.practice.now()["attempts"][-1]["outcome"] == "missed"
    assert alone.voice.asked == 2, "it is asked once"


def test_next_is_pressed_once_for_a_poem(evening: Callable[..., Evening]) -> None:
    alone = evening(by_hand=True)
    assert alone.practice.do("next") == "not_now", "the first poem is on its way"
    first = alone.hear()
    alone.see(first, (first, 700))
    assert alone.practice.do("next") is None
    assert alone.practice.do("next") == "not_now"
    assert alone.voice is not None
    assert alone.voice.asked == 2


def test_nobody_waits_for_the_book_while_it_reads(tmp_path: Path) -> None:
    alone = Evening(tmp_path, Plan())
    reads, answers = Event(), Event()

    def due_days() -> dict[int, str]:
        reads.set()
        assert answers.wait(5)
        return {}

    alone.practice._due_days = due_days
    ending = Thread(target=alone.practice.do, args=("end",))
    ending.start()
    assert reads.wait(5)
    with ThreadPoolExecutor(1) as page:
        assert page.submit(alone.practice.now).result(5)["state"] == "ended"
        answers.set()
    ending.join(5)
    alone.practice.close()


def test_a_practice_whose_log_takes_nothing_does_not_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_log: EventLog, _entries: object) -> None:
        raise EventLogError("disk full")

    monkeypatch.setattr(EventLog, "append", full)
    with pytest.raises(EventLogError):
        Evening(tmp_path, Plan())


def test_a_paused_practice_hears_nothing_and_goes_on_where_it_stood(evening: Callable[..., Evening]) -> None:
    alone = evening(by_hand=True)
    assert alone.practice.do("pause") is None
    assert alone.practice.now()["state"] == "paused"
    assert alone.practice.stands_still
    assert alone.practice.do("pause") == "not_now"
    assert alone.practice.do("resume") is None
    alone.hear()


def test_a_poem_in_which_the_voice_stood_still_is_not_timed(evening: Callable[..., Evening]) -> None:
    alone = evening(by_hand=True)
    first = alone.hear()
    alone.practice.do("pause")
    alone.practice.do("resume")
    alone.see(first, (first, 700))
    (attempt,) = alone.practice.now()["attempts"]
    assert (attempt["outcome"], attempt["ms"]) == ("taken", None)


def test_an_attempt_that_cannot_be_kept_does_not_count(
    evening: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = evening(by_hand=True)
    first = alone.hear()

    def full(_entries: object) -> None:
        raise EventLogError("disk full")

    with monkeypatch.context() as patched:
        patched.setattr(alone.log, "append", full)
        alone.see(first, (first, 700))
        assert alone.practice.now()["problem"] == "not_kept"
    assert alone.practice.now()["attempts"] == []
    alone.practice.do("next")
    alone.see(alone.hear(), (5, 900))
    assert alone.practice.now()["problem"] is None


def test_every_event_of_a_practice_is_read_back(evening: Callable[..., Evening], tmp_path: Path) -> None:
    alone = evening(by_hand=True)
    first = alone.hear()
    alone.see(first, (first, 900))
    alone.practice.close()
    with EventLog.read(tmp_path / "practice_1.sqlite") as log:
        events = [CODEC.decode(entry.kind, entry.version, entry.payload) for entry in log.entries()]
    kinds = [type(event) for event in events]
    assert kinds[0] is PracticeOpened
    assert {PoemStarted, KimarijiCompleted, Touch, FieldSettled} <= set(kinds)
    (attempt,) = [event for event in events if isinstance(event, Attempt)]
    assert (attempt.poem, attempt.outcome) == (first, Outcome.TAKEN)
