"""The routes of the phone's page: joining, the page itself, its pictures and its clock."""

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import HTMLResponse, RedirectResponse

from desk.panel.guard import guarded
from desk.panel.house.setup_view import STATUSES, finding_view
from desk.panel.pages import Pages, Said, said_of
from desk.panel.phone.messages import Hello, PhoneDoor, PhoneLine, ToldPhone, answer, picture, spoken
from desk.panel.phrases import phrase
from desk.panel.words import Words, texts


def create_phone_app(door: PhoneDoor, allowed_hosts: Sequence[str]) -> FastAPI:
    """Build the application of the phone's page. `allowed_hosts`: host names under which it answers."""
    app = guarded(allowed_hosts, has_sockets=True)
    app.include_router(PhoneRoutes(door, Pages()).router)
    return app


COOKIE = "shinpan_phone"
_REFUSED, _REPLACED, _MISTAKEN = 4403, 4409, 4400
"""Codes that close a connection: unknown link, replaced by another phone, malformed message."""
_TELL_S = 0.1
_ASK_S = 0.2
_WHOLE_S = 0.5  # interval at which a key frame is requested again


class PhoneRoutes:
    """The routes of the phone's page."""

    def __init__(self, door: PhoneDoor, pages: Pages) -> None:
        self._door, self._pages = door, pages
        self.router = APIRouter()
        self.router.get("/join/{token}")(self._join)
        self.router.get("/", response_class=HTMLResponse)(self._page)
        self.router.websocket("/line")(self._line)
        self.router.websocket("/clock")(self._clock)

    async def _join(self, token: str, request: Request) -> Response:
        """Let the phone in that has the link."""
        secret = self._door.admit(token)
        if secret is None and not self._door.knows(request.cookies.get(COOKIE)):
            return self._refusal(request)
        answered = RedirectResponse("/", status_code=303)
        if secret is not None:
            secure = request.url.scheme == "https"
            answered.set_cookie(COOKIE, secret, httponly=True, samesite="strict", secure=secure)
        return answered

    async def _page(self, request: Request, said: Said) -> HTMLResponse:
        """Serve the page on which a phone is the camera."""
        if not self._door.knows(request.cookies.get(COOKIE)):
            return self._refusal(request)
        told = texts("desk.panel.phone")
        named = {f"warn_{name}": text for name, text in told["warnings"].items()} | told["page_strings"]
        strings = {name: said(text) for name, text in named.items()}
        return self._pages.page("phone_camera.html", said, strings=strings)

    def _refusal(self, request: Request) -> HTMLResponse:
        page = self._pages.page("phone_refused.html", said_of(request))
        page.status_code = 403
        return page

    # --- lines -------------------------------------------------------------------------------------------
    def _may_open(self, socket: WebSocket) -> bool:
        """Tell whether a connection comes from the admitted page, and not from another site's page."""
        scheme = "https" if socket.url.scheme == "wss" else "http"
        own = f"{scheme}://{socket.headers.get('host', '')}"
        is_own = hmac.compare_digest(socket.headers.get("origin", "").encode(), own.encode())
        return is_own and self._door.knows(socket.cookies.get(COOKIE))

    async def _line(self, socket: WebSocket) -> None:
        await socket.accept()
        line = self._door.open_line(socket.cookies.get(COOKIE)) if self._may_open(socket) else None
        if line is None:
            await socket.close(_REFUSED)
            return
        said = said_of(socket)
        await _both(socket, lambda: self._hear(socket, line), lambda: self._tell(socket, line, said))
        line.end("lost")

    async def _hear(self, socket: WebSocket, line: PhoneLine) -> int:
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return 1000
            try:
                if (data := message.get("bytes")) is not None:
                    line.take(picture(data))
                else:
                    said = spoken(message.get("text") or "")
                    (line.announce if isinstance(said, Hello) else line.report)(said)  # type: ignore[arg-type]
            except ValueError:
                return _MISTAKEN

    async def _tell(self, socket: WebSocket, line: PhoneLine, said: Words) -> int:
        shown: dict[str, Any] | None = None
        asked_s = float("-inf")
        now_s = asyncio.get_running_loop().time
        while line.ended is None:
            if line.wants_whole and now_s() - asked_s >= _WHOLE_S:
                asked_s = now_s()
                await socket.send_text('{"kind": "whole"}')
            view = told_view(line.told(), said)
            if view != shown:
                shown = view
                await socket.send_text(json.dumps(view, ensure_ascii=False))
            await asyncio.sleep(_TELL_S)
        return _REPLACED if line.ended == "replaced" else 1000

    async def _clock(self, socket: WebSocket) -> None:
        """Ask for the page's clock, on a connection of its own: pictures would delay the answers."""
        await socket.accept()
        # of this page's own line: who was the camera before, or read the next code, sets no other's clock
        line = self._door.line_of(socket.cookies.get(COOKIE)) if self._may_open(socket) else None
        if line is None:
            await socket.close(_REFUSED)
            return
        sent: dict[int, int] = {}

        async def ask() -> int:
            number = 0
            while line.ended is None:
                sent[number] = self._door.now_ns()
                sent.pop(number - 50, None)
                await socket.send_text(json.dumps({"kind": "ask", "id": number}))
                number += 1
                await asyncio.sleep(_ASK_S)
            return 1000

        async def hear() -> int:
            while True:
                message = await socket.receive()
                if message["type"] == "websocket.disconnect":
                    return 1000
                try:
                    said = answer(message.get("text") or "")
                except ValueError:
                    return _MISTAKEN
                asked_ns = sent.pop(said.id, None)
                if asked_ns is not None:
                    line.answered(asked_ns, said.there_ms)

        await _both(socket, ask, hear)


async def _both(
    socket: WebSocket, one: Callable[[], Awaitable[int]], other: Callable[[], Awaitable[int]]
) -> None:
    """Run both until one ends or the page leaves, and close the socket with the code that it returns."""
    tasks = [asyncio.ensure_future(each()) for each in (one, other)]
    done, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    # RuntimeError: raised when sending to a page that has left
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(next(iter(done)).result())


def told_view(told: ToldPhone, said: Words) -> dict[str, Any]:
    """Return the desk's report to the phone with all texts of the page."""
    findings = [
        {**finding_view(each, said), "status_text": phrase(said, STATUSES, each["status"])}
        for each in told["findings"] or ()
    ]
    return {
        "kind": "desk",
        "findings": None if told["findings"] is None else findings,
        "fps": told["fps"],
        "clock_ms": told["clock_ms"],
        "dropped": told["desk_dropped"],
    }
