"""Whether a board plays a tournament from its draw to its winner as it happened at the mats.

64 entrants in 16 clubs, 32 mats, a real `nats-server`. Each mat hears who plays there, plays a match whose
takes are scripted through the real rules (8 cards a side), and sends its log. The board copies the logs,
proposes results and draws; a scripted operator accepts what the mats propose. Two players withdraw meanwhile,
and one result is corrected. A count that shares no code with the rules adds up takes at the mats: in a match
without faults whoever takes a card has one less, wherever it lay.
"""

import asyncio
import csv
import io
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from nats.aio.msg import Msg

from benchmarks.hall.floor import servers
from desk.hall.board.floor import Floor
from desk.hall.board.schedule import Schedule
from desk.hall.link import Link
from desk.hall.mat.sender import Outbox, Sender
from desk.hall.mat.station import standing
from desk.hall.messages import MatHealth, MatState, Pairing, pack, unpack
from desk.hall.subjects import pairing_of, state_of
from desk.hall.ticket import Ticket
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import MatchOpened
from desk.karuta.engine.policy import Policies
from desk.karuta.engine.snapshot import snapshot
from desk.log.clocks import match_clock, wall_clock
from desk.log.event_log import EventLog
from desk.tables.source_kind import Source
from desk.tournament.desk import TournamentDesk
from referee.facts import FieldSettled, PoemStarted, Touch
from referee.karuta.flow.events import Event, MemoriseEnded, MemoriseStarted, PoemFinished
from referee.karuta.flow.state import Settings
from referee.karuta.ruleset import KYOGI
from referee.layout import Layout, PlacedCard, row_centre_y_m
from referee.sides import Side
from referee.tournament.division import System
from referee.tournament.draw import next_round
from referee.tournament.events import EntrantWithdrawn, ResultEntered, TournamentOpened
from referee.tournament.pairing import Result
from referee.tournament.standings import standings

MATS, ENTRANTS, CLUBS, CARDS = 32, 64, 16, 8
DIVISION = "A"
_SETTINGS = Settings(rules=replace(KYOGI, joka=False), cards_per_side=CARDS)
_MS = 1_000_000
_PITCH_M = 0.0525
_DEAD = 4  # poems of a match whose card is not on the field
_LIFE_S = 2.0
_PORT = 26222


@dataclass(frozen=True, slots=True)
class Played:
    """What a mat's own script says of a match: who sat where, who won, and what the loser had left."""

    match: str
    names: tuple[str, str]
    winner: str
    cards: int


@dataclass
class Tally:
    """The independent count: every match as the mats played it, and their logs."""

    played: dict[str, Played] = field(default_factory=dict)
    logs: dict[tuple[str, str], Path] = field(default_factory=dict)


class Mat:
    """A mat that plays whatever it is told, by dice, with a pause of `pause_s` after each poem."""

    def __init__(
        self, ticket: Ticket, folder: Path, tally: Tally, dice: Random, pause_s: float = 0.0
    ) -> None:
        self._pause_s = pause_s
        self.link = Link(ticket)
        self._mat, self._folder, self._tally, self._dice = ticket.user, folder, tally, dice
        folder.mkdir()
        self.outbox = Outbox(folder, self._mat)
        self._sender = Sender(self.link, self.outbox)
        self._state = MatState(self._mat, wall_clock())
        self._wanted: asyncio.Queue[Pairing] = asyncio.Queue()
        self._seen: set[str] = set()

    async def open(self) -> list[asyncio.Task[None]]:
        """Join the hall, and return what plays until it is cancelled."""
        self.link.open()
        await self.link.joined()
        await self.link.listen(pairing_of(self._mat), self._heard)
        loop = asyncio.get_running_loop()
        return [loop.create_task(each) for each in (self._sender.run(), self._live(), self._play_on())]

    async def _heard(self, message: Msg) -> None:
        pairing = unpack(message.data)
        if isinstance(pairing, Pairing) and pairing.id and pairing.id not in self._seen:
            self._seen.add(pairing.id)
            self._wanted.put_nowait(pairing)

    async def _live(self) -> None:
        while True:
            await self._say(replace(self._state, wall=wall_clock()))
            await asyncio.sleep(_LIFE_S)

    async def _say(self, state: MatState) -> None:
        self._state = state
        await self.link.say(state_of(self._mat), pack(state))

    async def _play_on(self) -> None:
        while True:
            await self._play(await self._wanted.get())

    async def _play(self, pairing: Pairing) -> None:
        match = f"{self._mat}_{pairing.id}".replace("-", "_")
        path = self._folder / f"{match}.sqlite"
        names = pairing.names
        opened = MatchOpened(match, Source.SIMULATOR, _SETTINGS, names)
        engine = Engine.begin(
            EventLog.create(path), opened, policies=Policies(), clock=match_clock, wall=wall_clock
        )
        self.outbox.join(match)
        script = Script(self._dice)
        for events in script.steps():
            for event in events:
                engine.submit(event, Origin.EYE)
            self._sender.wake()
            await self._say(standing(self._mat, engine, snapshot(engine), None, MatHealth()))
            await asyncio.sleep(self._pause_s)
        winner, cards = script.count()
        name = names[winner]
        assert name is not None
        self._tally.played[pairing.id] = Played(pairing.id, (str(names.near), str(names.far)), name, cards)
        self._tally.logs[self._mat, match] = path


class Script:
    """A match by dice: each poem whose card lies there is taken by one of both, some are dead."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice
        cards = dice.sample(range(1, 101), 2 * CARDS + _DEAD)
        self._dead, on_field = cards[:_DEAD], cards[_DEAD:]
        self._layout = _laid(on_field)
        self._skill = dice.uniform(0.3, 0.7)
        self._takes: Counter[Side] = Counter()

    def count(self) -> tuple[Side, int]:
        """Return who won and the cards that the other had left, counted by takes alone."""
        winner = max(Side, key=lambda side: self._takes[side])
        return winner, CARDS - self._takes[winner.opponent]

    def steps(self) -> Iterator[list[Event]]:
        """Iterate over what happens, poem by poem, until a territory is empty."""
        yield [FieldSettled(self._layout, _MS), MemoriseStarted(2 * _MS), MemoriseEnded()]
        poems = [*self._dead, *(placed.card for placed in self._layout if placed.card is not None)]
        self._dice.shuffle(poems)
        t_ms = 1000
        for poem in poems:
            if max(self._takes.values(), default=0) == CARDS:
                return
            t_ms += 10_000
            yield self._poem(poem, t_ms)

    def _poem(self, poem: int, t_ms: int) -> list[Event]:
        events: list[Event] = [PoemStarted(poem, t_ms * _MS, 1)]
        lying = next((placed for placed in self._layout if placed.card == poem), None)
        at_rest = self._layout.without(poem)
        if lying is not None:
            taker = Side.NEAR if self._dice.random() < self._skill else Side.FAR
            self._takes[taker] += 1
            events.append(Touch(poem, taker, (t_ms + 700) * _MS, _MS))
            events.append(Touch(poem, taker.opponent, (t_ms + 760) * _MS, _MS))
            self._layout = at_rest
            if lying.side is not taker:
                self._layout = _sent(self._layout, taker)
        looks = [FieldSettled(at_rest, (t_ms + 4000) * _MS), FieldSettled(self._layout, (t_ms + 5000) * _MS)]
        return [*events, PoemFinished(), *looks]


def _laid(cards: list[int]) -> Layout:
    rows = [(side, row) for side in Side for row in range(2)]
    a_row = CARDS // 2
    return Layout(
        tuple(
            PlacedCard(card, side, row, (place - a_row / 2) * _PITCH_M, row_centre_y_m(side, row))
            for (side, row), first in zip(rows, range(0, 2 * CARDS, a_row), strict=True)
            for place, card in enumerate(cards[first : first + a_row])
        )
    )


def _sent(layout: Layout, sender: Side) -> Layout:
    """Turn one of the sender's cards across the middle, where he has one."""
    own = next((placed for placed in layout if placed.side is sender), None)
    return Layout(tuple(placed.turned() if placed is own else placed for placed in layout))


async def play(ticket: Callable[[str], Ticket], folder: Path) -> dict[str, Any]:
    """Play the tournament and return what was checked."""
    tally = Tally()
    mats = [
        Mat(ticket(f"mat-{number:02d}"), folder / f"mat-{number:02d}", tally, Random(number))
        for number in range(1, MATS + 1)
    ]
    floor = Floor(ticket("board"), folder / "board")
    desk = TournamentDesk.at(folder / "tournament.sqlite", TournamentOpened("benchmark", "12 May"))
    schedule = Schedule(desk, floor)
    floor.open()
    tasks = {asyncio.ensure_future(schedule.run())}
    for mat in mats:
        tasks |= set(await mat.open())
    began_s = time.monotonic()
    rows = [f"{DIVISION},Player {n},Club {n % CLUBS}" for n in range(1, ENTRANTS + 1)]
    schedule.enter("\n".join(["class,name,club", *rows]).encode(), "list.csv", System.ELIMINATION, None)
    await _until(lambda: sum(mat.state.phase == "idle" for mat in floor.state().mats) == MATS, 30)
    operator = Operator(schedule, floor)
    try:
        while not schedule.state.course(DIVISION).is_over:
            await operator.round()
        took_s = time.monotonic() - began_s
        await _until(lambda: not any(_unsent(mat) for mat in mats), 30)
        await _until(lambda: not any(_behind(floor, *each) for each in tally.logs.items()), 30)
        figures = check(schedule, floor, tally, operator, mats)
    finally:
        while tasks:  # a cancellation may be swallowed (see `Floor.close`)
            for task in tasks:
                task.cancel()
            _, tasks = await asyncio.wait(tasks, timeout=0.2)
        for mat in mats:
            await mat.link.close()
        await floor.close()
        desk.close()
    return {**figures, "seconds": round(took_s, 1)}


def _behind(floor: Floor, named: tuple[str, str], path: Path) -> int:
    """Return how many entries of a mat's log the board does not have yet."""
    with EventLog.read(path) as log:
        return log.last_seq - floor.copies.last_seq(*named)


class Operator:
    """Draws, puts matches onto mats, and accepts what the mats propose.

    `withdrawn`: who went home, by name, after they had won a match. `corrected`: matches whose result was
    first entered the wrong way round.
    """

    def __init__(self, schedule: Schedule, floor: Floor) -> None:
        self.withdrawn: list[str] = []
        self.corrected: list[str] = []
        self._schedule, self._floor = schedule, floor

    async def round(self) -> None:
        """Play one round."""
        schedule = self._schedule
        schedule.tell(next_round(schedule.state, DIVISION))
        course = schedule.state.course(DIVISION)
        if len(course.rounds) in {2, 3}:  # goes home before the match begins
            number = course.rounds[-1].pairings[0].entrants[1]
            self.withdrawn.append(course.entrants[number].name)
            schedule.tell(EntrantWithdrawn(number))
        while any(board.mat is None for _, board in schedule.state.open_matches()):
            schedule.place(DIVISION)
        while waiting := schedule.state.open_matches():
            await _until(lambda: bool(schedule.proposals()), 60)
            for match, said in schedule.proposals().items():
                if not self.corrected:
                    schedule.tell(ResultEntered(match, Result(1 - said["winner"], said["cards"])))
                    self.corrected.append(match)
                schedule.tell(ResultEntered(match, Result(said["winner"], said["cards"])))
            assert waiting


def check(
    schedule: Schedule, floor: Floor, tally: Tally, operator: Operator, mats: list[Mat]
) -> dict[str, Any]:
    """Compare the board with what the mats' scripts counted; an AssertionError says what differs."""
    course = schedule.state.course(DIVISION)
    results = list(csv.DictReader(io.StringIO(schedule.results_csv()[1:])))
    played = [row for row in results if row["ended"] == "played"]
    assert {row["match"] for row in played} == set(tally.played), (
        "the board has other matches than were played"
    )
    differ = [row for row in played if _said(row) != tally.played[row["match"]]]
    # the survivors, from the mats' own words and from who went home
    alive = {f"Player {n}" for n in range(1, ENTRANTS + 1)}
    rounds = max(int(row["round"]) for row in results)
    for number in range(1, rounds + 1):
        of_round = [tally.played[row["match"]] for row in played if int(row["round"]) == number]
        sat = [name for each in of_round for name in each.names]
        assert len(sat) == len(set(sat)), "somebody sat at two mats"
        assert set(sat) <= alive, "somebody plays who is out"
        alive -= {name for each in of_round for name in each.names if name != each.winner}
        alive -= {name for name in operator.withdrawn if _left_in(course, name) == number} - set(sat)
    (champion,) = alive
    assert course.champion is not None
    assert course.entrants[course.champion].name == champion, "another one won"
    wins = Counter(each.winner for each in tally.played.values())
    defaults = Counter(row["winner"] for row in results if row["ended"] == "default")
    for standing_row in standings(course):
        name = course.entrants[standing_row.number].name
        assert standing_row.points == wins[name] + defaults[name], name
    lost = doubled = entries = 0
    for (mat, match), path in tally.logs.items():
        with EventLog.read(path) as log, EventLog.read(floor.copies.path(mat, match)) as copy:
            mine_entries, theirs = list(log.entries()), list(copy.entries())
        entries += len(mine_entries)
        lost += len(mine_entries) - len({entry.seq for entry in theirs})
        doubled += len(theirs) - len({entry.seq for entry in theirs})
        assert theirs == mine_entries, f"the copy of {match} differs"
    clubs = [
        len({course.entrants[number].club for number in pairing.entrants}) == 1
        for drawn in course.rounds[:2]
        for pairing in drawn.pairings
    ]
    return {
        "entrants": ENTRANTS, "mats": MATS, "rounds": rounds, "matches played": len(played),
        "by default": len(results) - len(played), "results corrected": len(operator.corrected),
        "results that differ from the count": len(differ), "champion": champion, "log entries": entries,
        "entries lost": lost, "entries doubled": doubled, "came again": floor.copies.ledger.again,
        "pairs of one club in rounds 1 and 2": sum(clubs), "unsent": sum(_unsent(mat) for mat in mats),
    }  # fmt: skip


def _said(row: Mapping[str, str]) -> Played:
    """Return what the board says of a match, as the mats' scripts say it."""
    return Played(row["match"], (row["first"], row["second"]), row["winner"], int(row["cards"]))


def _left_in(course: Any, name: str) -> int:
    """Return the round in which somebody went home."""
    number = next(each for each, entrant in course.entrants.items() if entrant.name == name)
    return max(place for place, drawn in enumerate(course.rounds, 1) if drawn.pairing_of(number) is not None)


def _unsent(mat: Mat) -> int:
    return sum(mat.outbox.unsent(match) for match in mat.outbox.marks)


async def _until(condition: Any, limit_s: float) -> None:
    async with asyncio.timeout(limit_s):
        while not condition():
            await asyncio.sleep(0.02)


def play_tournament(nodes: int) -> dict[str, Any]:
    """Play the tournament on a hall of its own, and return what was checked."""
    with servers(nodes, MATS, _PORT) as hall, tempfile.TemporaryDirectory(prefix="shinpan-mats-") as folder:
        return asyncio.run(play(hall.ticket, Path(folder)))
