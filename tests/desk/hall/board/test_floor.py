"""A board in a real hall: mats, their matches and replays, the reader, and who plays where."""

import asyncio
import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from nats.aio.msg import Msg

from desk.hall import subjects
from desk.hall.board import floor as floor_module
from desk.hall.board.floor import Floor
from desk.hall.board.schedule import Schedule
from desk.hall.link import Link
from desk.hall.messages import (
    EventBatch,
    MatState,
    Pairing,
    ReadingCommand,
    ReadingPhase,
    ReadingState,
    ReadingWish,
    ReplayWanted,
    pack,
    unpack,
)
from desk.log.event_log import LogEntry
from desk.tournament.desk import TournamentDesk
from referee.sides import BySide, Side
from referee.tournament.division import System
from referee.tournament.draw import next_round
from referee.tournament.events import ResultEntered, TournamentOpened
from referee.tournament.pairing import Result
from tests.desk.hall.halls import WALL, SmallHall, needs_server, small_hall, until, whole_log
from tests.desk.hall.page.hall_port import entrants_csv

pytestmark = needs_server
PICTURES = b"PK" + bytes(range(256)) * 3000


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallHall]:
    with small_hall(tmp_path_factory.mktemp("hall"), mats=4) as hall:
        yield hall


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> list[LogEntry]:
    """Return the log of a match of four cards, whose third ruling has a replay."""
    return [*whole_log(tmp_path_factory.mktemp("mat"), f"{hashlib.sha256(PICTURES).hexdigest()}.zip")]


def state(mat: str, **changes: Any) -> MatState:
    names: BySide[str | None] = BySide("Aoi", "Ben")
    return replace(MatState(mat, WALL, "test_1", 9, names, "poem", follows=True, ready=True), **changes)


async def publish(link: Link, mat: str, entries: list[LogEntry], size: int = 7) -> None:
    for first in range(0, len(entries), size):
        batch = EventBatch(mat, "test_1", tuple(entries[first : first + size]))
        await link.keep(subjects.events_of(mat, "test_1"), pack(batch))


async def at_server() -> None:
    """Let a subscription arrive: nats-py's `flush` does not wait for it."""
    await asyncio.sleep(0.1)


def opened(hall: SmallHall, folder: Path) -> Floor:
    floor = Floor(hall.ticket("board"), folder)
    floor.open()
    return floor


async def test_the_board_copies_a_match_and_shows_its_replay(
    hall: SmallHall, entries: list[LogEntry], tmp_path: Path
) -> None:
    floor = opened(hall, tmp_path)
    async with hall.link("mat-01") as mat:

        async def answer(message: Msg) -> None:
            wanted = unpack(message.data)
            assert isinstance(wanted, ReplayWanted)
            piece = PICTURES[wanted.offset : wanted.offset + 200_000]
            await mat.answer(message, len(PICTURES).to_bytes(8) + piece)

        await mat.listen(subjects.replay_of("mat-01"), answer)
        await at_server()
        await mat.say(subjects.state_of("mat-01"), pack(state("mat-01")))
        await publish(mat, "mat-01", entries[:20])
        await until(lambda: floor.copies.last_seq("mat-01", "test_1") == 20)
        match = floor.match("mat-01~test_1")
        assert match is not None
        events = match.events(0)
        assert [(await anext(events))["seq"] for _ in range(20)] == list(range(1, 21))
        await publish(mat, "mat-01", entries)  # all of it once more, as after a lost answer
        await until(lambda: floor.copies.last_seq("mat-01", "test_1") == len(entries))
        assert (await anext(events))["seq"] == 21
        await events.aclose()  # type: ignore[attr-defined]
        snapshot = match.state()
        assert (snapshot["winner"], snapshot["seq"]) == ("near", len(entries))
        ruling = snapshot["poems"][-1]
        assert ruling["evidence"]
        assert match.evidence(ruling["seq"]) is None
        await floor.fetch_replay("mat-01~test_1", ruling["seq"])
        path = match.evidence(ruling["seq"])
        assert path is not None
        assert path.read_bytes() == PICTURES
        assert floor.state().mats[0].address == "mat-01~test_1"
        listed = dict(await floor.matches())["mat-01"]
        assert (listed["id"], listed["winner"]) == ("mat-01~test_1", "near")
    await floor.close()


async def test_a_false_replay_is_not_kept_and_a_silent_mat_not_waited_for(
    hall: SmallHall, entries: list[LogEntry], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    floor = opened(hall, tmp_path)
    async with hall.link("mat-02") as mat:
        await publish(mat, "mat-02", entries)
        await until(lambda: floor.copies.last_seq("mat-02", "test_1") == len(entries))
        match = floor.match("mat-02~test_1")
        assert match is not None
        ruling = match.state()["poems"][-1]["seq"]
        await floor.fetch_replay("mat-02~test_1", ruling)  # nobody answers
        assert match.evidence(ruling) is None

        async def answer(message: Msg) -> None:
            await mat.answer(message, (5).to_bytes(8) + b"other")

        await mat.listen(subjects.replay_of("mat-02"), answer)
        await at_server()
        await floor.fetch_replay("mat-02~test_1", ruling)
        assert match.evidence(ruling) is None
    await floor.close()

    assert "mat-02 sent a replay of ruling 36 that differs" in capsys.readouterr().err


async def test_mats_and_reader_fall_silent(
    hall: SmallHall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floor_module, "SILENT_S", 0.3)

    floor = opened(hall, tmp_path)
    heard: list[ReadingCommand] = []
    async with hall.link("mat-03") as mat, hall.link("reader") as reader:

        async def hear(message: Msg) -> None:
            command = unpack(message.data)
            assert isinstance(command, ReadingCommand)
            heard.append(command)

        await reader.listen(subjects.READING_COMMAND, hear)
        await at_server()
        assert not await floor.wish("pause", "board"), "there is no reader yet"
        reading = ReadingState("s", ReadingPhase.WAITS, 3, (17,), waits_for=("mat-03",), limit_s=60.0, mats=2)
        await mat.say(subjects.state_of("mat-03"), pack(state("mat-03", hands=(Side.FAR,))))
        await reader.say(subjects.READING_STATE, pack(reading))
        await until(lambda: floor.state().reading is not None and "mat-03" in floor.mats)
        assert await floor.wish("go_on", "board")
        await until(lambda: bool(heard))
        assert heard == [ReadingCommand(ReadingWish.GO_ON, "board")]
        shown = floor.state()
        (mat_shown,) = (each for each in shown.mats if each.state.mat == "mat-03")
        assert shown.reading is not None
        assert (shown.reading.waits_for, shown.reading.read) == (("mat-03",), (17,))
        assert (mat_shown.state.hands, mat_shown.silent_s) == ((Side.FAR,), None)
        assert not shown.is_reader_silent
        await asyncio.sleep(0.4)
        shown = floor.state()
        assert all(each.silent_s is not None for each in shown.mats)
        assert shown.is_reader_silent
        assert not await floor.wish("go_on", "board")
    await floor.close()


async def test_a_tournament_puts_matches_onto_mats_and_hears_who_won(hall: SmallHall, tmp_path: Path) -> None:
    floor = Floor(hall.ticket("board"), tmp_path / "matches")
    desk = TournamentDesk.at(tmp_path / "t.sqlite", TournamentOpened("spring", "s"))
    schedule = Schedule(desk, floor)
    floor.open()
    saying = asyncio.get_running_loop().create_task(schedule.run())
    heard: list[Pairing] = []

    async def hear(message: Msg) -> None:
        pairing = unpack(message.data)
        assert isinstance(pairing, Pairing)
        heard.append(pairing)

    async with hall.link("mat-01") as mat, hall.link("mat-02") as other:
        await mat.listen(subjects.pairing_of("mat-01"), hear)
        await at_server()
        for link in (mat, other):
            name = link.ticket.user
            idle = MatState(name, WALL)
            await link.say(subjects.state_of(name), pack(idle))

        def free() -> bool:
            mats = [mat for mat in floor.state().mats if mat.state.phase == "idle" and mat.silent_s is None]
            return [mat.state.mat for mat in mats] == ["mat-01", "mat-02"]

        await until(free)
        assert schedule.enter(entrants_csv(6), "list.csv", System.ELIMINATION, None) == 6
        schedule.tell(next_round(schedule.state, "A"))
        assert schedule.place("A") == 2
        await until(lambda: bool(heard))
        players = schedule.state.open_matches()[0][1].players
        assert heard == [Pairing("mat-01", "A-1-1", "A – 1", BySide(*players))]
        assert floor.state().mats[0].title == "A-1-1"
        won = state(
            "mat-01", names=BySide(*players[::-1]), phase="over", winner=Side.NEAR, counts=BySide(0, 8)
        )
        await mat.say(subjects.state_of("mat-01"), pack(won))
        await until(lambda: bool(schedule.proposals()))
        assert schedule.proposals() == {"A-1-1": {"winner": 1, "cards": 8}}
        await mat.say(subjects.state_of("mat-01"), pack(replace(won, names=BySide("Zoe", players[0]))))
        await until(lambda: not schedule.proposals())
        schedule.tell(ResultEntered("A-1-1", Result(0, 8)))
        await until(lambda: len(heard) == 2)
        assert heard[1] == Pairing("mat-01", "", "", BySide.both(None)), "nobody plays there any more"
    saying.cancel()
    await floor.close()
    assert "A-1-1" in schedule.results_csv()
    assert "rank" in schedule.standings_csv()
    desk.close()
