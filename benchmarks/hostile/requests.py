"""Requests to the pages of running games, damaged; each page stands on a real desk with a real log."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any
from unittest.mock import Mock

import httpx
from fastapi import FastAPI

from benchmarks.hostile.damage import damaged
from benchmarks.hostile.files import match_log
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
from vision.simulator.art.hanafuda.deck import drawn_deck
from vision.simulator.art.kendo.deck import drawn_kendo_deck

_HERE = "http://127.0.0.1"
_HEADERS = (
    (b"cookie", b"lang=ja; shinpan_token=abc; shinpan_seat=def"),
    (b"accept-language", b"ja,en;q=0.5"),
    (b"content-type", b"application/json"),
    (b"range", b"bytes=0-10,20-"),
    (b"origin", b"http://127.0.0.1"),
    (b"accept-encoding", b"gzip"),
    (b"transfer-encoding", b"chunked"),
    (b"last-event-id", b"match_1.3"),
    (b"if-none-match", b'"x"'),
    (b"if-range", b"x"),
    (b"content-length", b"3"),
    (b"x-forwarded-for", b"10.0.0.1"),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, as it stands in the network."""

    method: str
    target: bytes
    headers: Sequence[tuple[bytes, bytes]]
    body: bytes


class Page:
    """One application and the requests that it knows.

    Attributes
    ----------
    app : answers.
    reading : paths that are read.
    commands : path and body of everything that can be said.
    leaving : what is called at the end.
    """

    def __init__(
        self, app: FastAPI, reading: Sequence[str], commands: Sequence[tuple[str, Mapping[str, Any]]]
    ) -> None:
        self.app, self.reading, self.commands = app, reading, commands
        self.leaving: list[Callable[[], Awaitable[None] | None]] = []
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

    def request(self, random: Random, *, whole: bool = False) -> Asked:
        """Return a request, damaged unless `whole`."""
        path, said = random.choice((*self.commands, *((path, None) for path in self.reading)))
        body = b"" if said is None else json.dumps(said, ensure_ascii=False).encode()
        method, target, headers = "GET" if said is None else "POST", path.encode(), [(b"host", b"127.0.0.1")]
        if whole:
            return Asked(method, target, headers, body)
        if body and random.random() < 0.8:
            body = damaged(body, random)
        if not body or random.random() < 0.3:
            target = _escaped(damaged(target, random))
        for name, value in random.sample(_HEADERS, random.choice((0, 0, 1, 3))):
            headers.append((name, damaged(value, random)[:2000].replace(b"\r", b" ").replace(b"\n", b" ")))
        if random.random() < 0.05:
            method = random.choice(("PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"))
        return Asked(method, target or b"/", headers, body)


def ask(page: Page, asked: Asked) -> str:
    """Send a request as a server hands it on; an exception in the application comes out here."""
    path, _, query = asked.target.partition(b"?")
    answer: dict[str, Any] = {}
    sent: list[bool] = []

    async def receive() -> dict[str, Any]:
        if not sent:
            sent.append(True)
            return {"type": "http.request", "body": asked.body, "more_body": False}
        while not answer:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)  # a stream has begun, and its reader leaves
        return {"type": "http.disconnect"}

    async def send(message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            answer.update(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        # as uvicorn does it
        "path": httpx.URL(_HERE).copy_with(raw_path=path).path,
        "raw_path": path,
        "query_string": query,
        "root_path": "",
        "headers": list(asked.headers),
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "state": {},
    }
    page.run(page.app(scope, receive, send))
    if not 200 <= answer.get("status", 0) < 500:
        raise AssertionError(f"status {answer.get('status')}")
    return ""


def _escaped(target: bytes) -> bytes:
    """Write what no address may hold with percent signs, as browsers do."""
    kept = b"%/?&=.-_~:,"
    text = b"".join(
        bytes([byte]) if chr(byte).isascii() and (chr(byte).isalnum() or byte in kept) else b"%%%02x" % byte
        for byte in target[:4000]
    )
    return text if text.startswith(b"/") else b"/" + text


def _karuta(folder: Path) -> Page:
    kept = folder / "data"
    kept.mkdir(parents=True, exist_ok=True)
    match_log(kept / "match_1.sqlite")
    house = House(kept, Agreement())

    async def resumed() -> None:
        house.resume("match_1")

    source = {"kind": "video", "where": "film.mkv", "deck": None}
    agreed = {**Agreement().to_json(), "near": "a", "far": "b"}
    says: list[dict[str, Any]] = [
        {"name": "pause"},
        {"name": "resume"},
        {"name": "accept_field"},
        {"name": "confirm", "ruling": 6},
        {"name": "overrule", "ruling": 6, "taken_by": "far", "faults": {"near": 1, "far": 0}, "note": "札"},
        {"name": "revert", "event": 6},
        {"name": "reread", "ruling": 6},
        {"name": "declare", "what": "wrong_hand", "side": "near", "card": 3},
        {"name": "appeal", "ruling": 6, "side": "far"},
        {"name": "set_policies", "take": "auto", "fault": "propose"},
    ]
    base = [
        "/",
        "/api/view",
        "/api/events?after=match_1.3",
        "/api/poems/6",
        "/evidence/6.zip",
        "/evidence/6.mp4",
        "/evidence/6/0000.jpg",
        "/evidence/6/manifest.json",
        "/record",
        "/record.json",
        "/record.csv",
    ]
    reading = [
        *base,
        *(f"/matches/match_1{path}" for path in base),
        "/matches",
        "/invite",
        "/join/token",
        "/set-up",
        "/api/set-up",
        "/?lang=ja",
        "/static/panel.css",
        "/static/../app.py",
        "/preview.mjpeg",
    ]
    commands = [
        *(("/api/commands?lang=ja", said) for said in says),
        ("/api/set-up/source", source),
        ("/api/set-up/correct", {"place": 3, "card": 17}),
        ("/api/set-up/start", agreed),
    ]
    page = Page(create_app(house=house, addresses=["http://192.0.2.1:8321"]), reading, commands)
    page.run(resumed())
    page.leaving.append(house.close)
    return page


def _koikoi(folder: Path) -> Page:
    rules = koikoi_rules.preset()
    log = EventLog.create(folder / "data" / "game.sqlite")
    desk = KoiKoiDesk(log, GameOpened("game", "simulator", 2, 0, rules, "drawn"))
    says: list[dict[str, Any]] = [
        {"name": "declare", "player": 0, "what": "koikoi"},
        {"name": "undo"},
        {"name": "next_round"},
        {"name": "correct", "card": 3, "really": 4},
    ]
    page = Page(
        game_app(KOIKOI, page_of(KOIKOI, desk, drawn_deck())),
        [
            "/",
            "/koikoi",
            "/koikoi/view",
            "/koikoi/events",
            "/koikoi/cards/3.jpg",
            "/koikoi/totals.csv?lang=ja",
            "/koikoi/record.json",
            "/koikoi/join/token",
            "/koikoi/preview.mjpeg",
        ],
        [("/koikoi/commands?lang=en", said) for said in says],
    )
    page.leaving.append(log.close)
    return page


def _kendo(folder: Path) -> Page:
    log = EventLog.create(folder / "data" / "bout.sqlite")
    desk = KendoDesk(log, BoutOpened("bout", "simulator", kendo_rules.preset(), "drawn", 63.0))
    says: list[dict[str, Any]] = [
        {"name": "say", "player": 0, "what": "cede"},
        {"name": "undo"},
        {"name": "correct", "player": 1, "wrong": "men_uchi", "right": "do_uchi"},
    ]
    page = Page(
        game_app(KENDO, page_of(KENDO, desk, drawn_kendo_deck())),
        [
            "/",
            "/kendo",
            "/kendo/view",
            "/kendo/events",
            "/kendo/faces/men_uchi.jpg",
            "/kendo/record.json",
            "/kendo/join/token",
        ],
        [("/kendo/commands?lang=en", said) for said in says],
    )
    page.leaving.append(log.close)
    return page


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
    heard = {"sample": 1, "t_ns": 2, "unc_ns": 3, "underruns": 0}
    return Page(
        create_recite_app(port),
        ["/recite", "/api/recite/events", "/api/recite/clock", "/api/recite/sound", "/recite/join/token"],
        [("/api/recite/acts", {"name": "volume", "value": 0.5}), ("/api/recite/heard", heard)],
    )


PAGES: Mapping[str, Callable[[Path], Page]] = {
    "page of karuta": _karuta,
    "page of Koi-Koi": _koikoi,
    "page of Kendo": _kendo,
    "page of the reciter": _reciter,
}
