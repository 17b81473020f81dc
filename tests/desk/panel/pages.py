"""The pages of running games, each on a real desk with a real log."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import Mock

from fastapi import FastAPI

from desk.karuta.house.agreement import Agreement
from desk.karuta.house.house import House
from desk.kendo.card_game import KENDO
from desk.kendo.desk import KendoDesk
from desk.kendo.events import BoutOpened
from desk.koikoi.card_game import KOIKOI
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import GameOpened
from desk.log.event_log import EventLog
from desk.panel.app import create_app
from desk.panel.reciter.routes import create_recite_app
from desk.tables.live_game import game_app, page_of
from referee.kendo import house_rules as kendo_rules
from referee.koikoi import house_rules as koikoi_rules
from tests.desk.commands.test_damaged_inputs import match_log
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.art.kendo.deck import drawn_kendo_deck


class Page:
    """One application on a loop of its own.

    Attributes
    ----------
    app : answers.
    leaving : what is called at the end.
    """

    def __init__(self, app: FastAPI, *leaving: Callable[[], Awaitable[None] | None]) -> None:
        self.app, self.leaving = app, leaving
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, story: Coroutine[Any, Any, None]) -> None:
        """Run something on the loop to which the application belongs."""
        asyncio.run_coroutine_threadsafe(story, self._loop).result()

    def close(self) -> None:
        """Leave the game and stop the loop."""
        self.run(self._left())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _left(self) -> None:
        for leave in self.leaving:
            if (waiting := leave()) is not None:
                await waiting
        streams = asyncio.all_tasks() - {asyncio.current_task()}
        for stream in streams:
            stream.cancel()
        await asyncio.gather(*streams, return_exceptions=True)
        await self._loop.shutdown_default_executor()


def _karuta(folder: Path) -> Page:
    kept = folder / "data"
    kept.mkdir(parents=True)
    match_log(kept / "match_1.sqlite")
    house = House(kept, Agreement())

    async def resumed() -> None:
        house.resume("match_1")

    page = Page(create_app(house=house, addresses=["http://192.0.2.1:8321"]), house.close)
    page.run(resumed())
    return page


def _koikoi(folder: Path) -> Page:
    log = EventLog.create(folder / "data" / "game.sqlite")
    opened = GameOpened("game", "simulator", 2, 0, koikoi_rules.preset(), "drawn")
    return Page(game_app(KOIKOI, page_of(KOIKOI, KoiKoiDesk(log, opened), drawn_deck())), log.close)


def _kendo(folder: Path) -> Page:
    log = EventLog.create(folder / "data" / "bout.sqlite")
    opened = BoutOpened("bout", "simulator", kendo_rules.preset(), "drawn", 63.0)
    return Page(game_app(KENDO, page_of(KENDO, KendoDesk(log, opened), drawn_kendo_deck())), log.close)


def _reciter(_folder: Path) -> Page:
    port = Mock()  # what it is asked for is checked before it is reached
    port.do.return_value = True
    port.now_ns.return_value = 1
    port.kimariji_of.return_value = "む"
    port.now.return_value = {
        "state": "reading",
        "step": 1,
        "steps": 200,
        "half": "kami",
        "is_joka": False,
        "read": [70, 87],
        "poems": 100,
        "changes": [],
        "memorise_ends_ns": None,
        "underruns": 0,
        "volume": 1.0,
        "problem": "",
        "why": "",
        "streamed": False,
    }
    return Page(create_recite_app(port))


PAGES: Mapping[str, Callable[[Path], Page]] = {
    "page of karuta": _karuta,
    "page of Koi-Koi": _koikoi,
    "page of Kendo": _kendo,
    "page of the reciter": _reciter,
}
