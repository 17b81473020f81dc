"""The routes of a practice: the page, its stream, and the player's commands."""

import asyncio
import json
from collections.abc import Sequence

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from pydantic import BaseModel, Field
from sse_starlette import EventSourceResponse

from desk.panel.app import LOCAL_HOSTS, single_page_app
from desk.panel.house.rules import risk_text
from desk.panel.pages import Pages, Said, in_script
from desk.panel.practice.view import REFUSALS, WHEN, PracticePort, practice_view
from desk.panel.preview import Preview, live_picture
from desk.panel.roles import Roles, joined
from desk.panel.stream import polled_views
from desk.panel.words import Words
from referee.karuta.risk import risk_of
from referee.karuta.ruleset import KYOGI

_LOOK_S = 0.1


class Act(BaseModel):
    """A command of the player."""

    name: str = Field(max_length=20)


class PracticeRoutes:
    """The routes of one practice. `roles`: who may command; others only watch."""

    def __init__(self, port: PracticePort, pages: Pages, roles: Roles) -> None:
        self._port, self._pages, self._roles = port, pages, roles
        self._preview = Preview(port)
        self.router = APIRouter()
        self.router.get("/practise", response_class=HTMLResponse)(self._page)
        self.router.get("/practise/join/{token}")(self._join)
        self.router.get("/practise/live.mjpeg")(self._live)
        self.router.get("/api/practise/events")(self._events)
        operator = [Depends(roles.need_operator)]
        self.router.post("/api/practise/acts", dependencies=operator)(self._act)

    async def _page(self, request: Request, said: Said) -> HTMLResponse:
        """Serve the page."""
        return self._pages.page(
            "practice.html",
            said,
            may_command=self._roles.is_operator(request),
            risk=risk_text(risk_of(KYOGI).to_json(), said),  # every practice is judged by these rules
            view=in_script(self._text(said)),
        )

    async def _join(self, token: str, request: Request) -> RedirectResponse:
        """Give the visitor the role of a link, and lead to the page."""
        return joined("/practise", token, self._roles, request)

    async def _live(self) -> Response:
        """Return the live picture of the field."""
        return live_picture(self._preview)

    async def _events(self, said: Said) -> EventSourceResponse:
        """Send the page's data whenever they change."""
        return EventSourceResponse(polled_views(lambda: self._text(said), _LOOK_S))

    async def _act(self, act: Act, said: Said) -> JSONResponse:
        """Carry out what is said with a button."""
        try:
            refusal = await asyncio.to_thread(self._port.do, act.name)
        except KeyError:
            return JSONResponse({"error": f"a practice knows no {act.name!r}"}, status_code=422)
        if refusal is not None:
            told = WHEN[act.name] if refusal == "not_now" else REFUSALS[refusal]
            return JSONResponse({"error": said.plain(told)}, status_code=409)
        return JSONResponse({})

    def _text(self, said: Words) -> str:
        return json.dumps(practice_view(self._port.now(), said), ensure_ascii=False)


def create_practice_app(
    port: PracticePort, *, roles: Roles | None = None, allowed_hosts: Sequence[str] = LOCAL_HOSTS
) -> FastAPI:
    """Build the page of one practice; without `roles` everyone may command: right only on 127.0.0.1."""
    return single_page_app(PracticeRoutes(port, Pages(), roles or Roles()).router, "/practise", allowed_hosts)
