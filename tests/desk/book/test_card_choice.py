"""The cards that the book proposes, and the days of their next reviews."""

from datetime import date, timedelta

from fsrs import Rating

from benchmarks.book.reviews import memories
from desk.book.card_choice import Confusion, Record, choose
from desk.book.memory import Pace, Result, Schedule, Trial, remembered, reviewed, scheduled
from desk.panel.book.port import CardSet
from referee.cards.poems import POEMS

TODAY = date(2026, 11, 28)
TWO_SOUNDS = [poem for poem in POEMS if len(POEMS[poem].kimariji) == 2]


def trial(
    poem: int, days_ago: int, ms: float | None, result: Result = Result.TAKEN, *, alone: bool = False
) -> Trial:
    return Trial(TODAY - timedelta(days=days_ago), poem, result, ms, alone)


STEADY = [trial(poem, 40, 100.0 + 10 * poem) for poem in range(1, 41)]
"""Forty cards taken once, forty days ago: the first the fastest."""


def chosen(
    which: CardSet, trials: list[Trial], confusions: tuple[Confusion, ...] = (), count: int = 5
) -> list[int]:
    record = Record(sorted(trials, key=lambda each: each.day), confusions)
    return [card["poem"] for card in choose(record, which, count, TODAY)]


def test_the_same_book_gives_the_same_days_whenever_it_was_read() -> None:
    sittings = [
        trial(poem, days, 200.0 + 37 * (poem * days % 11), Result.TAKEN if poem % 4 else Result.LOST)
        for days in range(60, 0, -6)
        for poem in range(1, 31)
    ]
    whole = reviewed(sittings, scheduled(sittings))
    known: Schedule | None = None
    for upto in (10, 45, 90, 91, 200, 300):  # in the midst of a day, too
        known = scheduled(sittings[:upto], known)
        assert len(known.trials) == (upto - 1) // 30 * 30, "the latest day may go on"
        assert reviewed(sittings, scheduled(sittings, known)) == whole
    assert memories(sittings, TODAY) == remembered(whole, TODAY)
    for others in (sittings[30:], [trial(7, 70, 300.0), *sittings], []):  # deleted, or handed in later
        assert scheduled(others, known) == scheduled(others)


def test_a_lost_card_says_nothing_of_memory_unless_nobody_reached_for_it() -> None:
    one = TWO_SOUNDS[0]
    pace = Pace(trial(poem, 1, 100.0 + 10 * poem) for poem in TWO_SOUNDS)
    for ms in (120.0, 900.0, 2999.0, None):
        assert pace.grade(trial(one, 1, ms, Result.LOST)) is None
    assert pace.grade(trial(one, 1, 3000.0, Result.LOST)) is Rating.Again
    assert pace.grade(trial(one, 1, None)) is Rating.Good
    assert [pace.grade(trial(one, 1, ms)) for ms in (50.0, 600.0, 1200.0)] == [
        Rating.Easy,
        Rating.Good,
        Rating.Hard,
    ]
    assert Pace(trial(one, 1, ms) for ms in (1.0, 2.0)).grade(trial(one, 1, 9999.0)) is Rating.Good


def test_due_cards_come_the_longest_due_first_from_the_day_that_was_told() -> None:
    trials = [*STEADY, trial(7, 0, 150.0)]
    due = chosen("due", trials, count=100)
    kept = memories(trials, TODAY)
    assert 7 not in due
    assert due == sorted(due, key=lambda poem: (kept[poem].recall, poem))
    assert set(due) == {poem for poem, memory in kept.items() if memory.due <= TODAY}
    assert due
    record = Record([trial(7, 0, 150.0)], ())
    for day in range(1, 5):
        later = TODAY + timedelta(days=day)
        is_due = bool(choose(record, "due", 5, later))
        assert is_due is (later >= remembered(record.cards, later)[7].due)


def test_slow_cards_give_way_while_they_were_just_practised() -> None:
    assert chosen("slowest", STEADY) == [40, 39, 38, 37, 36]
    again = [*STEADY, trial(40, 0, 500.0), trial(38, 0, 480.0)]
    assert chosen("slowest", again) == [39, 37, 36, 35, 34]
    assert set(chosen("slowest", again, count=100)) >= {40, 38}, "they come last, not never"


def test_lost_cards_are_those_of_the_latest_thirty_days() -> None:
    trials = [
        *STEADY,
        trial(60, 31, 200.0, Result.LOST),
        trial(61, 29, 200.0, Result.LOST),
        trial(62, 3, None, Result.FAILED),
        trial(62, 2, 200.0, Result.LOST),
    ]
    assert chosen("lost", trials) == [62, 61]


def test_a_family_is_all_that_begins_with_what_two_confused_cards_share() -> None:
    watanohara = (Confusion(11, 76), Confusion(76, 11))
    assert set(chosen("confused", STEADY, watanohara)) == {11, 76}
    unlike = Confusion(17, 1)
    assert chosen("confused", STEADY, (unlike,)) == []
    asa = next(
        Confusion(one, other)
        for one in POEMS
        for other in POEMS
        if one < other and POEMS[one].sounds[:2] == "あさ" == POEMS[other].sounds[:2]
    )
    family = chosen("confused", STEADY, (asa,), count=100)
    shared = POEMS[family[0]].sounds[:2]
    assert all(POEMS[poem].sounds.startswith(shared) for poem in family)
    assert {asa.lure, asa.read} <= set(family)
