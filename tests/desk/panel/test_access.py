"""The promises of SECURITY.md about rights; `test_guard` and `test_app` test the other promises."""

import hmac
import json
import re
import sys
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute

from desk.kendo.card_game import KENDO
from desk.koikoi.card_game import KOIKOI
from desk.machine.config import first_free
from desk.panel.app import create_app
from desk.panel.reciter.routes import create_recite_app
from desk.panel.roles import Role, Roles
from desk.panel.server import PanelAddress
from desk.panel.table.seat_links import OPERATOR, SeatLinks
from desk.tables.live_game import game_app
from tests.desk.panel.panel_port import ScriptedPort
from tests.desk.panel.test_server import served
from tests.desk.panel.visitor import browser_of

ROLES = Roles({"near-token": Role.NEAR, "far-token": Role.FAR, "op-token": Role.OPERATOR})
SEATS = SeatLinks({"seat-0": 0, "seat-1": 1, "op-token": OPERATOR})
PAGES = {"karuta": "", "koikoi": "/koikoi", "kendo": "/kendo", "reciter": "/recite"}
COMMANDS: Mapping[str, list[tuple[str, dict[str, Any]]]] = {
    "karuta": [
        ("/api/commands", {"name": "resume"}),
        ("/api/commands", {"name": "confirm", "ruling": 2}),
        ("/api/commands", {"name": "revert", "event": 2}),
        ("/api/commands", {"name": "appeal", "ruling": 2, "side": "far"}),
        ("/api/commands", {"name": "set_policies", "take": "auto", "fault": "auto"}),
        ("/api/set-up/source", {"kind": "simulator", "where": "", "deck": None}),
        ("/api/set-up/correct", {"place": 1, "card": 2}),
        ("/api/invitations/renew", {}),
    ],
    "koikoi": [
        ("/koikoi/commands", {"name": "declare", "player": 1, "what": "koikoi"}),
        ("/koikoi/commands", {"name": "undo"}),
        ("/koikoi/commands", {"name": "next_round"}),
        ("/koikoi/commands", {"name": "correct", "card": 1, "really": 2}),
        ("/koikoi/table", {"name": "forget"}),
    ],
    "kendo": [
        ("/kendo/commands", {"name": "say", "player": 1, "what": "cede"}),
        ("/kendo/commands", {"name": "say", "player": 0, "what": "accept"}),
        ("/kendo/commands", {"name": "undo"}),
        ("/kendo/commands", {"name": "correct", "player": 0, "wrong": "a", "right": "b"}),
    ],
    "reciter": [
        ("/api/recite/acts", {"name": "next"}),
        ("/api/recite/heard", {"sample": 1, "t_ns": 1, "unc_ns": 1, "underruns": 0}),
    ],
}
"""Commands that neither a viewer nor the first player may give."""
OWN: Mapping[str, tuple[str, dict[str, Any]]] = {
    "karuta": ("/api/commands", {"name": "pause"}),
    "koikoi": ("/koikoi/commands", {"name": "declare", "player": 0, "what": "koikoi"}),
    "kendo": ("/kendo/commands", {"name": "say", "player": 0, "what": "cede"}),
}
"""Commands that the first player may give."""


class Page:
    """A page whose port notes what reaches it."""

    def __init__(self, name: str) -> None:
        self.port: Any = MagicMock()
        self.port.state.return_value = {"seq": 1}
        for method in ("declare", "say", "undo", "next_round", "correct", "correct_card", "draw"):
            getattr(self.port, method).return_value = None
        self.scripted = ScriptedPort()
        made: dict[str, Callable[[], FastAPI]] = {
            "karuta": lambda: create_app(self.scripted, house=self._house(), roles=Roles(dict(ROLES.tokens))),
            "koikoi": lambda: game_app(KOIKOI, self.port, links=SEATS, drawn_table=self.port),
            "kendo": lambda: game_app(KENDO, self.port, links=SEATS),
            "reciter": lambda: create_recite_app(self.port, roles=ROLES),
        }
        self.app = made[name]()

    def _house(self) -> Any:
        house = MagicMock()
        house.match, house.set_up = self.scripted, self.port
        return house

    @property
    def is_untouched(self) -> bool:
        looked = {"state", "now", "now_ns", "preview", "table", "health"}
        asked = {name.partition(".")[0] for name, _, _ in self.port.method_calls} - looked
        return not asked and not self.scripted.commands

    def post(self, address: str, body: dict[str, Any], token: str | None = None) -> int:
        cookies = {} if token is None else {"shinpan_token": token, "shinpan_seat": token}

        # what a port of this test does with a command that it lets through is no matter
        return browser_of(self.app, fails=False, cookies=cookies).post(address, json=body).status_code


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("token", [None, "", "wrong", "near-token", "seat-0"])
def test_viewers_and_players_change_nothing_that_is_not_theirs(name: str, token: str | None) -> None:
    page = Page(name)
    for address, body in COMMANDS[name]:
        assert page.post(address, body, token) == 403, body
    assert page.is_untouched


@pytest.mark.parametrize("name", OWN)
def test_a_player_may_say_what_is_the_own_seats(name: str) -> None:
    page = Page(name)
    address, body = OWN[name]
    assert page.post(address, body, "near-token" if name == "karuta" else "seat-0") == 200
    assert not page.is_untouched


@pytest.mark.parametrize("name", PAGES)
def test_the_operator_is_let_through_and_the_tests_above_ask_for_every_address(name: str) -> None:
    page = Page(name)
    for address, body in COMMANDS[name]:
        assert page.post(address, body, "op-token") != 403
    changing = {
        route.path
        for route in page.app.routes
        if isinstance(route, APIRoute) and "POST" in (route.methods or ())
    }
    asked = {address for address, _ in COMMANDS[name]}
    # a match that is over can only be looked at; a start needs a source, which the operator alone chooses
    assert changing - asked <= {"/matches/{match_id}/api/commands", "/api/set-up/start"}


@pytest.mark.parametrize("name", PAGES)
def test_whatever_changes_something_is_a_post(name: str) -> None:
    methods = {
        method
        for route in Page(name).app.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    assert methods <= {"GET", "POST"}


def test_tokens_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def compare(first: bytes, second: bytes) -> bool:
        compared.append((first, second))
        return first == second

    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert ROLES.of("op-token") is Role.OPERATOR
    assert SEATS.of("seat-1") == 1
    assert len(compared) == 3 + 2
    for place in ("roles.py", "table/seat_links.py"):
        text = (Path(__file__).parents[3] / "desk/panel" / place).read_text("utf-8")
        assert not re.search(r"(known|token) ==|tokens\.get|tokens\[", text)


def test_each_start_draws_new_tokens_of_96_bits() -> None:
    tokens = [*Roles.fresh().tokens, *Roles.fresh().tokens, *SeatLinks.fresh(4).tokens]
    assert len(set(tokens)) == 3 + 3 + 5
    assert all(re.fullmatch(r"[\w-]{16}", token) for token in tokens)


def test_a_token_is_a_cookie_that_scripts_cannot_read() -> None:
    for name, path in PAGES.items():
        answer = browser_of(Page(name).app).get(f"{path}/join/op-token")
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "op-token" not in answer.headers["location"]


@pytest.mark.parametrize("name", PAGES)
def test_a_players_link_takes_nothing_from_the_operator(name: str) -> None:
    page, path = Page(name), PAGES[name]
    link = "seat-0" if name in {"koikoi", "kendo"} else "near-token"

    def joined_as(first: str) -> set[str]:
        browser = browser_of(page.app, fails=False)
        browser.get(f"{path}/join/{first}")
        browser.get(f"{path}/join/{link}")
        return set(browser.cookies.values())

    assert joined_as("op-token") == {"op-token"}
    assert joined_as("wrong") == {link}


def test_new_links_take_back_what_the_old_ones_gave() -> None:
    roles = Roles(dict(ROLES.tokens))
    page = Page("karuta")
    app = create_app(page.scripted, house=page._house(), roles=roles)
    table = SeatLinks.fresh(2, roles)
    seats = list(table.tokens)

    official = browser_of(app)
    official.get("/join/op-token")
    assert official.post("/api/invitations/renew").status_code == 200
    assert roles.of(official.cookies["shinpan_token"]) is Role.OPERATOR
    assert official.post("/api/invitations/renew").status_code == 200
    assert {roles.of(token) for token in ROLES.tokens} == {Role.VIEWER}
    assert sorted(roles.tokens.values()) == sorted(ROLES.tokens.values())
    assert {table.of(token) for token in seats} == {"viewer"}, "of the seats of its tables, too"
    assert sorted(map(str, table.shown.values())) == ["0", "1", "operator"]
    assert {table.of(token) for token in table.tokens} == {0, 1}
    assert table.of("op-token") == "viewer"
    assert table.of(roles.operator) == OPERATOR
    assert OPERATOR in table.shown.values()


@contextmanager
def watched_network() -> Iterator[list[str]]:
    """Note every address beside this machine's own that somebody connects to, sends to or looks up."""
    _SEEN.append([])
    try:
        yield _SEEN[-1]
    finally:
        _SEEN.clear()


_SEEN: list[list[str]] = []


def _hear(event: str, details: tuple[Any, ...]) -> None:
    if not _SEEN or event not in {"socket.connect", "socket.sendto", "socket.getaddrinfo", "urllib.Request"}:
        return
    told = details[0] if event == "socket.getaddrinfo" else details[1] if event != "urllib.Request" else ""
    host = str(told[0] if isinstance(told, tuple) else told or "127.0.0.1")
    if host not in {"127.0.0.1", "localhost", "::1", "0.0.0.0"} and not host.startswith("/"):
        _SEEN[-1].append(f"{event} {host}")


sys.addaudithook(_hear)


def test_nobody_calls_out_or_logs_a_token(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    address = PanelAddress.choose(first_free("127.0.0.1", 22_491), lan=True)
    url = f"http://127.0.0.1:{address.port}"
    operator = next(token for token, role in address.roles.tokens.items() if role is Role.OPERATOR)
    body = json.dumps({"name": "pause"}).encode()

    def ask() -> list[int]:
        join = urllib.request.Request(f"{url}/join/{operator}")
        with urllib.request.urlopen(join, timeout=10) as answer:
            assert operator not in answer.url
        statuses = []
        for path in ("/", "/record", "/record.csv", "/matches", "/api/view", "/static/panel.js"):
            with urllib.request.urlopen(url + path, timeout=10) as answer:
                statuses.append(answer.status)
        headers = {"Cookie": f"shinpan_token={operator}", "Content-Type": "application/json"}
        command = urllib.request.Request(f"{url}/api/commands", body, headers)
        try:
            with urllib.request.urlopen(command, timeout=10) as answer:
                statuses.append(answer.status)
        except urllib.error.HTTPError as error:
            statuses.append(error.code)
        return statuses

    with watched_network() as seen:
        statuses = served(tmp_path, address, ask)
    assert statuses[:6] == 6 * [200]
    assert statuses[6] in {200, 409}
    assert seen == []
    said = capfd.readouterr()
    links = [line for line in said.out.splitlines() if "(operator: keep this link to yourself)" in line]
    assert len(links) == 1, "the operator is told, and nothing else is"
    assert operator not in said.out.replace(links[0], "") + said.err


def test_the_watch_on_the_network_sees_what_it_should() -> None:
    import socket

    with watched_network() as seen, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with suppress(OSError):  # there may be no way to it
            probe.connect(("192.0.2.1", 9))  # sends nothing
        probe.connect(("127.0.0.1", 9))
    assert seen == ["socket.connect 192.0.2.1"]
