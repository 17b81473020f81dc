"""The book's extract of a log: rulings that count, and nothing that was taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.book.club_matches import MS, ClubMatch
from desk.book.digest import FaultTold, MatchDigest, read_digest
from desk.errors import DeskError
from desk.karuta.engine.policy import Policies, Policy
from desk.log.event_log import EventLog, LogEntry
from referee.karuta.declarations import Misread, WrongHand
from referee.karuta.flow.events import Confirm, Overrule
from referee.notation import parse_layout
from referee.sides import BySide, Side

FIELD = parse_layout("near 1 2|3/4|/5|6 far 11 12|13/14|/15|16")
NAMES: BySide[str | None] = BySide("Hana", "Ken")
Script = Callable[[ClubMatch], object]


@pytest.fixture
def digest(tmp_path: Path) -> Callable[[Script], MatchDigest]:
    """Play a script and return the book's extract of its log."""

    def digest(script: Script) -> MatchDigest:
        match = ClubMatch(tmp_path / "match.sqlite", NAMES, cards_per_side=6, layout=FIELD)
        script(match)
        found = read_digest(match.write())
        assert isinstance(found, MatchDigest)
        return found

    return digest


def test_a_take_has_its_time_its_place_and_its_sends(digest: Callable[[Script], MatchDigest]) -> None:
    def script(match: ClubMatch) -> None:
        match.read(13, (13, Side.NEAR, 210.5), (13, Side.FAR, 300))

    (poem,) = digest(script).poems
    lay = FIELD.find(13)
    assert lay is not None
    assert (poem.poem, poem.standing, poem.taken_by) == (13, "decided", Side.NEAR)
    assert (poem.territory, poem.row, poem.x_m) == (Side.FAR, 0, lay.x_m)
    assert poem.reaction_ns == round(210.5 * MS)
    assert poem.sends == BySide(1, 0)
    assert poem.faults == ()


def test_a_take_before_the_kimariji_is_negative_and_one_without_a_kimariji_has_no_time(
    digest: Callable[[Script], MatchDigest],
) -> None:
    def script(match: ClubMatch) -> None:
        match.read(1, (1, Side.NEAR, -80))
        match.read(2, (2, Side.NEAR, 100), kimariji=False)

    early, untimed = digest(script).poems
    assert early.reaction_ns == -80 * MS
    assert (untimed.taken_by, untimed.reaction_ns) == (Side.NEAR, None)


def test_what_was_taken_back_does_not_count(digest: Callable[[Script], MatchDigest]) -> None:
    def script(match: ClubMatch) -> None:
        match.read(1, (1, Side.NEAR, 200), settle=False)
        match.take_back(3)  # the touch, the end of the poem, and the ruling
        match.read(2, (2, Side.FAR, 300))

    poems = digest(script).poems
    assert [(poem.poem, poem.taken_by) for poem in poems if poem.poem == 2] == [(2, Side.FAR)]
    assert all(poem.taken_by is None for poem in poems if poem.poem == 1)


def test_a_void_reading_counts_only_as_it_was_read_again(digest: Callable[[Script], MatchDigest]) -> None:
    def script(match: ClubMatch) -> None:
        match.read(1, (1, Side.NEAR, 200), (1, Side.FAR, 200.2), (11, Side.NEAR, 250))
        match.official(Misread())
        match.read(1, (1, Side.FAR, 300))

    (poem,) = digest(script).poems
    assert (poem.taken_by, poem.reaction_ns, poem.faults) == (Side.FAR, 300 * MS, ())


def test_a_ruling_that_was_reopened_counts_once_it_is_made_again(
    digest: Callable[[Script], MatchDigest],
) -> None:
    def script(match: ClubMatch) -> None:
        match.engine.policies = Policies(take=Policy.PROPOSE)
        for again in (Misread(), Confirm()):
            match.read(1, (1, Side.NEAR, 200))
            match.official(Confirm())
            match.official(WrongHand(Side.NEAR, 1))  # the ruling waits once more
            match.official(again)
        match.read(2, (2, Side.FAR, 300))
        match.official(Confirm())
        match.official(WrongHand(Side.FAR, 2))  # nobody has decided yet

    (poem,) = digest(script).poems
    assert (poem.poem, poem.standing, poem.sends) == (1, "confirmed", BySide(0, 1))
    assert poem.faults == (FaultTold(Side.NEAR, "wrong_hand", None),)


def test_a_ruling_in_doubt_counts_once_an_official_lets_it_stand(
    digest: Callable[[Script], MatchDigest],
) -> None:
    def doubtful(match: ClubMatch, poem: int) -> None:
        match.read(poem, (poem, Side.NEAR, 200), (None, Side.FAR, 230))  # type: ignore[arg-type]

    def script(match: ClubMatch) -> None:
        doubtful(match, 1)
        assert match.engine.state.ruling is not None
        match.official(Confirm())
        doubtful(match, 2)  # nobody looks: the next poem is read
        match.read(3, (3, Side.NEAR, 150))

    found = digest(script)
    assert [(poem.poem, poem.standing) for poem in found.poems] == [(1, "confirmed"), (3, "decided")]
    assert found.in_doubt == 1


def test_an_official_who_overrules_is_believed(digest: Callable[[Script], MatchDigest]) -> None:
    def script(match: ClubMatch) -> None:
        ruling = match.read(1, (1, Side.NEAR, 200), (1, Side.FAR, 210))
        assert ruling is not None
        match.official(Overrule(replace(ruling, taken_by=Side.FAR, sends=BySide(0, 1))))

    (poem,) = digest(script).poems
    assert (poem.standing, poem.taken_by) == ("overruled", Side.FAR)
    assert poem.reaction_ns is None, "the contact is the other player's"


def test_a_poem_that_is_read_twice_is_a_dead_card_the_second_time(
    digest: Callable[[Script], MatchDigest],
) -> None:
    def script(match: ClubMatch) -> None:
        match.read(1, (1, Side.NEAR, 200))
        match.read(1)
        match.official(Confirm())
        match.read(50)

    first, second, dead = digest(script).poems
    assert (first.territory, first.taken_by) == (Side.NEAR, Side.NEAR)
    assert (second.territory, second.taken_by, second.standing) == (None, None, "confirmed")
    assert (dead.taken_by, dead.territory, dead.row) == (None, None, None)


@pytest.mark.parametrize(
    ("poem", "touches", "faults"),
    [
        (1, [(1, Side.NEAR, 200), (12, Side.FAR, 240), (13, Side.FAR, 230)], [("wrong_territory", 13)]),
        (50, [(12, Side.FAR, 240)], [("dead_card", 12)]),
        (50, [(12, Side.FAR, 240), (1, Side.FAR, 250)], [("dead_card", 1), ("dead_card", 12)]),
        (1, [(2, Side.FAR, 240), (1, Side.NEAR, 200)], []),
    ],
)
def test_a_fault_names_the_card_that_lured(
    digest: Callable[[Script], MatchDigest],
    poem: int,
    touches: list[tuple[int, Side, float]],
    faults: list[tuple[str, int]],
) -> None:
    (told,) = digest(lambda match: match.read(poem, *touches)).poems
    assert sorted(told.faults, key=lambda fault: fault.card or 0) == [
        FaultTold(Side.FAR, kind, card) for kind, card in faults
    ]


def test_a_log_of_another_game_is_no_match(tmp_path: Path) -> None:
    with EventLog.create(tmp_path / "bout.sqlite") as log:
        log.append([LogEntry(1, 0, "2026-01-04T10:00:00.000+09:00", "desk", "bout_opened", 1, {})])
    assert read_digest(tmp_path / "bout.sqlite") is None


def test_a_repaired_log_that_lost_events_is_named_and_not_guessed(tmp_path: Path) -> None:
    match = ClubMatch(tmp_path / "match.sqlite", NAMES, cards_per_side=6, layout=FIELD)
    match.read(1, (1, Side.NEAR, 200))
    match.log.held[5] = replace(match.log.held[5], kind="event_lost", payload={})
    with pytest.raises(DeskError, match="lost before this log was repaired"):
        read_digest(match.write())


def test_a_newer_event_is_named(tmp_path: Path) -> None:
    match = ClubMatch(tmp_path / "match.sqlite", NAMES, cards_per_side=6, layout=FIELD)
    match.log.held[-1] = replace(match.log.held[-1], kind="card_glued", payload={})
    with pytest.raises(DeskError, match="knows no event 'card_glued'"):
        read_digest(match.write())
