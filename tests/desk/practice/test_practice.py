"""A practice from the field to the list of slow cards: the order of poems, the log, and each outcome."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from desk.book.book import Book
from desk.errors import EventLogError
from desk.log.event_log import EventLog
from desk.practice.attempt import attempt_at, slow_attempts
from desk.practice.events import Attempt, Outcome
from desk.practice.plan import Plan
from referee.cards.poems import POEMS
from referee.facts import Gap, KimarijiCompleted, PoemStarted, Testimony, Touch
from referee.notation import parse_layout
from referee.sides import Side
from tests.desk.practice.scripted_practice import FIELD, MS, Evening
from vision.poem.events import PoemSeen


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


def touch(card: int, ms: float, player: Side | None = Side.NEAR, unc_ms: float = 3.0) -> Touch:
    return Touch(card, player, round(ms * MS), round(unc_ms * MS), territory=Side.NEAR)


def attempt(poem: int, *facts: Testimony, said_ms: float | None = 400.0) -> Attempt:
    before: Any = type("Reading", (), {"layout": FIELD})
    start = PoemStarted(poem, 0, MS)
    decided = None if said_ms is None else KimarijiCompleted(poem, round(said_ms * MS), 4 * MS)
    gaps = [fact for fact in facts if isinstance(fact, Gap)]  # which the eye does not know of
    seen = tuple(fact for fact in facts if not isinstance(fact, Gap))
    return attempt_at(PoemSeen(start, before, seen, 9_000 * MS), Side.NEAR, frozenset(POEMS), decided, gaps)


def test_a_take_has_its_time_and_how_sure_it_is() -> None:
    found = attempt(17, touch(17, 650))
    assert (found.outcome, found.reaction_ns, found.reaction_unc_ns) == (Outcome.TAKEN, 250 * MS, 5 * MS)
    assert found.kimariji == "ちは"
    assert attempt(17, touch(17, 300)).reaction_ns == -100 * MS


def test_cards_swept_away_beside_the_one_that_was_read_are_no_mistake() -> None:
    found = attempt(17, touch(66, 640), touch(17, 650))
    assert (found.outcome, found.lure) == (Outcome.TAKEN, None)


def test_a_take_of_which_nobody_knows_when_it_could_be_known_has_no_time() -> None:
    assert attempt(17, touch(17, 650), said_ms=None) == Attempt(17, Outcome.TAKEN, "ちは")


@pytest.mark.parametrize(
    ("poem", "facts", "outcome", "lure"),
    [
        (17, (), Outcome.MISSED, None),
        (17, (touch(88, 700), touch(5, 900)), Outcome.LURED, 88),
        (1, (touch(9, 700),), Outcome.LURED, 9),
        (1, (), Outcome.LEFT, None),
        (17, (touch(17, 700, Side.FAR),), Outcome.UNCLEAR, None),
        (17, (touch(17, 700, None),), Outcome.UNCLEAR, None),
        (17, (touch(17, -200),), Outcome.UNCLEAR, None),
        (17, (touch(17, 700), Gap(0, 800 * MS, "view_blocked")), Outcome.UNCLEAR, None),
        (17, (touch(17, 1000), Gap(500 * MS, 1100 * MS, "camera_knocked")), Outcome.UNCLEAR, None),
    ],
)
def test_outcomes(poem: int, facts: tuple[Testimony, ...], outcome: Outcome, lure: int | None) -> None:
    found = attempt(poem, *facts)
    assert (found.outcome, found.lure) == (outcome, lure)
    assert found.reaction_ns is None
    assert bool(found.doubts) is (outcome is Outcome.UNCLEAR)


def test_a_card_that_is_touched_long_after_the_take_makes_no_take_unclear() -> None:
    both = parse_layout("near 17 66|/5 88|/9| far 51|/|/|")
    after = replace(touch(51, 2200), territory=Side.FAR)
    before: Any = type("Reading", (), {"layout": both})
    seen = PoemSeen(PoemStarted(17, 0, MS), before, (touch(17, 650), after), 9_000 * MS)
    found = attempt_at(seen, Side.NEAR, frozenset(POEMS), KimarijiCompleted(17, 400 * MS, 4 * MS))
    assert (found.outcome, found.doubts) == (Outcome.TAKEN, ())


def test_slow_cards_are_those_that_failed_then_the_slowest() -> None:
    def take(poem: int, ms: int) -> Attempt:
        return Attempt(poem, Outcome.TAKEN, "", ms * MS, MS)

    tried = [
        take(1, 200),
        take(2, 900),
        take(3, 300),
        Attempt(4, Outcome.MISSED, ""),
        take(5, 400),
        Attempt(6, Outcome.UNCLEAR, ""),
        Attempt(7, Outcome.LEFT, ""),
        take(2, 250),
    ]
    assert [each.poem for each in slow_attempts(tried)] == [4, 2, 5]
    assert slow_attempts([take(1, 200)]) == []
