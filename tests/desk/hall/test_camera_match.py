"""A match under a camera in a hall: its reader is heard, the play is seen, and the board shows the replay."""

import asyncio
from pathlib import Path
from zipfile import is_zipfile

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from desk.hall.board.floor import Floor
from desk.hall.mat.delay import delay_of
from desk.hall.mat.station import Station
from desk.hall.messages import Pairing, ReadingCommand, ReadingWish, pack
from desk.hall.reading.reader_control import ReaderControl
from desk.hall.subjects import READING_COMMAND, pairing_of
from desk.karuta.house.agreement import Agreement
from desk.karuta.house.house import House
from desk.log.event_log import EventLog
from referee.sides import BySide
from tests.desk.hall.halls import needs_server, run, small_hall, until
from tests.desk.hall.test_hall_match import ScriptedReader
from tests.desk.panel.commands import command as command_of
from tests.desk.waiting_mat import WaitingMat
from tests.vision.sources.http_camera import Script, http_camera
from vision.simulator.hall.match import single_poem

pytestmark = [needs_server, pytest.mark.live]
FPS = 30
DISTANCE_M = 10.0


def test_a_camera_match_follows_the_halls_reader(tmp_path: Path) -> None:
    played = single_poem("own", 3, FPS, (640, 360), cards_per_side=4)
    (read,) = played.readings
    taken_by = played.truth["poems"][0]["ruling"]["taken_by"]
    mat = WaitingMat(played, read.t_ms, FPS)
    names: BySide[str | None] = BySide("花子", "太郎")

    async def test() -> None:
        reader = ScriptedReader()
        station = Station(hall.ticket("mat-01"), tmp_path, delay_of(DISTANCE_M))
        house = House(tmp_path, Agreement(), hall=station)
        floor = Floor(hall.ticket("board"), tmp_path / "board")
        station.open()
        floor.open()
        async with hall.link("reader") as link, hall.link("board") as board:
            said = pack(Pairing("mat-01", "A-1-1", "A – 1", names))
            await board.keep(pairing_of("mat-01"), said)
            await house.set_up.choose("camera", camera)
            await until(lambda: house.set_up.state()["counts"] == {"near": 4, "far": 4}, 20)
            seat = house.set_up.state()["seat"]
            assert seat is not None
            assert seat["title"] == "A – 1"
            near, far = seat["names"]["near"] or "", seat["names"]["far"] or ""
            agreed = Agreement(near, far, cards_per_side=4, memorise_min=15)
            assert await house.set_up.start(agreed.to_json()) is None

            control = ReaderControl(link, reader, "session", joka=False)
            reading = asyncio.get_running_loop().create_task(control.run())
            begun = house.match
            assert begun is not None
            assert begun.state()["phase"] == "set_up", "the hall memorises together"
            while begun.state()["phase"] == "set_up":  # the reader may not listen yet
                await board.say(READING_COMMAND, pack(ReadingCommand(ReadingWish.MEMORISE, "board")))
                await asyncio.sleep(0.2)
            assert begun.state()["phase"] == "memorise"
            await begun.command(command_of("start"))  # the players are ready
            await until(lambda: reader.asked == 1, 20)  # the mat is ready by itself
            t_ns = reader.read(read.poem)
            mat.is_played.set()
            match = house.match
            assert match is not None
            await until(lambda: bool(match.state()["poems"]), 20)
            await until(lambda: station.link()["unsent"] == 0, 20)
            (poem,) = match.state()["poems"]
            assert poem["poem"] == read.poem
            assert poem["status"] == "review" or poem["taken_by"] == taken_by
            assert match.state()["match"]["names"] == {"near": "花子", "far": "太郎"}
            reading.cancel()

            await until(lambda: match.state()["poems"][0]["evidence"], 20)
            seq = match.state()["seq"]
            match_id = match.state()["match"]["id"]
            await until(lambda: floor.copies.last_seq("mat-01", match_id) >= seq, 20)
            await floor.fetch_replay(f"mat-01~{match_id}", poem["seq"])
            shown = floor.match(f"mat-01~{match_id}")
            assert shown is not None
            replay = shown.evidence(poem["seq"])
            assert replay is not None
            assert is_zipfile(replay)
        await floor.close()
        await house.close()
        await station.close()
        with EventLog.read(next(tmp_path.glob("match_*.sqlite"))) as log:
            (start,) = (entry.payload for entry in log.entries(kinds=("poem_started",)))
        heard_ns = t_ns + delay_of(DISTANCE_M).ns
        assert abs(start["t_ns"] - heard_ns) <= start["t_unc_ns"]
        assert start["t_unc_ns"] < 20_000_000

    with small_hall(tmp_path / "hall") as hall, http_camera(Script([mat])) as camera:
        run(test, 90.0)
