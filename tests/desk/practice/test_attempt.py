"""What counts as taken, missed, lured, left alone or unclear, and which cards are slow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from desk.practice.attempt import attempt_at, slow_attempts
from desk.practice.events import Attempt, Outcome
from referee.cards.poems import POEMS
from referee.facts import Gap, KimarijiCompleted, PoemStarted, Testimony, Touch
from referee.notation import parse_layout
from referee.sides import Side
from vision.poem.events import PoemSeen

FIELD = parse_layout("near 17 66|/5 88|/9| far |/|/|")
MS = 1_000_000


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
