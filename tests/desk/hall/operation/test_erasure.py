"""A person who is forgotten in a hall: nothing that the product wrote holds the name any more."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from desk.commands import cli
from desk.hall.board.floor import Floor
from desk.hall.board.schedule import Schedule
from desk.hall.link import Link
from desk.hall.mat.sender import Outbox, Sender
from desk.hall.messages import MatState, Pairing, pack
from desk.hall.operation import erasure
from desk.hall.store import Kept, everything
from desk.hall.subjects import events_of, pairing_of, state_of
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import Remark
from desk.log.event_log import EventLog
from desk.tables.person import Person
from desk.tournament.desk import TournamentDesk
from referee.sides import BySide
from referee.tournament.division import System
from referee.tournament.events import TournamentOpened
from tests.desk.hall.halls import WALL, SmallHall, needs_server, run, small_hall, until
from tests.desk.karuta.karuta_script import OPENED, play, whole_match

pytestmark = needs_server
NAME, OTHER = "佐藤 花子", "Ben"
PERSON = Person(NAME, "(1a2b3c)")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "shinpan"


class Mat:
    """A mat with matches in a folder, sent for as long as a block runs."""

    def __init__(self, folder: Path, hall: SmallHall) -> None:
        self._outbox = Outbox(folder, "mat-01")
        self._link = Link(hall.ticket("mat-01"))
        self._sender = Sender(self._link, self._outbox)
        for path in sorted(folder.glob("*.sqlite")):
            self._outbox.join(path.stem)

    async def __aenter__(self) -> Link:
        self._link.open()
        self._task = asyncio.get_running_loop().create_task(self._sender.run())
        await self._link.joined()
        await until(lambda: self._sender._compared > 0 and self._sender.unsent == 0, 10)
        return self._link

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._link.close()
        self._outbox.close()


async def sent(home: Path, hall: SmallHall) -> None:
    async with Mat(home / "matches", hall):
        pass


def play_two_matches(folder: Path) -> None:
    folder.mkdir(parents=True)
    for match, near in (("with", NAME), ("without", "Aoi")):
        log = EventLog.create(folder / f"{match}.sqlite")
        engine = Engine.begin(log, replace(OPENED, id=match, names=BySide(near, OTHER)), wall=lambda: WALL)
        play(engine, whole_match())
        engine.note(Remark(1, f"{near} asks for a fan"), Origin.OPERATOR)
        log.close()


def holding(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and PERSON.is_in(path.read_bytes()):
            yield path


@pytest.mark.parametrize("nodes", [1, 3])
def test_no_file_of_a_hall_holds_a_forgotten_name(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], nodes: int
) -> None:
    """Three servers keep copies for one another, and a log of all messages beside each copy."""
    play_two_matches(home / "matches")
    with small_hall(tmp_path / "hall", nodes=nodes) as hall:
        operator = str(tmp_path / "hall" / "tickets" / "operator.toml")
        forget = ["hall", "forget", NAME, "--hall", operator]

        async def day() -> None:
            floor = Floor(hall.ticket("board"), home / "board" / "matches")
            floor.open()
            desk = TournamentDesk.at(
                home / "board" / "tournament.sqlite", TournamentOpened("Spring", "12 May")
            )
            Schedule(desk, floor).enter(
                f"class,name\nA,{NAME}\nA,{OTHER}\n".encode(), "l.csv", System.SWISS, 1
            )
            async with Mat(home / "matches", hall) as link, hall.link("board") as board:
                for near in (NAME, "Aoi"):  # what was said last lies on the disk beside what was said before
                    state = MatState("mat-01", WALL, names=BySide(near, OTHER))
                    await link.keep(state_of("mat-01"), pack(state))
                    await board.keep(
                        pairing_of("mat-01"), pack(Pairing("mat-01", "A-1-1", "A – 1", BySide(near, OTHER)))
                    )
                for match in ("with", "without"):
                    await until(lambda match=match: floor.copies.last_seq("mat-01", match) > 9)  # type: ignore[misc]
            await floor.close()
            desk.close()

        async def next_day() -> None:
            floor = Floor(hall.ticket("board"), home / "board" / "matches")
            floor.open()
            async with Mat(home / "matches", hall):
                await until(lambda: floor.copies.last_seq("mat-01", "with") > 9)
                async with hall.link("operator") as link:
                    for match in ("with", "without"):
                        await link.stream().get_last_msg("EVENTS", events_of("mat-01", match))
            listed = {match["id"]: match["names"] for _, match in await floor.matches()}
            assert listed["mat-01~with"] == {"near": None, "far": OTHER}
            assert listed["mat-01~without"] == {"near": "Aoi", "far": OTHER}
            await floor.close()

        run(day, 40)
        assert list(holding(tmp_path))
        assert cli.main(forget) == 2
        told = capsys.readouterr()
        assert f"EVENTS {events_of('mat-01', 'with')}: " in told.out
        assert events_of("mat-01", "without") not in told.out
        assert "nothing was deleted yet" in told.err
        cli.main(["log", "forget", "--person", NAME, "--yes"])
        assert cli.main([*forget, "--yes"]) == 0
        assert "no message of the hall holds this name" in capsys.readouterr().out
        run(next_day, 40)
        assert cli.main(forget) == 0
        assert list(holding(tmp_path)) == [], "while the server runs"
        for server in hall.servers:
            server.stop()
        assert list(holding(tmp_path)) == [], "on the disk"


def test_a_server_that_is_away_would_keep_the_name(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "_THERE_WITHIN_S", 1.0)
    play_two_matches(home / "matches")
    with small_hall(tmp_path / "hall", nodes=3) as hall:
        run(lambda: sent(home, hall), 40)
        hall.servers[2].kill()
        operator = str(tmp_path / "hall" / "tickets" / "operator.toml")
        forget = ["hall", "forget", NAME, "--hall", operator]
        assert cli.main([*forget, "--yes"]) == 2
        assert "nothing was deleted; start it" in capsys.readouterr().err
        for _ in range(120):  # while the other two agree on who leads, nothing is handed out
            time.sleep(0.5)
            assert cli.main(forget) == 2
            if events_of("mat-01", "with") in (told := capsys.readouterr()).out:
                return
            assert "does not hand out" in told.err
        pytest.fail("two of three servers hand nothing out")


def test_a_server_that_dies_during_the_deletion_is_told_of_until_it_has_forgotten_too(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was there when it was looked for the second time; later nothing said that it holds the name."""
    monkeypatch.setattr(erasure, "_THERE_WITHIN_S", 5.0)
    monkeypatch.setattr(erasure, "_COPIED_WITHIN_S", 8.0)
    play_two_matches(home / "matches")
    with small_hall(tmp_path / "hall", nodes=3) as hall:

        async def dying(link: Link, person: Person) -> dict[str, list[int]]:
            found = await traces(link, person)
            if hall.servers[2].runs:
                hall.servers[2].kill()
            return found

        run(lambda: sent(home, hall), 40)
        cli.main(["log", "forget", "--person", NAME, "--yes"])
        forget = ["hall", "forget", NAME, "--hall", str(tmp_path / "hall" / "tickets" / "operator.toml")]
        traces = erasure.traces
        with monkeypatch.context() as patched:
            patched.setattr(erasure, "traces", dying)
            assert cli.main([*forget, "--yes"]) == 2
        for _ in range(60):  # the other two agree on who leads meanwhile, and hand nothing out
            assert cli.main(forget) == 2
            if "does not hand out" not in (told := capsys.readouterr()).err:
                break
            time.sleep(0.5)
        assert events_of("mat-01", "with") in told.out or "not there, and may hold it" in told.err
        hall.servers[2].start()
        run(hall.lay_out, 60)
        assert cli.main(forget) == 2, "the one that was away may hold it yet"
        assert cli.main([*forget, "--yes"]) == 0, capsys.readouterr().err
        assert cli.main(forget) == 0
        for server in hall.servers:
            server.stop()
        assert list(holding(tmp_path)) == []


def test_a_server_that_has_not_caught_up_is_not_believed(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages are handed out by any server that has the stream: one that lags has no name to show."""
    play_two_matches(home / "matches")
    with small_hall(tmp_path / "hall") as hall:

        async def lagging(link: Link, stream: str, subject: str) -> AsyncGenerator[Kept, None]:
            async with aclosing(everything(link, stream, subject)) as messages:
                async for kept in messages:
                    if kept.subject != events_of("mat-01", "with"):
                        yield kept

        run(lambda: sent(home, hall))
        forget = ["hall", "forget", NAME, "--hall", str(tmp_path / "hall" / "tickets" / "operator.toml")]
        with monkeypatch.context() as patched:
            patched.setattr(erasure, "everything", lagging)
            assert cli.main([*forget, "--yes"]) == 2
            assert "EVENTS: " in (told := capsys.readouterr()).err
            assert "a server has not caught up yet" in told.err
        assert cli.main(forget) == 2
        assert events_of("mat-01", "with") in capsys.readouterr().out
