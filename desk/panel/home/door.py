"""The door to a running game's pages, which come and go while the panel stays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from fastapi import HTTPException
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Match
from starlette.types import Message, Receive, Scope, Send

from desk.panel.home.port import Running


class GameDoor(BaseRoute):
    """Leads to the pages of what is being played; where nothing is, to its set-up.

    Parameters
    ----------
    page : address of the game's page, such as `/koikoi`.
    others : further beginnings of its addresses.
    running : returns what is being played.
    """

    def __init__(self, page: str, others: Sequence[str], running: Callable[[], Running | None]) -> None:
        self._page, self._beginnings, self._running = page, (page, *others), running

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Tell whether an address is the game's."""
        if scope["type"] != "http":
            return Match.NONE, {}
        path = scope["path"]
        is_own = any(path == begins or path.startswith(f"{begins}/") for begins in self._beginnings)
        return (Match.FULL if is_own else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        running = self._running()
        if running is not None:
            await running.router(scope, until(running.over, receive), send)
        elif scope["path"] == self._page or scope["path"].startswith(f"{self._page}/join/"):
            await RedirectResponse(f"{self._page}/set-up", status_code=303)(scope, receive, send)
        else:
            raise HTTPException(404, f"nothing is being played: {self._page}/set-up begins a game")


def until(over: asyncio.Event, receive: Receive) -> Callable[[], Coroutine[Any, Any, Message]]:
    """Return `receive` of a client who leaves when a game is over: so its streams end."""

    async def receive_or_end() -> Message:
        told = asyncio.ensure_future(receive())
        ended = asyncio.ensure_future(over.wait())
        try:
            await asyncio.wait((told, ended), return_when=asyncio.FIRST_COMPLETED)
            return told.result() if told.done() else {"type": "http.disconnect"}
        finally:
            for waiting in (told, ended):
                if not waiting.done():
                    waiting.cancel()
                    with suppress(asyncio.CancelledError):
                        await waiting

    return receive_or_end
