"""The page of a reading or a practice: on this machine alone, or for the phones of a club."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Self

from desk.errors import DeskError
from desk.machine.config import PANEL_HOST

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

    from desk.panel.practice.view import PracticePort
    from desk.panel.reciter.port import RecitePort
    from desk.panel.roles import Roles
    from desk.panel.server import PanelAddress

    CreateApp = Callable[[Roles, Sequence[str]], FastAPI]

_CLOSE_S = 5.0


class OwnPage:
    """Serves a page in a thread of its own, while the block runs.

    The thread also loads the libraries, so that nobody waits for them, and prints the addresses for phones.

    `create`: returns the page's application for roles and allowed hosts. `path`: such as `/recite`; an
    operator joins at `path/join/TOKEN`. `number`: TCP port; if it is taken, the next free one is used.
    """

    def __init__(self, create: CreateApp, path: str, number: int, *, lan: bool = False) -> None:
        self._create, self._path, self._number, self._lan = create, path, number, lan
        self._server: uvicorn.Server | None = None
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"page {path}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._leaving.set()
        if self._server is not None:
            self._server.should_exit = True
        self._thread.join(_CLOSE_S)

    def _run(self) -> None:
        from desk.panel.server import PanelAddress

        try:
            address = PanelAddress.choose(self._number, lan=self._lan)
        except DeskError as error:
            sys.stdout.write(f"without a page: {error}\n")
            return
        self._server = server(self._create, address, described(address, self._path) + "\n")
        if not self._leaving.is_set():
            self._server.run()


def recite_page(port: RecitePort, number: int, *, lan: bool = False) -> OwnPage:
    def create(roles: Roles, hosts: Sequence[str]) -> FastAPI:
        from desk.panel.reciter.routes import create_recite_app

        return create_recite_app(port, roles=roles, allowed_hosts=hosts)

    return OwnPage(create, "/recite", number, lan=lan)


def practice_page(port: PracticePort, number: int, *, lan: bool = False) -> OwnPage:
    def create(roles: Roles, hosts: Sequence[str]) -> FastAPI:
        from desk.panel.practice.routes import create_practice_app

        return create_practice_app(port, roles=roles, allowed_hosts=hosts)

    return OwnPage(create, "/practise", number, lan=lan)


def server(create: CreateApp, address: PanelAddress, told: str) -> uvicorn.Server:
    """Return the server of a page, which prints a text once it answers."""
    from desk.panel.app import LOCAL_HOSTS
    from desk.panel.sockets import page_server

    app = create(address.roles, (*LOCAL_HOSTS, *address.addresses))
    return page_server(app, address.host, address.port, told=told)


def described(address: PanelAddress, path: str) -> str:
    from desk.panel.qr_code import qr_text

    operator = address.roles.operator
    if operator is None:
        return f"page: http://{PANEL_HOST}:{address.port}{path}"
    links = [f"http://{host}:{address.port}{path}/join/{operator}" for host in address.addresses]
    lines = [f"page: {link} (remote control: keep this link to yourself)" for link in links]
    if links:
        lines.append(qr_text(links[0]))
    lines += [f"to look at: http://{host}:{address.port}{path}" for host in address.addresses]
    return "\n".join(lines)
