"""The event stream of a match: every event once, the view with each, and no poem before its time."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import pytest
from sse_starlette import ServerSentEvent

from desk.panel.app import create_app
from desk.panel.match.port import HallLink
from desk.panel.match.stream import health_view, messages, resume_point
from desk.panel.match.view import Views
from desk.panel.words import words
from tests.desk.karuta.house.test_panel_port import HEALTH
from tests.desk.panel.panel_port import ScriptedPort
from tests.desk.panel.test_app import with_one_ruling
from tests.desk.panel.visitor import browser_of

pytestmark = pytest.mark.live


def test_resume_point() -> None:
    assert resume_point("m1.7", "m1", 12) == 7
    assert resume_point(None, "m1", 12) == 12
    assert resume_point("m0.7", "m1", 12) == 12  # another match
    assert resume_point("m1.40", "m1", 12) == 12  # a log that was restored from a backup
    assert resume_point("m1.x", "m1", 12) == 12
    assert resume_point("m1." + "9" * 5000, "m1", 12) == 12


def test_a_browser_that_lost_the_line_gets_every_event_once() -> None:
    async def played() -> None:
        for number in range(10):
            await port.tell("touch", payload={"number": number})
        await port.close()  # the stream ends, so that the client sees all of it

    port = ScriptedPort()
    asyncio.run(played())
    browser = browser_of(create_app(port))
    stream = browser.get("/api/events", headers={"Last-Event-ID": "m1.4"}, params={"after": "m1.1"})
    assert stream.headers["content-type"].startswith("text/event-stream")
    told = parse(stream.text)
    logs = [message for message in told if message["event"] == "log"]
    assert [event["seq"] for message in logs for event in message["data"]] == list(range(5, 11))
    assert all(message["id"] == f"m1.{message['data'][-1]['seq']}" for message in logs)
    assert next(message for message in told if message["event"] == "view")["data"]["seq"] == 10


def parse(stream: str) -> list[dict[str, Any]]:
    told = []
    for block in stream.replace("\r\n", "\n").strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "data" in fields:
            told.append({**fields, "data": json.loads(fields["data"])})
    return told


def names(told: Iterable[ServerSentEvent]) -> list[str]:
    return [str(message.event) for message in told]


async def listen(port: ScriptedPort, live: Callable[[], Awaitable[None]]) -> list[ServerSentEvent]:
    """Collect what a browser is sent while `live` happens, until the match is closed."""
    told: list[ServerSentEvent] = []
    stream = messages(port, Views(port), words("en"), None, tick_s=0.05)

    async def collect() -> None:
        told.extend([message async for message in stream])

    listening = asyncio.create_task(collect())
    await asyncio.sleep(0.01)
    await live()
    await port.close()
    await asyncio.wait_for(listening, 5)
    return told


def test_a_ruling_reaches_the_page_with_its_view() -> None:
    async def live() -> None:
        await with_one_ruling(port)
        await asyncio.sleep(0.02)

    port = ScriptedPort()
    told = asyncio.run(listen(port, live))
    assert names(told)[:2] == ["view", "tick"]
    logs = [message for message in told if message.event == "log"]
    assert [event["seq"] for message in logs for event in json.loads(str(message.data))] == [1, 2]
    assert logs[-1].id == "m1.2"
    last = json.loads(str([message.data for message in told if message.event == "view"][-1]))
    assert last["latest"]["sentence"].startswith("Near takes")
    assert last["seq"] == 2


def test_the_next_ku_is_shown_when_it_sounds_though_nothing_else_happens() -> None:
    async def live() -> None:
        port.now_ns += 1
        await port.read(port.card_of("near"))
        await asyncio.sleep(0.02)
        port.now_ns += 1_000_000_000
        await asyncio.sleep(0.1)

    port = ScriptedPort()
    told = asyncio.run(listen(port, live))
    heard = [json.loads(str(message.data))["reading"] for message in told if message.event == "view"]
    assert [len(reading["ku"]) for reading in heard if reading] == [1, 2]


def test_the_log_does_not_give_the_poem_away() -> None:
    async def live() -> None:
        await port.read(port.card_of("near"))

    port = ScriptedPort()
    told = asyncio.run(listen(port, live))
    logged = [json.loads(str(message.data)) for message in told if message.event == "log"]
    assert logged == [
        [{"seq": 1, "kind": "poem_started", "origin": "reader", "wall": "2026-01-04T10:00:00+09:00"}]
    ]


LINK: HallLink = {
    "mat": "mat-07",
    "state": "seeks",
    "unsent": 12,
    "problem": "no answer",
    "clock_unc_ms": None,
}


def test_the_link_tells_its_state_and_what_waits() -> None:
    shown = health_view({**HEALTH, "warnings": ["hall_lost"], "hall": LINK}, words("en"))
    assert shown["hall"] == {
        "state": "seeks",
        "text": "mat-07: looks for the hall · 12 entries wait",
        "title": "no answer",
    }
    joined: HallLink = {**LINK, "state": "joined", "unsent": 0, "problem": None}
    assert health_view({**HEALTH, "hall": joined}, words("en"))["hall"]["text"] == "mat-07: in the hall"


def test_japanese_has_words_for_it() -> None:
    shown = health_view({**HEALTH, "warnings": ["hall_lost"], "hall": LINK}, words("ja"))
    assert shown["hall"]["text"] == "mat-07: 会場を探しています · 未送信 12 件"
    assert shown["warnings"] == ["会場との接続が切れました。戻るまで、読まれた歌を手で指定してください"]
