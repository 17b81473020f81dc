"""The panel's guard: refused requests, and the headers of every response."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import product
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.types import Message, Receive, Scope, Send

from desk.kendo.card_game import KENDO
from desk.koikoi.card_game import KOIKOI
from desk.panel.app import create_app
from desk.panel.enrolment.routes import create_enrol_app
from desk.panel.guard import BURST, COMMANDS_PER_S, MOST_BYTES, Allowance, Guard, guarded
from desk.panel.reciter.routes import create_recite_app
from desk.panel.roles import Role, Roles
from desk.panel.table.seat_links import OPERATOR, SeatLinks
from desk.tables.live_game import game_app
from tests.desk.panel.panel_port import ScriptedPort

HERE = "http://127.0.0.1:8321"
UNUSED: Any = object()  # refused requests do not reach any port
APPS: dict[str, tuple[Callable[[], FastAPI], str]] = {
    "karuta": (lambda: create_app(ScriptedPort()), "/api/commands"),
    "koikoi": (lambda: game_app(KOIKOI, UNUSED), "/koikoi/commands"),
    "kendo": (lambda: game_app(KENDO, UNUSED), "/kendo/commands"),
    "reciter": (lambda: create_recite_app(UNUSED), "/api/recite/acts"),
    "enrolment": (lambda: create_enrol_app(UNUSED), "/enrol/commands"),
}
JSON = {"Content-Type": "application/json"}
anywhere = pytest.mark.parametrize(("made", "address"), APPS.values(), ids=APPS)


def visit(app: FastAPI, story: Callable[[httpx.AsyncClient], Awaitable[Any]]) -> Any:
    """Let a browser tell a story; what fails inside the application fails the test."""

    async def run() -> Any:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HERE) as browser:
            return await story(browser)

    return asyncio.run(run())


async def pieces(count: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield b" " * 4096


@anywhere
def test_too_large_a_body_is_refused_before_it_is_read(made: Callable[[], FastAPI], address: str) -> None:
    taken = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal taken
        async for piece in pieces(10**6):
            taken += len(piece)
            yield piece

    async def story(browser: httpx.AsyncClient) -> None:
        announced = {**JSON, "Content-Length": str(10**12)}
        assert (await browser.post(address, content=endless(), headers=announced)).status_code == 413
        assert taken == 0
        refused = await browser.post(address, content=endless(), headers=JSON)
        assert refused.status_code == 413
        assert refused.json() == {"error": f"the request is too large: expected at most {MOST_BYTES} bytes"}
        assert taken <= MOST_BYTES + 4096

    visit(made(), story)


NO_COMMANDS = (
    b"\xff\xfe\x00", b'{"name": "\xff"}', b'{"name": "\\ud800"}', b'{"name": NaN}', b"[" * 20_000,
    b'{"\\udfff": 1}', b"9" * 5000, b'{"name": 1e999}', b'{"name": "volume", "value": 1e999}', b"", b"null",
)  # fmt: skip


@anywhere
def test_a_body_that_is_no_command_gets_an_answer_in_json(made: Callable[[], FastAPI], address: str) -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        for body in NO_COMMANDS:
            for kind in ("application/json", "text/plain", "application/json; charset=utf-16"):
                answer = await browser.post(address, content=body, headers={"Content-Type": kind})
                assert answer.status_code in {400, 422}, (body, answer.text)
                assert answer.json()

    visit(made(), story)


ROLES, LINKS = Roles({"secret": Role.OPERATOR}), SeatLinks({"secret": OPERATOR})


@pytest.mark.parametrize(
    ("app", "page"),
    [
        (create_app(ScriptedPort(), roles=ROLES), ""),
        (game_app(KOIKOI, UNUSED, links=LINKS), "/koikoi"),
        (game_app(KENDO, UNUSED, links=LINKS), "/kendo"),
        (create_recite_app(UNUSED, roles=ROLES), "/recite"),
    ],
)
def test_a_link_that_opens_nothing_leads_to_the_page_and_sets_no_cookie(app: FastAPI, page: str) -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        for token in ("%ff", "%00", "a%0d%0aSet-Cookie:%20x=1", "%F0%9F%82%A1", "x" * 5000, "secret"):
            answer = await browser.get(f"{page}/join/{token}")
            assert answer.status_code == 303
            assert token not in answer.headers["location"]
            assert bool(browser.cookies) is (token == "secret")

    visit(app, story)


@anywhere
def test_only_the_panels_own_pages_command(made: Callable[[], FastAPI], address: str) -> None:
    foreign = ("http://evil.example", "null", "https://127.0.0.1:8321", f"{HERE}0")

    async def story(browser: httpx.AsyncClient) -> None:
        for method, origin in product(("POST", "PUT", "DELETE"), foreign):
            answer = await browser.request(method, address, headers={"Origin": origin}, json={})
            assert answer.status_code == 403
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        own = await browser.post(address, headers={"Origin": HERE}, content=b"{")
        assert own.status_code == 422, "it is let in and read"

    visit(made(), story)


@anywhere
def test_every_answer_carries_the_headers(made: Callable[[], FastAPI], address: str) -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        for answer in (await browser.get("/nowhere"), await browser.post(address, content=b"\xff")):
            assert answer.headers["content-security-policy"].startswith("default-src 'self'")
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "no-referrer"
            assert answer.headers["cross-origin-resource-policy"] == "same-origin"

    visit(made(), story)


@anywhere
def test_a_foreign_name_is_refused(made: Callable[[], FastAPI], address: str) -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        answer = await browser.post(address, json={}, headers={"Host": "evil.example"})
        assert answer.status_code == 400

    visit(made(), story)


@anywhere
def test_who_asks_too_often_has_to_wait(
    made: Callable[[], FastAPI], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desk.panel.guard.Allowance", lambda: Allowance(lambda: 0.0))  # no time passes

    async def story(browser: httpx.AsyncClient) -> None:
        statuses = [(await browser.post(address, content=b"{")).status_code for _ in range(2 * BURST)]
        assert statuses[:BURST] == BURST * [422]
        assert statuses[-1] == 429
        assert (await browser.get("/nowhere")).status_code == 404

    visit(made(), story)


def test_an_allowance_fills_again_for_each_machine_alone() -> None:
    now_s = 0.0
    allowance = Allowance(lambda: now_s)
    assert [allowance.takes("a") for _ in range(BURST + 2)] == [*BURST * [True], False, False]
    assert allowance.takes("b")
    now_s = 3.01 / COMMANDS_PER_S
    assert [allowance.takes("a") for _ in range(4)] == [True, True, True, False]
    now_s = 10_000.0
    assert [allowance.takes("a") for _ in range(BURST + 1)] == [*BURST * [True], False]


def test_machines_that_ask_are_forgotten_in_the_end() -> None:
    allowance = Allowance(lambda: 0.0)
    for number in range(5000):
        allowance.takes(str(number))
    assert len(allowance._left) <= 1024


SCOPE: Any = {
    "type": "http", "method": "POST", "scheme": "http", "path": "/", "query_string": b"",
    "headers": [(b"host", b"127.0.0.1"), (b"content-length", b"99")], "client": ("127.0.0.1", 1),
}  # fmt: skip


def test_a_body_that_does_not_arrive_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desk.panel.guard.BODY_S", 0.05)
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.sleep(60)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(guarded(["127.0.0.1"])(SCOPE, receive, send))
    assert sent[0]["status"] == 408


def test_a_command_that_breaks_off_is_not_carried_out() -> None:
    reached: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope["path"])

    arriving: list[Message] = [
        {"type": "http.request", "body": b'{"name": "undo"}', "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        return arriving.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(Guard(app)(SCOPE, receive, send))
    assert reached == []
    assert sent[0]["status"] == 400
