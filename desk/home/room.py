"""A room of the house, in which one thing at a time runs, with pages of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fastapi import APIRouter

from desk.panel.home.port import Running
from desk.panel.pages import Pages
from desk.panel.roles import Roles


class Room:
    """Holds what runs; see `desk.panel.home.port.Played`."""

    def __init__(self, pages: Pages, roles: Roles) -> None:
        self._pages, self._roles = pages, roles
        self._playing: tuple[Running, Callable[[], object]] | None = None

    @property
    def running(self) -> Running | None:
        return None if self._playing is None else self._playing[0]

    def _run(self, router: APIRouter, close: Callable[[], object]) -> None:
        self._playing = Running(router), close

    async def end(self) -> None:
        if self._playing is None:
            return
        (running, close), self._playing = self._playing, None
        running.over.set()
        await asyncio.to_thread(close)
