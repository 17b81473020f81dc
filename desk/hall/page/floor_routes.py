"""The addresses of the floor: all mats at a glance, their stream, and what the operator tells the reader."""

from typing import Literal

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from sse_starlette import EventSourceResponse

from desk.hall.page.floor_view import floor_view
from desk.hall.page.port import FloorPort
from desk.hall.page.stream import PACE_S, SharedText
from desk.panel import phrases
from desk.panel.forms import Form
from desk.panel.house.rules import listed, risk_text
from desk.panel.pages import Pages, Said, in_script
from desk.panel.roles import Roles, joined
from desk.panel.stream import told_views
from desk.panel.words import Words
from referee.karuta.risk import risk_of
from referee.karuta.ruleset import KYOGI


class WishRequest(Form):
    """What the operator wants of the reader."""

    wish: Literal["go_on", "pause", "resume", "again", "stop", "memorise"]


class FloorRoutes:
    """Answers for the floor."""

    def __init__(self, floor: FloorPort, pages: Pages, roles: Roles, *, has_tournament: bool) -> None:
        self._floor, self._pages, self._roles = floor, pages, roles
        self._has_tournament = has_tournament
        self._public = SharedText(lambda said: floor_view(floor.state(), said, with_faults=False))
        self._whole = SharedText(lambda said: floor_view(floor.state(), said, with_faults=True))
        self.router = APIRouter()
        get = self.router.get
        get("/", response_class=HTMLResponse)(self._page)
        get("/home")(self._home)
        get("/matches", response_class=HTMLResponse)(self._matches)
        get("/join/{token}")(self._join)
        get("/api/floor")(self._view)
        get("/api/floor/events")(self._events)
        self.router.post("/api/reading", dependencies=[Depends(roles.need_operator)])(self._wish)

    async def _page(self, request: Request, said: Said) -> Response:
        """Serve the page of all mats; without a hall there are none, and the tournament is the first page."""
        if self._has_tournament and self._floor.state().link == "none":
            return RedirectResponse("/tournament", status_code=303)
        return self._pages.page(
            "hall.html",
            said,
            role=self._roles.of_request(request).value,
            has_tournament=self._has_tournament,
            risk=risk_text(risk_of(KYOGI).to_json(), said),  # a match by other rules tells its own
            view=in_script(self._text(said, request)),
        )

    async def _home(self) -> RedirectResponse:
        """Lead to the page of all mats."""
        return RedirectResponse("/", status_code=303)

    async def _matches(self, said: Said) -> HTMLResponse:
        """Serve the list of the hall's matches."""
        found = await self._floor.matches()
        matches = [{**listed(match, said), "mat": phrases.mat_number(mat)} for mat, match in found]
        of_a_desk = ("may_set_up", "may_delete", "has_match", "has_book", "has_films", "binned", "deleted")
        absent = dict.fromkeys((*of_a_desk, "running", "unreadable"), False)
        return self._pages.page(
            "matches.html", said, matches=matches, sources=phrases.SOURCES, interrupted={}, **absent
        )

    async def _join(self, token: str, request: Request) -> RedirectResponse:
        """Give the visitor the role of a link, and lead to the page."""
        return joined("/", token, self._roles, request)

    async def _view(self, request: Request, said: Said) -> Response:
        """Return the state of all mats and of the reader."""
        return Response(self._text(said, request), media_type="application/json")

    async def _events(self, request: Request, said: Said) -> EventSourceResponse:
        """Send the state of all mats whenever it changes."""
        return EventSourceResponse(
            told_views(self._floor.listen, lambda: self._text(said, request), pace_s=PACE_S)
        )

    def _text(self, said: Words, request: Request) -> str:
        """Return the data of the page; technical faults are told to the operator alone."""
        return (self._whole if self._roles.is_operator(request) else self._public)(said)

    async def _wish(self, wish: WishRequest, said: Said) -> JSONResponse:
        """Ask the reader to read on, hold, go on or read again."""
        if not await self._floor.wish(wish.wish, "board"):
            return JSONResponse({"error": said("The reader cannot be reached.")}, 503)
        return JSONResponse({})
