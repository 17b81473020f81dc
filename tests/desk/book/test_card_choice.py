"""The cards that the book proposes, and the days of their next reviews."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from fsrs import Rating, Scheduler

import desk.book.memory
from desk.book.card_choice import Confusion, Record, choose
from desk.book.memory import (
    RECALL,
    Pace,
    Result,
    Schedule,
    Trial,
    memories,
    remembered,
    reviewed,
    scheduled,
)
from desk.panel.book.port import CardSet
from referee.cards.poems import POEMS

NOW = datetime(2026, 11, 28, 20, 0, tzinfo=UTC)


def trial(poem: int, days_ago: float, ms: float | None, result: Result = Result.TAKEN) -> Trial:
    return Trial((NOW - timedelta(days=days_ago)).isoformat(), poem, result, ms)


STEADY = [trial(poem, 40 - poem / 100, 100.0 + 10 * poem) for poem in range(1, 41)]
"""Forty cards taken once, forty days ago: the first the fastest."""


def chosen(
    which: CardSet, trials: list[Trial], confusions: tuple[Confusion, ...] = (), count: int = 5
) -> list[int]:
    record = Record(sorted(trials, key=lambda each: each.wall), confusions)
    return [card["poem"] for card in choose(record, which, count, NOW)]


def test_what_is_taken_slowly_comes_back_sooner_and_what_failed_soonest() -> None:
    first = [trial(poem, 90, 300.0) for poem in range(1, 11)]
    results = [
        (1, 100.0, Result.TAKEN),
        (2, 300.0, Result.TAKEN),
        (3, 900.0, Result.TAKEN),
        (4, None, Result.FAILED),
    ]
    again = [trial(poem, 80, ms, result) for poem, ms, result in results]
    kept = memories([*first, *again], NOW)
    assert kept[4].due < kept[3].due < kept[2].due < kept[1].due
    assert kept[4].recall < kept[3].recall < kept[2].recall < kept[1].recall


def test_a_card_that_is_taken_again_is_kept_longer_each_time() -> None:
    walls = (20.0, 17.0, 10.0)
    gaps = []
    for number in range(1, 4):
        trials = [*STEADY, *(trial(20, days, 300.0) for days in walls[:number])]
        memory = memories(trials, NOW)[20]
        gaps.append(memory.due - datetime.fromisoformat(trials[-1].wall))
    assert gaps == sorted(gaps)
    assert gaps[0] < gaps[-1]


def test_the_same_book_gives_the_same_days_whenever_it_was_read() -> None:
    sittings = [
        trial(poem, days, 200.0 + 37 * (poem * round(days) % 11), Result.TAKEN if poem % 4 else Result.LOST)
        for days in range(60, 0, -6)
        for poem in range(1, 31)
    ]
    whole = reviewed(sittings, scheduled(sittings))
    known: Schedule | None = None
    for upto in (10, 45, 90, 91, 200, 300):  # in the midst of a sitting, too
        known = Schedule.from_json(scheduled(sittings[:upto], known).to_json())
        assert known is not None
        assert known.count == (upto - 1) // 30 * 30, "the latest sitting may go on"
        assert reviewed(sittings, scheduled(sittings, known)) == whole
    assert memories(sittings, NOW) == remembered(whole, NOW)
    for others in (sittings[30:], [trial(7, 70, 300.0), *sittings], []):  # deleted, or handed in later
        assert scheduled(others, known) == scheduled(others)


def test_a_schedule_of_another_version_of_fsrs_is_built_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    trials = [trial(poem, days, 300.0) for days in (9, 6, 3) for poem in (1, 2)]
    known = scheduled(trials)
    other = Scheduler(desired_retention=0.8, learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    monkeypatch.setattr(desk.book.memory, "_SCHEDULER", other)
    assert scheduled(trials, known) == scheduled(trials) != known
    for text in ("{}", '{"count": 1, "print": "", "cards": [{"card_id": 1}]}', "["):
        assert Schedule.from_json(text) is None


def test_a_card_lost_to_a_faster_opponent_says_nothing_of_memory() -> None:
    pace = Pace.of([each.reaction_ms or 0.0 for each in STEADY])
    assert pace.rating(trial(1, 1, 120.0, Result.LOST)) is None
    assert pace.rating(trial(1, 1, None, Result.LOST)) is None
    assert pace.rating(trial(1, 1, 900.0, Result.LOST)) is Rating.Again
    assert pace.rating(trial(1, 1, None)) is Rating.Good
    assert [pace.rating(trial(1, 1, ms)) for ms in (50.0, 300.0, 499.0)] == [
        Rating.Easy,
        Rating.Good,
        Rating.Hard,
    ]
    assert Pace.of([100.0, 110.0, 120.0]).rating(trial(1, 1, 9999.0)) is Rating.Good


def test_due_cards_come_the_most_forgotten_first() -> None:
    trials = [*STEADY, trial(7, 0.1, 150.0)]
    due = chosen("due", trials, count=100)
    kept = memories(sorted(trials, key=lambda each: each.wall), NOW)
    assert 7 not in due
    assert due == sorted(due, key=lambda poem: kept[poem].recall)
    assert set(due) == {poem for poem, memory in kept.items() if memory.recall < RECALL}
    assert due


def test_slow_cards_give_way_while_they_were_just_practised() -> None:
    assert chosen("slowest", STEADY) == [40, 39, 38, 37, 36]
    again = [*STEADY, trial(40, 0.1, 500.0), trial(38, 0.1, 480.0)]
    assert chosen("slowest", again) == [39, 37, 36, 35, 34]
    assert set(chosen("slowest", again, count=100)) >= {40, 38}, "they come last, not never"


def test_cards_that_were_slow_long_ago_are_not_slow() -> None:
    trials = [trial(1, 200, 5000.0), *STEADY, trial(1, 39, 100.0)]
    assert 1 not in chosen("slowest", trials, count=100)


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


@pytest.mark.parametrize("which", ["due", "slowest", "lost", "confused"])
def test_an_empty_book_proposes_nothing(which: CardSet) -> None:
    assert chosen(which, []) == []
