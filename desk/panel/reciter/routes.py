"""The page of a reading: a remote control, the poems read so far, and optionally a loudspeaker."""

import asyncio
import json
import struct
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, StreamingResponse
from pydantic import BaseModel, Field
from sse_starlette import EventSourceResponse

from desk.panel.answers import data
from desk.panel.app import LOCAL_HOSTS, single_page_app
from desk.panel.match.poem_view import poem_words
from desk.panel.pages import Pages, Said, in_script
from desk.panel.phrases import READING_PROBLEMS, phrase
from desk.panel.reciter.port import NO_LISTENER, RecitePort
from desk.panel.roles import Roles, joined
from desk.panel.stream import polled_views
from desk.panel.words import N_, Words, picked

_LOOK_S = 0.05
_HEADER = struct.Struct("<II")
"""Header of each block of sound: its first sample (modulo 2^32) and its length in bytes."""


class Act(BaseModel):
    """A command to the reciter."""

    name: str = Field(max_length=40)
    value: Annotated[float, Field(allow_inf_nan=False)] = 0.0


class Heard(BaseModel):
    """A browser has played `sample` at `t_ns` on the desk's clock."""

    sample: Annotated[int, Field(ge=0)]
    t_ns: Annotated[int, Field(ge=0)]
    unc_ns: Annotated[int, Field(gt=0)]
    underruns: Annotated[int, Field(ge=0)]


class ReciteRoutes:
    """The routes of one reading. `roles`: who may command; viewers only see and hear."""

    def __init__(self, port: RecitePort, pages: Pages, roles: Roles) -> None:
        self._port, self._pages, self._roles = port, pages, roles
        self.router = APIRouter()
        get = self.router.get
        post = partial(self.router.post, dependencies=[Depends(roles.need_operator)])
        get("/recite", response_class=HTMLResponse)(self._page)
        get("/recite/join/{token}", response_class=RedirectResponse, status_code=303)(self._join)
        stream, sound = data("text/event-stream"), data("application/octet-stream")
        get("/api/recite/events", response_class=Response, responses=stream)(self._events)
        get("/api/recite/clock")(self._clock)
        get("/api/recite/sound", response_class=Response, responses=sound)(self._sound)
        post("/api/recite/acts")(self._act)
        post("/api/recite/heard")(self._heard)

    async def _page(self, request: Request, said: Said) -> HTMLResponse:
        """Serve the page."""
        return self._pages.page(
            "recite.html",
            said,
            may_command=self._roles.is_operator(request),
            view=in_script(self._text(said)),
        )

    async def _join(self, token: str, request: Request) -> RedirectResponse:
        """Give the visitor the role of a link, and lead to the page."""
        return joined("/recite", token, self._roles, request)

    async def _events(self, said: Said) -> EventSourceResponse:
        """Send the page's data whenever they change."""
        return EventSourceResponse(polled_views(lambda: self._text(said), _LOOK_S))

    async def _clock(self) -> JSONResponse:
        """Return the instant by the reciter's clock."""
        return JSONResponse({"now_ns": self._port.now_ns()}, headers={"Cache-Control": "no-store"})

    async def _sound(self) -> Response:
        """Return the sound in blocks, as it is read."""
        if not self._port.now()["streamed"]:
            raise HTTPException(404, "this machine plays the sound itself")
        headers = {"Content-Encoding": "identity", "Cache-Control": "no-store"}
        return StreamingResponse(self._blocks(), media_type="application/octet-stream", headers=headers)

    async def _blocks(self) -> AsyncIterator[bytes]:
        waiting = self._port.listen()
        try:
            while True:
                while waiting:
                    block = waiting.popleft()
                    yield _HEADER.pack(block.sample % 2**32, len(block.data)) + block.data
                await asyncio.sleep(_LOOK_S)
        finally:
            self._port.unlisten(waiting)

    async def _act(self, act: Act) -> JSONResponse:
        """Carry out what is said with a button."""
        if not self._port.do(act.name, act.value):
            return JSONResponse({"error": f"a reciter knows no {act.name!r}"}, status_code=422)
        return JSONResponse({})

    async def _heard(self, heard: Heard) -> JSONResponse:
        """Note when a browser that is the loudspeaker played a sample."""
        self._port.heard(heard.sample, heard.t_ns, heard.unc_ns, heard.underruns)
        return JSONResponse({})

    def _text(self, said: Words) -> str:
        now = self._port.now()
        read, ends_ns, left_s = now["read"], now["memorise_ends_ns"], None
        if ends_ns is not None:
            left_s = -(-max(ends_ns - self._port.now_ns(), 0) // 1_000_000_000)
        since = N_("Since {since}: {before} → {now}")
        changes = [picked(one, "since", "before", "now") for one in reversed(now["changes"])]
        view = {
            **now,
            "problem": phrase(said, READING_PROBLEMS, now["problem"]) if now["problem"] else "",
            "is_unheard": now["problem"] == NO_LISTENER,
            "state_text": _state_text(now["state"], half=now["half"], is_joka=now["is_joka"], said=said),
            "poem": None if not read else self._poem(read[-1]),
            "history": [self._poem(number) for number in reversed(read[:-1])],
            "left_s": left_s,
            "changes_text": [said(since, **one) for one in changes],
        }
        return json.dumps(view, ensure_ascii=False)

    def _poem(self, number: int) -> dict[str, Any]:
        return {"number": number, "ku": poem_words(number), "kimariji": self._port.kimariji_of(number)}


def _state_text(state: str, *, half: str | None, is_joka: bool, said: Words) -> str:
    sounds = {"kami": N_("First half"), "shimo": N_("Second half")}.get(half or "", N_("Silence"))
    texts = {
        "reading": N_("The joka is being read") if is_joka else sounds,
        "memorising": N_("Time to memorise"),
        "waiting": N_("Waiting for 'Next'"),
        "paused": N_("The reading is paused"),
        "ended": N_("The reading is over"),
    }
    return said(texts.get(state, N_("Silence")))


def create_recite_app(
    port: RecitePort, *, roles: Roles | None = None, allowed_hosts: Sequence[str] = LOCAL_HOSTS
) -> FastAPI:
    """Build the page of one reading; without `roles` everyone may command: right only on 127.0.0.1."""
    return single_page_app(ReciteRoutes(port, Pages(), roles or Roles()).router, "/recite", allowed_hosts)
