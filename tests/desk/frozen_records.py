"""Plays the tournament and the practice whose logs are frozen beside those of the games."""

from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from desk.book.digest import PracticeDigest, read_digest
from desk.karuta.engine.engine import Origin
from desk.log.event_log import EventLog
from desk.practice.attempt import attempt_at
from desk.practice.events import PracticeEnded, PracticeOpened, ReadingBegun, Record
from desk.tables.source_kind import Source
from desk.tournament.desk import TournamentDesk
from referee.facts import (
    Contact,
    FieldSettled,
    Gap,
    KimarijiCompleted,
    PoemStarted,
    Testimony,
    Touch,
    Unprovable,
)
from referee.notation import parse_layout
from referee.sides import Side
from referee.tournament.division import Division, Entrant, System
from referee.tournament.draw import next_round
from referee.tournament.events import (
    DivisionOpened,
    DrawCancelled,
    EntrantEntered,
    EntrantWithdrawn,
    LineupNamed,
    MatPlaced,
    ResultCleared,
    ResultEntered,
    TournamentOpened,
)
from referee.tournament.pairing import Result
from referee.tournament.standings import standings
from tests.desk.karuta.karuta_script import WALL
from vision.poem.events import PoemSeen

MS = 1_000_000
FIELD = parse_layout("near 17 66|/5 88|/9| far |/|/|")
_CLASSES = (
    (Division("A"), 6),
    (Division("B", System.SWISS, 4), 7),
    (Division("T", System.SWISS, 2, boards=5), 3),
)


def play_tournament(path: Path) -> dict[str, Any]:
    """Play an elimination, a Swiss and teams with every event; return the tables."""
    desk = TournamentDesk(
        EventLog.create(path), TournamentOpened("frozen", "lots"), clock=lambda: 0, wall=lambda: WALL
    )
    dice, number = Random(1), 0
    for division, count in _CLASSES:
        desk.tell(DivisionOpened(division))
        for _ in range(count):
            number += 1
            members = tuple(f"{number}.{place}" for place in range(6)) if division.boards > 1 else ()
            entrant = Entrant(number, f"player {number}", f"club {number % 3}", members)
            desk.tell(EntrantEntered(division.name, entrant))
    desk.tell(next_round(desk.state, "B"), DrawCancelled("B"))
    for round_number in range(4):
        for division, _ in _CLASSES:
            course = desk.state.course(division.name)
            if course.is_over or len(course.playing) < 2:
                continue
            desk.tell(next_round(desk.state, division.name))
            if division.boards > 1:
                first = desk.state.course(division.name).rounds[-1].pairings[0].entrants[0]
                named = desk.state.course(division.name).entrants[first].members
                desk.tell(LineupNamed(first, (*named[1:5], None)))
            _decide(desk, dice, division.name)
        if round_number == 1:
            desk.tell(EntrantWithdrawn(9))
    tables = tables_of(desk)
    desk.close()
    return tables


def _decide(desk: TournamentDesk, dice: Random, division: str) -> None:
    for place, (match, board) in enumerate(desk.state.open_matches()):
        if match.division != division:
            continue
        name = match.text(desk.state.course(division).division.boards)
        desk.tell(MatPlaced(name, f"mat {place}"), MatPlaced(name, None), MatPlaced(name, f"mat {place}"))
        if None in board.players:
            continue
        winner = dice.randrange(2)
        if place == 0:
            desk.tell(ResultEntered(name, Result(1 - winner, 3)), ResultCleared(name))
            desk.tell(ResultEntered(name, Result(winner, by_default=True)))
        else:
            desk.tell(ResultEntered(name, Result(winner, dice.choice((None, 1, 9, 25)))))


def tables_of(desk: TournamentDesk) -> dict[str, Any]:
    """Return the tables of all classes: entrants by rank, with what parts equals."""
    return {
        name: [
            [row.rank, row.number, row.points, row.won, row.lost, row.sos, row.sodos, row.cards, row.is_in]
            for row in standings(course)
        ]
        for name, course in desk.state.courses.items()
    }


def play_practice(path: Path) -> dict[str, Any]:
    """Practise with every event and outcome; return the attempts."""
    clock = [0]
    record = Record(
        EventLog.create(path),
        PracticeOpened("practice_frozen", Source.CAMERA, "Hana", "0"),
        lambda: clock[0],
        lambda: WALL,
    )
    record.note(Origin.EYE, FieldSettled(FIELD, 0))
    order = (17, 66, 1, 5, 88, 2, 9)
    record.note(Origin.DESK, ReadingBegun(Side.NEAR, order))
    for place, poem in enumerate(order):
        clock[0] = t_ns = (place + 1) * 20_000 * MS
        start = PoemStarted(poem, t_ns, MS)
        decided = KimarijiCompleted(poem, t_ns + 400 * MS, MS)
        record.note(Origin.READER, start, decided)
        facts = _seen(poem, t_ns)
        record.note(Origin.EYE, *facts)
        before = SimpleNamespace(layout=FIELD)
        seen = cast("PoemSeen", SimpleNamespace(start=start, facts=facts, before=before))
        unread = frozenset(order[place:]) | {poem}
        record.note(Origin.DESK, attempt_at(seen, Side.NEAR, unread, decided))
    record.note(Origin.OPERATOR, PracticeEnded())
    record.close()
    return attempts_of(path)


def _seen(poem: int, start_ns: int) -> tuple[Testimony, ...]:
    """Return what the eye tells of a poem: taken, lured, in doubt, or nothing."""
    t_ns = start_ns + 600 * MS
    told: dict[int, tuple[Testimony, ...]] = {
        17: (Touch(17, Side.NEAR, t_ns, MS),),
        66: (Touch(88, Side.NEAR, t_ns, MS),),
        5: (Touch(66, Side.NEAR, t_ns, MS), Touch(5, Side.NEAR, t_ns + 50 * MS, MS, Contact.PUSHED_OUT)),
        88: (Unprovable(88, Side.NEAR, t_ns, MS, "swept_along"), Gap(t_ns, t_ns + MS, "dropped_frames")),
        2: (Touch(9, Side.NEAR, t_ns, MS),),
    }
    return told.get(poem, ())


def attempts_of(path: Path) -> dict[str, Any]:
    """Return what the book reads in the log of a practice."""
    digest = cast("PracticeDigest", read_digest(path))
    return {"player": digest.player, "attempts": [asdict(each) for each in digest.attempts]}


def tables_in(path: Path) -> dict[str, Any]:
    """Return the tables of a stored tournament."""
    with closing(TournamentDesk(EventLog.open(path))) as desk:
        return tables_of(desk)
