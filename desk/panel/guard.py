"""The panel's guard: only its own pages may send commands, and they load nothing from elsewhere."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from desk.errors import misfits
from desk.machine.side_process import BusyError
from desk.panel.answers import EVERYWHERE
from desk.panel.pages import said_of
from desk.panel.sockets import StreamSockets

COMMANDS_PER_S, BURST = 20.0, 60
"""Rate and burst: people tap ten times a second at most; a browser that plays sound reports a few times."""
_MOST_HOSTS = 1024


class Allowance:
    """The commands that each client has left. `now_s`: clock that refills the buckets."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def takes(self, host: str) -> bool:
        """Take one command off a client's allowance; False if none is left."""
        now_s = self._now_s()
        left, since_s = self._left.pop(host, (float(BURST), now_s))
        left = min(BURST, left + (now_s - since_s) * COMMANDS_PER_S)
        self._left[host] = (left - 1 if left >= 1 else left), now_s
        if len(self._left) > _MOST_HOSTS:
            self._left.popitem(last=False)
        return left >= 1


_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}
MOST_BYTES = 65_536
"""Largest body of a request: a command has a few hundred bytes. Uploads are read as a stream."""
BODY_S = 10.0  # time limit for a body to arrive


class Guard:
    """ASGI middleware. It does not buffer responses, so event streams pass through unchanged.

    `uploads`: prefix of the addresses that read the body of a PATCH themselves, piece by piece, after
    checking the sender; None without uploads.
    """

    def __init__(self, app: ASGIApp, uploads: str | None = None) -> None:
        self._app = app
        self._uploads = uploads
        self._allowance = Allowance()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        has_body = "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
        is_upload = self._uploads and scope["method"] == "PATCH" and scope["path"].startswith(self._uploads)
        if refusal is None and has_body and not is_upload:
            body = await _body(headers, receive)
            if isinstance(body, bytes):
                receive = _again(body, receive)
            else:
                refusal = body
        await (refusal or self._app)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope, headers: Headers) -> JSONResponse | None:
        if scope["method"] in {"GET", "HEAD"}:
            return None
        origin, own = headers.get("origin"), f"{scope['scheme']}://{headers.get('host', '')}"
        if origin not in {None, own}:
            return JSONResponse({"error": f"commands come from {own}, not from {origin}"}, status_code=403)
        host, _ = scope.get("client") or ("", 0)
        if not self._allowance.takes(host):
            said = said_of(Request(scope))
            error = said("Too many commands at once: at most {n} a second.", n=round(COMMANDS_PER_S))
            return JSONResponse({"error": error}, status_code=429, headers={"Retry-After": "1"})
        return None


async def _body(headers: Headers, receive: Receive) -> bytes | JSONResponse:
    """Return the whole body, or a refusal if it is too large or too slow."""
    too_large = JSONResponse(
        {"error": f"the request is too large: expected at most {MOST_BYTES} bytes"},
        status_code=413,
        headers={"Connection": "close"},
    )
    announced = headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced) > MOST_BYTES:
        return too_large
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":  # no command has arrived; nobody hears the answer
                    return JSONResponse({"error": "the request did not arrive as a whole"}, status_code=400)
                body += message.get("body", b"")
                if len(body) > MOST_BYTES:
                    return too_large
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        error = f"the request did not arrive within {BODY_S:.0f} s"
        return JSONResponse({"error": error}, status_code=408, headers={"Connection": "close"})


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that yields a body that was already read, and then further messages."""
    waiting = [body]

    async def receive_again() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return receive_again


def guarded(
    allowed_hosts: Sequence[str], uploads: str | None = None, *, has_sockets: bool = False
) -> FastAPI:
    """Return an application that answers only under its own host names and only to its own pages.

    `uploads`: as in `Guard`. `has_sockets`: whether it answers WebSockets itself; otherwise they carry its
    streams.
    """
    app = FastAPI(title="shinpan", openapi_url=None, docs_url=None, redoc_url=None, responses=EVERYWHERE)
    app.mount("/static", StaticFiles(packages=[("desk.panel", "static")]), name="static")
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(allowed_hosts))
    app.add_middleware(Guard, uploads=uploads)
    if not has_sockets:
        app.add_middleware(StreamSockets)
    app.add_exception_handler(RequestValidationError, misshapen)
    app.add_exception_handler(BusyError, _later)
    return app


async def _later(request: Request, _error: Exception) -> JSONResponse:
    said = said_of(request)
    error = said("Too many replays are being made at this moment: try again in a minute.")
    return JSONResponse({"error": error}, status_code=503, headers={"Retry-After": "60"})


async def misshapen(request: Request, error: Exception) -> JSONResponse:
    """Say what is wrong with a request without repeating its content, which may not be text."""
    assert isinstance(error, RequestValidationError)
    text = said_of(request).complaint(misfits(error.errors(), repeats=False))
    return JSONResponse({"error": text.encode("utf-8", "replace").decode("utf-8")}, status_code=422)
