"""The book's extract of a log: rulings that count, and nothing that was taken back."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.book.club_matches import ClubMatch
from desk.book.digest import FaultTold, MatchDigest, read_digest
from desk.errors import DeskError
from desk.karuta.engine.policy import Policies, Policy
from desk.log.event_log import EventLog, LogEntry
from referee.karuta.declarations import Misread, WrongHand
from referee.karuta.flow.events import Confirm
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
