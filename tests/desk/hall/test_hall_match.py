"""A reader, a mat and its match in one hall: the mat is waited for, and hears the poem on its own clock."""

import asyncio
import subprocess
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from nats.aio.msg import Msg
from nats.errors import NoRespondersError

from desk.hall.link import Heard, Link
from desk.hall.mat.delay import delay_of
from desk.hall.mat.station import Station
from desk.hall.messages import (
    MatState,
    PoemCue,
    ReadingCommand,
    ReadingPhase,
    ReadingState,
    ReadingWish,
    ReplayWanted,
    VoidCue,
    pack,
    unpack,
)
from desk.hall.reading import reader_control
from desk.hall.reading.reader_control import ReaderControl, poems_read
from desk.hall.subjects import READING_COMMAND, READING_CUE, READING_STATE, replay_of, state_of
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import DeskEvent, EvidenceKept
from desk.karuta.house.live_match import LiveMatch
from desk.karuta.readers.reader import Reader, Sound
from desk.karuta.readers.recital import HeardPoem
from desk.log.event_log import EventLog
from desk.tables.table import FirstSound
from referee.facts import PoemStarted
from referee.karuta.flow.events import Event, HandLowered, HandRaised, MemoriseStarted
from referee.karuta.flow.follow_ups import FollowUp, ReadPoem
from referee.karuta.flow.state import Phase
from referee.sides import BySide, Side
from tests.desk.hall.halls import SmallHall, needs_server, until
from tests.desk.karuta.karuta_script import OPENED, opening, play, poem, settled, whole_match

pytestmark = needs_server
PICTURES = f"{'ab' * 32}.zip"
MS = 1_000_000


class ScriptedReader(Reader):
    """Reads the poem that the test names when the control asks."""

    def __init__(self) -> None:
        self.asked = 0
        self.told: list[object] = []
        self._sounds: list[Sound] = []

    def follow(self, event: Event | FollowUp | DeskEvent, unread: Collection[int]) -> None:
        self.told.append(event)
        self.asked += isinstance(event, ReadPoem)

    def read(self, number: int) -> int:
        t_ns = time.perf_counter_ns()
        self._sounds.append(HeardPoem(PoemStarted(number, t_ns, MS)))
        return t_ns

    def sounds(self) -> Sequence[Sound]:
        sounds, self._sounds = self._sounds, []
        return sounds

    def close(self) -> None:
        """Do nothing."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_control, "FIRST_WORDS_S", 0.0)


class Mat:
    """A mat whose match is played by a script, without a camera."""

    def __init__(
        self,
        hall: SmallHall,
        folder: Path,
        distance_m: float = 30.0,
        names: BySide[str | None] = OPENED.names,
    ) -> None:
        self.station = Station(hall.ticket("mat-01"), folder, delay_of(distance_m))
        self.match = folder.name  # the tests share a hall
        self.log = EventLog.create(folder / f"{self.match}.sqlite")
        self.engine = Engine.begin(self.log, replace(OPENED, id=self.match, names=names))
        self.live = LiveMatch(
            self.engine, None, folder, reader=self.station.reader(""), hall_link=self.station.link
        )

    def begin(self) -> None:
        self.station.open()
        self.live.begin(asyncio.get_running_loop())
        self.station.follow(self.live)

    def get_ready(self) -> None:
        play(self.engine, [settled(self.engine.state.home, 5)])

    async def hears(self) -> list[object]:
        said: list[object] = []
        async with asyncio.timeout(5):
            while not any(isinstance(each, HeardPoem) for each in said):
                said += self.live.said()
                await asyncio.sleep(0.01)
        return said

    async def end(self) -> None:
        await self.live.end()
        await self.station.close()
        self.log.close()


async def test_a_match_follows_the_reader_of_its_hall(hall: SmallHall, tmp_path: Path) -> None:
    reader = ScriptedReader()
    async with hall.link("reader") as link, hall.link("board") as board:
        states: list[MatState] = []
        await board.listen(state_of("mat-01"), _note(states))
        control = ReaderControl(link, reader, "s1", joka=False)
        reading = asyncio.get_running_loop().create_task(control.run())
        mat = Mat(hall, tmp_path)
        mat.begin()
        laid, _, ready = opening()
        play(mat.engine, [laid, MemoriseStarted(time.perf_counter_ns())])
        await until(lambda: mat.station.link()["clock_unc_ms"] is not None)
        await until(lambda: control.state.waits_for == ("mat-01",))
        assert reader.asked == 0

        play(mat.engine, [ready, HandRaised(Side.FAR)])
        await until(lambda: control.state.hands == ("mat-01",))
        assert control.state.phase is ReadingPhase.HELD
        mat.engine.submit(HandLowered(Side.FAR), Origin.OPERATOR)
        await until(lambda: reader.asked == 1)

        t_ns = reader.read(1)
        first, named = await mat.hears()
        assert isinstance(first, FirstSound)
        assert isinstance(named, HeardPoem)
        start = named.start
        # one machine: its clock is the hall's, so nothing but the way through the air is between them
        assert abs(start.t_ns - (t_ns + delay_of(30).ns)) <= start.t_unc_ns
        assert start.t_unc_ns < 20 * MS
        play(mat.engine, [start, *poem(1, start.t_ns // MS, (1, Side.NEAR, 900))[1:]])
        await until(lambda: bool(states) and states[-1].poems == 1)
        assert states[-1].last is not None
        assert states[-1].last.taken_by is Side.NEAR
        assert states[-1].heard == 1

        mat.get_ready()
        await until(lambda: control.state.phase is ReadingPhase.WAITS, 8)
        await until(lambda: mat.station.link()["unsent"] == 0)
        await until(lambda: states[-1].seq == mat.engine.last_seq)
        reading.cancel()
        await mat.end()


async def test_an_operator_reads_on_and_takes_a_misread_poem_back(hall: SmallHall, tmp_path: Path) -> None:
    reader = ScriptedReader()
    async with hall.link("reader") as link, hall.link("board") as board:
        control = ReaderControl(link, reader, "s2", joka=False)
        reading = asyncio.get_running_loop().create_task(control.run())
        mat = Mat(hall, tmp_path)
        mat.begin()
        play(mat.engine, opening())
        await until(lambda: reader.asked == 1)
        reader.read(2)
        _, named = await mat.hears()
        assert isinstance(named, HeardPoem)
        mat.engine.submit(named.start, Origin.READER)
        assert mat.engine.state.phase is Phase.READING
        await board.say(READING_COMMAND, pack(ReadingCommand(ReadingWish.AGAIN, "operator")))
        await until(lambda: mat.engine.state.phase is Phase.RESTORE)
        assert mat.engine.state.again == 2
        assert reader.told[-1] == ReadPoem(2)

        reader.read(2)
        await mat.hears()
        await until(lambda: control.state.waits_for == ("mat-01",), 8)
        await board.say(READING_COMMAND, pack(ReadingCommand(ReadingWish.GO_ON, "operator")))
        await until(lambda: control.state.phase is ReadingPhase.READS)
        reading.cancel()
        assert await poems_read(link) == (2,)  # another reader could go on
        await mat.end()


async def test_a_mat_that_joins_in_the_middle_of_a_poem_hears_it(hall: SmallHall, tmp_path: Path) -> None:
    reader = ScriptedReader()
    async with hall.link("reader") as link:
        control = ReaderControl(link, reader, "s3", joka=False)
        reading = asyncio.get_running_loop().create_task(control.run())
        t_ns = reader.read(3)
        await until(lambda: control.state.read == (3,))
        mat = Mat(hall, tmp_path)
        play(mat.engine, opening())
        mat.begin()
        named = (await mat.hears())[-1]
        assert isinstance(named, HeardPoem)
        assert abs(named.start.t_ns - (t_ns + delay_of(30).ns)) <= named.start.t_unc_ns
        reading.cancel()
        await mat.end()


async def test_a_match_without_a_link_goes_on_and_says_so(own_hall: SmallHall, tmp_path: Path) -> None:
    mat = Mat(own_hall, tmp_path)
    await asyncio.to_thread(own_hall.server.kill)
    mat.begin()
    play(mat.engine, [*opening(), settled(mat.engine.state.home, 5), *poem(1, 1000)])
    await until(lambda: mat.station.link()["problem"] is not None)
    told = mat.live.port.health()["hall"]
    assert (told["mat"], told["state"]) == ("mat-01", "seeks")
    assert told["unsent"] == mat.engine.last_seq
    await until(lambda: mat.live.port.state()["takes_names"])
    await asyncio.to_thread(own_hall.server.start)
    await until(lambda: mat.station.link()["unsent"] == 0)
    await mat.end()


async def test_a_replay_of_an_earlier_match_and_no_other_is_fetched(hall: SmallHall, tmp_path: Path) -> None:
    pictures = b"PK" + bytes(300_000)

    mat = Mat(hall, tmp_path)
    mat.begin()
    play(mat.engine, whole_match())
    ruling = mat.live.port.state()["poems"][0]["seq"]
    mat.engine.note(EvidenceKept(ruling, PICTURES), Origin.DESK)
    evidence = mat.log.path.with_suffix(".evidence")
    evidence.mkdir()
    (evidence / PICTURES).write_bytes(pictures)
    stranger = tmp_path / "elsewhere.sqlite"  # a match of this machine that was not played in the hall
    subprocess.run(["cp", mat.log.path, stranger], check=True)
    following = replace(OPENED, id=f"{mat.match}_2")
    log = EventLog.create(tmp_path / f"{following.id}.sqlite")
    engine = Engine.begin(log, following)
    live = LiveMatch(engine, None, tmp_path, reader=mat.station.reader(""), hall_link=mat.station.link)
    live.begin(asyncio.get_running_loop())
    mat.station.follow(live)
    async with hall.link("board") as board:
        await until(lambda: mat.station.link()["state"] == "joined")

        async def ask(match: str, offset: int = 0) -> tuple[int, bytes] | None:
            wanted = pack(ReplayWanted(match, ruling, offset))
            data = (await _replay(board, wanted)).data
            return (int.from_bytes(data[:8]), data[8:]) if data else None

        assert await ask(mat.match) == (len(pictures), pictures[: 256 << 10])
        assert await ask(mat.match, 256 << 10) == (len(pictures), pictures[256 << 10 :])
        assert await ask("elsewhere") is None
        assert await ask(following.id) is None
    await live.end()
    await mat.end()
    log.close()


async def _replay(board: Link, wanted: bytes) -> Msg:
    """Ask the first mat, as soon as it listens."""
    while True:
        try:
            return await board.ask(replay_of("mat-01"), wanted, 5)
        except NoRespondersError:
            await asyncio.sleep(0.02)


def _note(states: list[MatState]) -> Heard:
    async def note(message: object) -> None:
        state = unpack(getattr(message, "data", b""))
        assert isinstance(state, MatState)
        states.append(state)

    return note


async def test_a_reader_goes_on_after_its_last_cue_whatever_it_said_of_itself(own_hall: SmallHall) -> None:
    """It was killed between a cue and its state, or the server lost the state."""
    async with own_hall.link("reader") as reader:
        assert await poems_read(reader) == ()
        said = ReadingState("s", ReadingPhase.READS, number=2, read=(9, 11, 12))
        for number, poem in ((1, 11), (2, 12), (3, 13), (4, 14), (3, 13)):
            await reader.keep(READING_CUE, pack(PoemCue("s", number, poem, 1, 1)))
        await reader.keep(READING_CUE, pack(VoidCue("s", 4)))
        await reader.keep(READING_CUE, pack(PoemCue("s", 5, 15, 1, 1)))
        await reader.say(READING_STATE, pack(said))
        await reader.client.flush()
        await until_said(reader)
        assert await poems_read(reader) == (9, 11, 12, 13, 15)
        await reader.keep(READING_CUE, pack(VoidCue("s", 2)))
        assert await poems_read(reader) == (9, 11, 13, 15)


async def until_said(reader: Link) -> None:
    async with asyncio.timeout(10):
        while not await poems_read(reader):
            await asyncio.sleep(0.01)
