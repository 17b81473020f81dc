"""Serving the panel: on this machine alone, or to the phones and projectors of a hall."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from dataclasses import dataclass

import uvicorn
from fastapi import FastAPI

from desk.machine.config import EVERY_HOST, PANEL_HOST
from desk.machine.ports import first_free, own_addresses
from desk.panel.app import LOCAL_HOSTS, create_app
from desk.panel.book.port import BookPort
from desk.panel.films.port import FilmsPort
from desk.panel.home.port import HomePort
from desk.panel.house.port import HousePort
from desk.panel.match.port import Port
from desk.panel.roles import Role, Roles

_LEAVE_S = 2
"""How long open pages may take to notice that the panel closes."""

_LOOK_S = 0.02


@dataclass(frozen=True, slots=True)
class PanelAddress:
    """Where the panel is served.

    Attributes
    ----------
    host, port : what the server listens to.
    addresses : IPv4 addresses under which other machines reach it; empty on this machine alone.
    roles : who may command: everyone on this machine, on a network who holds a token.
    """

    host: str
    port: int
    addresses: tuple[str, ...]
    roles: Roles

    @classmethod
    def choose(cls, wanted_port: int, *, lan: bool) -> PanelAddress:
        """Return the wanted port or the next free one, and say so where it is another.

        Raises
        ------
        DeskError
            If no port is free.
        """
        host = EVERY_HOST if lan else PANEL_HOST
        port = first_free(host, wanted_port)
        if port != wanted_port:
            sys.stdout.write(f"port {wanted_port} is in use, taking {port}\n")
        if not lan:
            return cls(host, port, (), Roles())
        return cls(host, port, tuple(own_addresses()), Roles.fresh())

    @property
    def urls(self) -> list[str]:
        """Where phones reach the panel, such as `http://192.168.1.5:8321`."""
        return [f"http://{address}:{self.port}" for address in self.addresses]

    def server(
        self,
        match: Port | None = None,
        house: HousePort | None = None,
        book: BookPort | None = None,
        home: HomePort | None = None,
        films: FilmsPort | None = None,
    ) -> uvicorn.Server:
        """Return the server of a match's or a house's panel; `serve()` it on the loop that owns it."""
        app = create_app(
            match,
            house=house,
            roles=self.roles,
            allowed_hosts=(*LOCAL_HOSTS, *self.addresses),
            addresses=self.urls,
            book=book,
            home=home,
            films=films,
        )
        return self._server_of(app)

    def _server_of(self, app: FastAPI) -> uvicorn.Server:
        config = uvicorn.Config(
            app,
            self.host,
            self.port,
            log_level="warning",
            lifespan="off",
            timeout_graceful_shutdown=_LEAVE_S,
        )
        return uvicorn.Server(config)

    async def serve(
        self,
        match: Port | None = None,
        house: HousePort | None = None,
        *,
        book: BookPort | None = None,
        home: HomePort | None = None,
        films: FilmsPort | None = None,
        told: str = "",
    ) -> None:
        """Serve a match's or a house's panel until Ctrl-C; what follows this call is not interrupted by it.

        Parameters
        ----------
        match, house, book, home, films : what is shown.
        told : what is printed after the addresses, once they answer.
        """
        await self._run(self.server(match, house, book, home, films), told)

    async def serve_app(self, app: FastAPI, told: str = "") -> None:
        """Serve any application of ours as `serve` does a match's."""
        await self._run(self._server_of(app), told)

    async def _run(self, server: uvicorn.Server, told: str) -> None:
        telling = asyncio.get_running_loop().create_task(self._tell(server, told))
        await server.serve()
        telling.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)  # the server hands Ctrl-C on, and it arrives here

    async def _tell(self, server: uvicorn.Server, told: str) -> None:
        while not server.started:
            await asyncio.sleep(_LOOK_S)
        sys.stdout.write(f"{self.describe()}\n{told}\n")
        sys.stdout.flush()

    def describe(self) -> str:
        """Return where to point a browser, one line per address and role."""
        local = f"http://{PANEL_HOST}:{self.port}"
        operator = next((token for token, role in self.roles.tokens.items() if role is Role.OPERATOR), None)
        if operator is None:
            return f"panel: {local}"
        lines = [f"panel: {local}/join/{operator} (operator: keep this link to yourself)"]
        lines += [f"viewers: http://{address}:{self.port}" for address in self.addresses]
        return "\n".join(lines)
