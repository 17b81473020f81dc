"""A camera over HTTP films a table in real time: it is refereed live as its recording is judged."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import av
import pytest

from desk.camera_table import CameraTable
from desk.event_log import EventLog
from desk.koikoi_desk import KoiKoiDesk
from desk.koikoi_events import GameOpened
from desk.koikoi_film import load_koikoi
from desk.koikoi_judge import judge_table
from desk.koikoi_live import LiveKoiKoi
from referee.koikoi.events import Draw, Play
from referee.koikoi.house_rules import preset
from vision.simulator.cardtable.recording import film_koikoi, write_koikoi_recording
from vision.simulator.hanafuda_art import drawn_deck

sys.path.insert(0, str(Path(__file__).parents[1] / "vision"))  # the HTTP camera of the sources' tests
from http_camera import Part, Script, http_camera

FPS = 15.0
_LATE_S = 2.0


def parts_of(video: Path) -> list[Part]:
    """Return the very pictures of a film, each at its instant."""
    with av.open(str(video)) as container:
        return [
            Part(float(packet.pts * packet.time_base), bytes(packet))
            for packet in container.demux(video=0)
            if packet.pts is not None and packet.time_base is not None
        ]


@pytest.mark.slow
def test_a_camera_is_refereed_live_as_its_recording_is_judged(tmp_path: Path) -> None:
    koikoi = film_koikoi(drawn_deck(), seed=103, look="wood", pace=0.5, longest=2, fps=FPS)
    folder = write_koikoi_recording(koikoi, tmp_path / "film", "mjpeg")
    judged = [event for event in judge_table(folder)["events"] if event["kind"] in {"play", "draw"}]
    recording = load_koikoi(folder)
    log = EventLog.create(tmp_path / "live.sqlite")
    dealer = koikoi.rounds[0].dealer
    desk = KoiKoiDesk(log, GameOpened("live", "camera", 2, dealer, preset(), "shinpan"))
    parts = parts_of(recording.video)

    async def watch(url: str) -> None:
        live = LiveKoiKoi(desk, CameraTable(url), recording.deck, recording.zones)
        live.begin(asyncio.get_running_loop())
        await asyncio.sleep(parts[-1].t_s + _LATE_S)
        assert live.failure is None
        await live.end()

    with http_camera(Script([parts, []])) as url:
        asyncio.run(watch(url))
    desk.game.scribe.close()
    moves = [noted.event for noted in desk.game.scribe.notes if isinstance(noted.event, Play | Draw)]
    assert len(moves) == 4
    assert [(type(move).__name__.lower(), move.player, move.card, list(move.taken)) for move in moves] == [
        (event["kind"], event["player"], event["card"], event["taken"]) for event in judged
    ]
    assert desk.game.scribe.flags == []
