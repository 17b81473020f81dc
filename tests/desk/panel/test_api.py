"""The panels answer what they describe: asked from their own descriptions (OpenAPI) by schemathesis."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

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
from referee.sides import Side
from tests.desk.karuta.karuta_script import begin, opening, play, poem
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
    engine = begin(kept / "match_1.sqlite")
    play(engine, [*opening(), *poem(1, 1000, (1, Side.NEAR, 900))])
    engine._log.close()
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


_HERE = "http://127.0.0.1"
_ENDLESS = ("/events", ".mjpeg", "/sound")
_CHECKS = [
    schemathesis.checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


class Examination:
    """Asks all addresses of a page.

    `requests`: how many were sent. `problems`: what the answers had that the description has not, by address,
    with how often.
    """

    def __init__(self, page: Page) -> None:
        self.requests = 0
        self.problems: Counter[str] = Counter()
        self._page = page

    def ask_all(self, examples: int, dice: int) -> None:
        """Send `examples` requests of each kind to each address, from the dice's number `dice`."""
        for operation in self._operations():
            for mode in GenerationMode:
                if mode is GenerationMode.POSITIVE or _can_misfit(operation):
                    self._ask(operation.as_strategy(generation_mode=mode), examples, dice)

    def _operations(self) -> Iterator[Any]:
        described = schemathesis.openapi.from_dict(self._page.app.openapi())
        for found in described.get_all_operations():
            assert isinstance(found, Ok), found
            operation = found.ok()
            if not operation.path.endswith(_ENDLESS):
                yield operation

    def _ask(self, strategy: Any, examples: int, dice: int) -> None:
        @seed(dice)
        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            verbosity=Verbosity.quiet,
            suppress_health_check=list(HealthCheck),
        )
        @given(strategy)
        def asked(case: Any) -> None:
            self._one(case)

        asked()

    def _one(self, case: Any) -> None:
        self.requests += 1
        where = f"{case.method} {case.operation.path}"
        try:
            response = self._answer(case.as_transport_kwargs(base_url=_HERE))
        except Exception as error:  # noqa: BLE001 (whatever leaves the application is a server error)
            self.problems[f"{where}: {type(error).__name__}: {error}"[:200]] += 1
            return
        try:
            case.validate_response(response, checks=_CHECKS)
        except FailureGroup as group:
            for failure in group.exceptions:
                self.problems[f"{where}: {response.status_code}: {failure}"[:200]] += 1

    def _answer(self, asked: dict[str, Any]) -> httpx.Response:
        """Send a request from an address of its own: how often one may ask is another matter."""
        number = self.requests
        client = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}", 1
        answers: list[httpx.Response] = []

        async def ask() -> None:
            door = httpx.ASGITransport(self._page.app, client=client)
            async with httpx.AsyncClient(transport=door) as browser:
                answers.append(await asyncio.wait_for(browser.request(**_fitted(asked)), 10.0))

        self._page.run(ask())
        return answers[0]


def _can_misfit(operation: Any) -> bool:
    """Tell whether an address can be asked wrongly: whatever stands in an address is text."""
    return bool(operation.body) or any(
        '"integer"' in json.dumps(one.definition) for one in operation.iter_parameters()
    )


def _fitted(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what `requests` would send as `httpx` sends it."""
    kept = {"method", "url", "params", "json"}
    fitted = {name: value for name, value in asked.items() if name in kept and value is not None}
    fitted["headers"] = {name: str(value) for name, value in dict(asked.get("headers") or {}).items()}
    if asked.get("data") is not None:
        fitted["content"] = asked["data"] if isinstance(asked["data"], str | bytes) else str(asked["data"])
    return fitted


@pytest.mark.parametrize("name", PAGES)
def test_no_server_error_and_no_undescribed_answer(name: str, tmp_path: Path) -> None:
    page = PAGES[name](tmp_path)
    try:
        examination = Examination(page)
        examination.ask_all(1, 5)
    finally:
        page.close()
    assert examination.requests >= 5
    assert not examination.problems
