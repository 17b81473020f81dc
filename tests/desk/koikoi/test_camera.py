"""A camera over HTTP films a table in real time: it is refereed live as it was played."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import av
import pytest

from desk.koikoi.card_game import KOIKOI
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import GameOpened
from desk.log.event_log import EventLog
from desk.tables.camera_table import CameraTable
from desk.tables.live_game import LiveGame
from desk.tables.table_opening import OpenedTable
from referee.koikoi.events import Draw, Play
from referee.koikoi.house_rules import preset
from tests.vision.sources.http_camera import Part, Script, http_camera
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.recording import film_koikoi, write_video

pytestmark = pytest.mark.live

FPS = 15.0
_PATIENCE_S = 30.0  # largest delay of the eye on a busy machine
_STILL_S = 2.0  # time for which the deal lies before play: the eye learns the table and the deck


def parts_of(video: Path) -> list[Part]:
    """Return the very pictures of a film, each at its instant."""
    with av.open(str(video)) as container:
        film = [
            Part(_STILL_S + float(packet.pts * packet.time_base), bytes(packet))
            for packet in container.demux(video=0)
            if packet.pts is not None and packet.time_base is not None
        ]
    return [Part(number / FPS, film[0].jpeg) for number in range(round(_STILL_S * FPS))] + film


def moves_of(desk: KoiKoiDesk) -> list[Play | Draw]:
    return [noted.event for noted in desk.game.scribe.notes if isinstance(noted.event, Play | Draw)]


@pytest.mark.slow
def test_a_camera_is_refereed_live_as_its_film_was_played(tmp_path: Path) -> None:
    koikoi = film_koikoi(drawn_deck(), seed=209, look="wood", pace=0.55, longest=2, fps=FPS)
    write_video(koikoi.film, tmp_path / "film.mkv", "mjpeg")
    log = EventLog.create(tmp_path / "live.sqlite")
    dealer = koikoi.rounds[0].dealer
    desk = KoiKoiDesk(log, GameOpened("live", "camera", 2, dealer, preset(), "shinpan"))
    parts = parts_of(tmp_path / "film.mkv")
    turns = koikoi.rounds[0].turns
    expected = [(move.kind, turn.player, move.card, move.taken) for turn in turns for move in turn.moves]

    async def watch(url: str) -> None:
        table = CameraTable(url)
        opened = OpenedTable(lambda: table, "camera", koikoi.deck, koikoi.zones.zones, (), 2, dealer)
        live = LiveGame(KOIKOI, desk, table, opened)
        live.begin(asyncio.get_running_loop())
        until_s = time.monotonic() + parts[-1].t_s + _PATIENCE_S
        while len(moves_of(desk)) < len(expected) and time.monotonic() < until_s:
            await asyncio.sleep(0.1)
        assert live.failure is None
        if len(moves_of(desk)) < len(expected) and table.dropped > 0.2 * len(parts):
            pytest.skip("this machine is too busy to watch a camera in real time")
        await live.end()

    with http_camera(Script([parts, []])) as url:
        asyncio.run(watch(url))
    desk.game.close()
    moves = moves_of(desk)
    assert [turn.player for turn in turns] == [dealer, 1 - dealer]
    assert [(type(move).__name__.lower(), move.player, move.card, move.taken) for move in moves] == expected
    assert sum(bool(move.taken) for move in moves) > 1
    assert desk.game.scribe.flags == []
