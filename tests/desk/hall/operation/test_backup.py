"""A backup of a hall that runs, and what comes back of it."""

import json
import shutil
import stat
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from desk.commands import cli
from desk.errors import DeskError
from desk.hall.archive import Order, Outcome, Queue
from desk.hall.board.floor import Floor
from desk.hall.board.schedule import Schedule
from desk.hall.messages import EXPECTED_HEADER, EventBatch, MatState, pack
from desk.hall.operation.backup import back_up, restore
from desk.hall.store import hall_streams
from desk.hall.subjects import events_of, state_of
from desk.tournament.desk import TournamentDesk
from referee.tournament.division import System
from referee.tournament.draw import next_round
from referee.tournament.events import ResultEntered, TournamentOpened
from referee.tournament.pairing import Result
from tests.desk.hall.halls import WALL, SmallHall, entry, needs_server, run, small_hall, until, whole_log
from tests.desk.hall.page.hall_port import entrants_csv

pytestmark = needs_server
SUBJECT = events_of("mat-01", "m")
REPLAY = f"{'ab' * 32}.zip"


async def five_batches(hall: SmallHall) -> None:
    async with hall.link("mat-01") as mat:
        for seq in range(1, 6):
            batch = EventBatch("mat-01", "m", (entry(seq, "x" * 100_000),))
            await mat.keep(SUBJECT, pack(batch))


async def test_a_hall_that_lost_all_goes_on_from_its_backup(own_hall: SmallHall, tmp_path: Path) -> None:
    await five_batches(own_hall)
    async with own_hall.link("operator") as link, own_hall.link("mat-01") as mat:
        saved = await back_up(link, tmp_path / "backup")
        assert saved["EVENTS"] == 5
        with pytest.raises(DeskError, match="already, and a backup goes into an empty hall"):
            await restore(link, tmp_path / "backup")
        for config in hall_streams():
            await link.stream().delete_stream(str(config.name))
        again = await restore(link, tmp_path / "backup")
        assert again == saved
        last = await link.stream().get_last_msg("EVENTS", SUBJECT, direct=True)
        answer = await mat.keep(SUBJECT, b"next", {EXPECTED_HEADER: str(last.seq)})
        assert answer.seq == 6


async def test_what_is_still_to_be_judged_comes_back(own_hall: SmallHall, tmp_path: Path) -> None:
    """An order, one that a worker has taken and not finished, and one whose result came before the backup."""
    async with own_hall.link("operator") as link, own_hall.link("worker-1") as worker:
        queue = Queue(worker)
        orders = [Order(name, digit * 64, "program") for name, digit in (("a", "1"), ("b", "2"), ("c", "3"))]
        assert await queue.add(orders) == 3
        taken = await queue.take(5.0)
        assert taken is not None
        assert await queue.keep(Outcome(orders[2], "judged"))
        saved = await back_up(link, tmp_path / "backup")
        assert (saved["WORK"], saved["RESULTS"]) == (3, 1)
        with pytest.raises(DeskError, match="stream WORK has messages already"):
            await restore(link, tmp_path / "backup")
        for config in hall_streams():
            await link.stream().delete_stream(str(config.name))
        await restore(link, tmp_path / "backup")
        assert await queue.waiting() == 3
        again = [await queue.take(5.0) for _ in orders]
        assert [each[0] for each in again if each is not None] == orders
        assert await queue.outcome("3" * 64) == (Outcome(orders[2], "judged"), 1)


async def test_only_a_backup_is_replaced_and_only_on_demand(own_hall: SmallHall, tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()

    await five_batches(own_hall)
    async with own_hall.link("operator") as link, own_hall.link("mat-01") as mat:
        for asked in (False, True):
            with pytest.raises(DeskError, match="exists already: name another folder"):
                await back_up(link, tmp_path / "precious", replace=asked)
        await back_up(link, tmp_path / "backup")
        with pytest.raises(DeskError, match="replace the backup in it with --replace"):
            await back_up(link, tmp_path / "backup")
        await mat.keep(SUBJECT, b"later")
        saved = await back_up(link, tmp_path / "backup", replace=True)
        assert saved["EVENTS"] == 6
        (tmp_path / "file").write_text("")
        with pytest.raises(DeskError, match="cannot be written"):
            await back_up(link, tmp_path / "file" / "backup")
        with pytest.raises(DeskError, match="cannot be written"):  # halfway: the earlier one stays
            await back_up(link, tmp_path / "backup", keys=tmp_path / "nowhere", replace=True)

    assert json.loads((tmp_path / "backup" / "backup.json").read_text())["streams"]["EVENTS"]["messages"] == 6
    assert stat.S_IMODE((tmp_path / "backup").stat().st_mode) == 0o700
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup", "file", "hall", "precious"]


def test_a_backup_that_is_not_whole_or_not_of_this_hall_is_refused(tmp_path: Path) -> None:
    with small_hall(tmp_path / "hall") as hall, small_hall(tmp_path / "other") as other:

        async def test() -> None:
            await five_batches(hall)
            async with hall.link("operator") as link, other.link("operator") as stranger:
                await back_up(link, tmp_path / "backup")
                with pytest.raises(DeskError, match="the backup of another hall"):
                    await restore(stranger, tmp_path / "backup")
                events = tmp_path / "backup" / "EVENTS.jsonl"
                whole = events.read_bytes()
                for damaged in (
                    whole[:-1],
                    whole[: whole.index(b"\n") + 1],
                    whole.replace(b"mat-01", b"mat-02", 1),
                ):
                    events.write_bytes(damaged)
                    with pytest.raises(DeskError, match="not whole"):
                        await restore(link, tmp_path / "backup")
                events.unlink()
                with pytest.raises(DeskError, match="cannot be read"):
                    await restore(link, tmp_path / "backup")
                for about in ("[]", "{}", '{"format": 2, "streams": {}, "board": null}'):
                    (tmp_path / "backup" / "backup.json").write_text(about)
                    with pytest.raises(DeskError, match="holds no backup"):
                        await restore(link, tmp_path / "backup")
                with pytest.raises(DeskError, match="holds no backup"):
                    await restore(link, tmp_path / "nowhere")

        run(test)


class Board:
    """A board with a folder."""

    def __init__(self, hall: SmallHall, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.floor = Floor(hall.ticket("board"), folder / "matches")
        self.desk = TournamentDesk.at(folder / "tournament.sqlite", TournamentOpened("Spring", "12 May"))
        self.schedule = Schedule(self.desk, self.floor)
        self.floor.open()

    async def shown(self) -> tuple[str, str, list[str], bytes]:
        """Return what it shows: standings, results, matches, and the replay of the first ruling."""
        matches = await self.floor.matches()
        address = matches[0][1]["id"]
        port = self.floor.match(address)
        assert port is not None
        replay = next(filter(None, (port.evidence(poem["seq"]) for poem in port.state()["poems"])), None)
        assert replay is not None
        listed = [f"{mat} {match['id']} {match['names']}" for mat, match in matches]
        return self.schedule.standings_csv(), self.schedule.results_csv(), listed, replay.read_bytes()

    async def close(self) -> None:
        await self.floor.close()
        self.desk.close()


async def finished_tournament(hall: SmallHall, folder: Path) -> tuple[str, str, list[str], bytes]:
    """Play a match at a mat and a tournament at the board, and return what the board shows."""
    entries = whole_log(folder.parent, REPLAY)
    board = Board(hall, folder)
    async with hall.link("mat-01") as mat:
        await mat.keep(events_of("mat-01", "test_1"), pack(EventBatch("mat-01", "test_1", entries)))
        await mat.say(state_of("mat-01"), pack(MatState("mat-01", WALL)))
        await until(lambda: board.floor.copies.last_seq("mat-01", "test_1") == len(entries))
    evidence = board.floor.copies.path("mat-01", "test_1").with_suffix(".evidence")
    evidence.mkdir()
    (evidence / REPLAY).write_bytes(b"pictures")
    board.schedule.enter(entrants_csv(6), "list.csv", System.ELIMINATION, None)
    while not board.schedule.state.course("A").is_over:
        board.schedule.tell(next_round(board.schedule.state, "A"))
        for match, _ in board.schedule.state.open_matches():
            board.schedule.tell(ResultEntered(match.text(1), Result(0, 5)))
    shown = await board.shown()
    await board.close()
    return shown


def test_a_tournament_comes_back_to_a_new_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    with small_hall(first / "hall") as hall:
        shown = run(lambda: finished_tournament(hall, first / "board"))
        operator = str(first / "hall" / "tickets" / "operator.toml")
        arguments = ["hall", "backup", str(tmp_path / "today"), "--hall", operator]
        assert cli.main([*arguments, "--board", str(first / "nowhere")]) == 2
        assert "--without-board" in capsys.readouterr().err
        assert cli.main([*arguments, "--board", str(first / "board")]) == 0
        assert "EVENTS: 1 messages" in capsys.readouterr().out
        mat = hall.ticket("mat-01")
    shutil.rmtree(first)
    shutil.copytree(tmp_path / "today" / "keys", second / "hall")
    with small_hall(second / "hall") as hall:
        assert replace(hall.ticket("mat-01"), servers=mat.servers) == mat, (
            "tickets that were given out stay valid"
        )
        operator = str(second / "hall" / "tickets" / "operator.toml")
        arguments = ["hall", "restore", str(tmp_path / "today"), "--hall", operator]
        assert cli.main([*arguments, "--board", str(second / "board")]) == 0

        async def look(folder: Path) -> tuple[str, str, list[str], bytes]:
            board = Board(hall, folder)
            await until(lambda: board.floor.copies.last_seq("mat-01", "test_1") > 0)
            found = await board.shown()
            await board.close()
            return found

        assert run(lambda: look(second / "board")) == shown
        assert cli.main([*arguments, "--board", str(second / "board")]) == 2
        assert "holds a board already" in capsys.readouterr().err


@pytest.mark.parametrize(
    "action", [["backup", "folder", "--without-board"], ["restore", "folder"], ["forget", "Hana"]]
)
def test_another_ticket_than_the_operators_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], action: list[str]
) -> None:
    hall = SmallHall(tmp_path / "hall")
    ticket = str(tmp_path / "hall" / "tickets" / "mat-01.toml")
    assert hall.ticket("mat-01").user == "mat-01"
    assert cli.main(["hall", *action, "--hall", ticket]) == 2
    assert "is a ticket for a mat; take operator.toml" in capsys.readouterr().err
