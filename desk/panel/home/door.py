"""A route to the pages of a running game; games begin and end while the panel keeps running."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from fastapi import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Match
from starlette.types import Message, Receive, Scope, Send

from desk.panel.home.port import Played
from desk.panel.pages import said_of


class GameDoor(BaseRoute):
    """Routes requests to the pages of the running game, or to its set-up if none is running.

    `page`: address of the game's page, such as `/koikoi`. `others`: further prefixes of its addresses.
    """

    def __init__(self, page: str, others: Sequence[str], played: Played) -> None:
        self._page, self._beginnings, self._played = page, (page, *others), played

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Tell whether an address belongs to the game."""
        if scope["type"] != "http":
            return Match.NONE, {}
        path = scope["path"]
        is_own = any(path == begins or path.startswith(f"{begins}/") for begins in self._beginnings)
        return (Match.FULL if is_own else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        running = self._played.running
        if running is not None:
            sent = Sent(send)
            await running.router(scope, until(running.over, receive), sent)
            await sent.finish()
        elif scope["path"] == self._page or scope["path"].startswith(f"{self._page}/join/"):
            await RedirectResponse(f"{self._page}/set-up", status_code=303)(scope, receive, send)
        else:
            said = said_of(Request(scope))
            why = said("Nothing is being played: {page}/set-up begins a game.", page=self._page)
            raise HTTPException(404, why)


class Sent:
    """A `send` that knows whether its answer is complete.

    A stream that ends with its game leaves off in the middle: the server would take that for a fault.
    """

    def __init__(self, send: Send) -> None:
        self._send, self._is_open = send, False

    async def __call__(self, message: Message) -> None:
        """Pass a message on."""
        self._is_open = message["type"] == "http.response.start" or bool(message.get("more_body"))
        await self._send(message)

    async def finish(self) -> None:
        """Complete an answer that was begun."""
        if self._is_open:
            await self({"type": "http.response.body", "body": b"", "more_body": False})


def until(over: asyncio.Event, receive: Receive) -> Callable[[], Coroutine[Any, Any, Message]]:
    """Return a `receive` that disconnects the client when the game is over, which ends its streams."""

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
