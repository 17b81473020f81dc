"""Serves the panel on this machine only, or to phones and projectors on a network."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import uvicorn
from fastapi import FastAPI

from desk.log.log_lock import announce
from desk.machine.config import EVERY_HOST, PANEL_HOST, first_free, own_addresses
from desk.panel.app import LOCAL_HOSTS, create_app
from desk.panel.match.port import Port
from desk.panel.roles import Roles
from desk.panel.sockets import page_server


@dataclass(frozen=True, slots=True)
class PanelAddress:
    """The address of the panel."""

    host: str
    port: int
    # IPv4 addresses under which other machines reach it; empty if it serves this machine only
    addresses: tuple[str, ...]
    roles: Roles  # who may command: everyone on this machine, or holders of a token on a network

    @classmethod
    def choose(cls, wanted_port: int, *, lan: bool) -> PanelAddress:
        """Return the address with the wanted port or the next free one, and print a note if it differs.

        Raises DeskError if no port is free.
        """
        host = EVERY_HOST if lan else PANEL_HOST
        port = first_free(host, wanted_port)
        if port != wanted_port:
            sys.stdout.write(f"port {wanted_port} is in use, taking {port}\n")
        announce(f"http://{PANEL_HOST}:{port}")
        if not lan:
            return cls(host, port, (), Roles())
        return cls(host, port, tuple(own_addresses()), Roles.fresh())

    @property
    def urls(self) -> list[str]:
        """The panel's addresses for phones, such as `http://192.168.1.5:8321`."""
        return [f"http://{address}:{self.port}" for address in self.addresses]

    def app(self, match: Port | None = None, **parts: Any) -> FastAPI:
        """Return the panel of a match or house for this address; `parts` as in `create_app`."""
        hosts = (*LOCAL_HOSTS, *self.addresses)
        return create_app(match, roles=self.roles, allowed_hosts=hosts, addresses=self.urls, **parts)

    def server(self, app: FastAPI, told: str = "") -> uvicorn.Server:
        """Return the server of an application; `told`: text to print after the addresses, once it answers."""
        return page_server(app, self.host, self.port, told=f"{self.describe()}\n{told}\n")

    async def serve(self, app: FastAPI, told: str = "") -> None:
        """Serve an application until Ctrl-C, which does not interrupt the caller's clean-up."""
        await self.server(app, told).serve()
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)  # the server raises Ctrl-C again, and it arrives here

    def describe(self) -> str:
        """Return the links to open in a browser, one line per address and role."""
        local = f"http://{PANEL_HOST}:{self.port}"
        operator = self.roles.operator
        if operator is None:
            return f"panel: {local}"
        lines = [f"panel: {local}/join/{operator} (operator: keep this link to yourself)"]
        lines += [f"viewers: http://{address}:{self.port}" for address in self.addresses]
        return "\n".join(lines)
