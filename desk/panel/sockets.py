"""The streams of pages over WebSockets.

A browser opens six HTTP/1.1 connections to a host for all of its pages together, and an event stream or a
live picture keeps one as long as its page is open: with six pages nothing else would get through. It counts
WebSockets apart from these, and opens two hundred of them.
"""

import asyncio
import sys
from contextlib import suppress
from socket import socket
from typing import Any, Final

import uvicorn
from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from desk.panel.connections import Connection, PageSocket

_STREAMS: Final = ("text/event-stream", "multipart/x-mixed-replace")
_ENDLESS: Final = (*_STREAMS, "application/octet-stream")
"""With the sound for a browser that is the loudspeaker."""
_REFUSED: Final = 1008
_ENDED: Final = 1000
_MOST_HEARD_BYTES: Final = 1024  # pages say nothing over these sockets
_LEFT: Final = (OSError, ClientDisconnect)
"""What sending to a page that has left raises: the server's error, or a streamed response's own."""
_LEAVE_S: Final = 2  # time that open pages have to notice that the server closes


class StreamSockets:
    """ASGI middleware: answers a WebSocket with the stream that a GET of its address returns.

    Each piece of the stream is one message: text of an event stream, bytes of a live picture. What is no
    stream is refused, and so are pages of other sites, which browsers let open WebSockets to anywhere.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "websocket":
            await self._answer(scope, receive, send)
            return
        await receive()  # that it connects
        asked = _as_request(scope)
        headers = Headers(scope=asked)
        if headers.get("origin") not in {None, f"{asked['scheme']}://{headers.get('host', '')}"}:
            await send({"type": "websocket.close", "code": _REFUSED})
            return
        left = asyncio.Event()
        kind: str | None = None

        async def pass_on(message: Message) -> None:
            nonlocal kind
            if message["type"] == "http.response.start":
                told = _kind_of(message)
                if message["status"] == 200 and told.startswith(_STREAMS):
                    kind = "text" if told.startswith("text/") else "bytes"
                    await send({"type": "websocket.accept"})
            elif kind is not None and message.get("body"):
                body = message["body"]
                await send({"type": "websocket.send", kind: body.decode() if kind == "text" else body})

        answering = asyncio.ensure_future(self._app(asked, _until(left), pass_on))
        hearing = asyncio.ensure_future(_heard_out(receive))
        try:
            await asyncio.wait({answering, hearing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            left.set()
            for task in (answering, hearing):
                is_over = task.done()
                task.cancel()
                with suppress(asyncio.CancelledError, *_LEFT):
                    await task
                if task is answering and is_over:
                    with suppress(OSError, RuntimeError):
                        await send({"type": "websocket.close", "code": _REFUSED if kind is None else _ENDED})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; a stream ends when the server leaves, since nothing else would end it."""
        streams = streams_of(scope["app"])
        this = asyncio.current_task()
        assert this is not None

        async def pass_on(message: Message) -> None:
            if message["type"] == "http.response.start" and _kind_of(message).startswith(_ENDLESS):
                streams.add(this)
            await send(message)

        try:
            await self._app(scope, receive, pass_on)
        except asyncio.CancelledError:
            if this in streams:
                raise
            with suppress(OSError, RuntimeError):
                await send({"type": "http.response.body", "body": b""})
        finally:
            streams.discard(this)


class _PageServer(uvicorn.Server):
    """Says where its pages are once it answers; ends their streams before it waits for the rest to end."""

    def __init__(self, config: uvicorn.Config, told: str) -> None:
        super().__init__(config)
        self._told = told

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(self._told)
            sys.stdout.flush()

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        streams = streams_of(self.config.app)
        for stream in list(streams):
            streams.discard(stream)
            stream.cancel()
        await super().shutdown(sockets)


def streams_of(app: Any) -> set[asyncio.Task[Any]]:
    """Return the set of an application's open streams."""
    if not hasattr(app.state, "streams"):
        app.state.streams = set()
    streams: set[asyncio.Task[Any]] = app.state.streams
    return streams


def _kind_of(start: Message) -> str:
    return Headers(raw=start["headers"]).get("content-type", "")


def _as_request(scope: Scope) -> Scope:
    """Return the GET that asks for the same; its answer is not compressed, so that pieces stay pieces."""
    scheme = "https" if scope["scheme"] == "wss" else "http"
    headers = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
    return {**scope, "type": "http", "method": "GET", "scheme": scheme, "headers": headers}


def _until(left: asyncio.Event) -> Receive:
    """Return a `receive` with an empty body, after which the client leaves in time."""
    begun = False

    async def receive() -> Message:
        nonlocal begun
        if not begun:
            begun = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await left.wait()
        return {"type": "http.disconnect"}

    return receive


async def _heard_out(receive: Receive) -> None:
    while (await receive())["type"] != "websocket.disconnect":
        pass


def page_server(
    app: FastAPI, host: str = "127.0.0.1", port: int = 0, *, told: str = "", log_level: str = "warning"
) -> uvicorn.Server:
    """Return the server of pages with streams; port 0 is any free one.

    `told`: text to print once the server answers.
    """
    config = uvicorn.Config(
        app,
        host,
        port,
        log_level=log_level,
        lifespan="off",
        http=Connection,
        backlog=128,  # of which so many are accepted at once before one is looked at
        ws=PageSocket,
        ws_max_size=_MOST_HEARD_BYTES,
        ws_per_message_deflate=False,  # pictures do not get smaller, and the rest is short
        timeout_graceful_shutdown=_LEAVE_S,
    )
    return _PageServer(config, told)
