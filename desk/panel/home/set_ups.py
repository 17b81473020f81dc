"""The routes of the set-ups: of card tables, of practice alone, and of enrolments."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import Field

from desk.panel.home.findings import PROBLEMS, table_view
from desk.panel.home.port import EnrolRoomPort, PracticeRoomPort, TablePort
from desk.panel.home.wish import EnrolAgreed, PracticeAgreed, Wish, begun, cards_of, known_players
from desk.panel.pages import Said, in_script
from desk.panel.phrases import SOURCES
from desk.panel.practice.view import CARD_SETS
from desk.panel.preview import Preview, live_picture
from desk.panel.table.names import seat_name
from desk.panel.words import Words, texts

if TYPE_CHECKING:
    from desk.panel.home.routes import HomeRoutes


class TableSource(Wish):
    """The source of a card table's pictures."""

    kind: Literal["camera", "video", "simulator"]
    where: Annotated[str, Field(min_length=1, max_length=500)]
    deck: Annotated[str, Field(max_length=64)] = ""
    players: Annotated[int, Field(ge=2, le=4)] = 2


class TableAgreed(Wish):
    """The settings of a game at a card table."""

    rules: Annotated[str, Field(max_length=64)]
    names: Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=4)]
    dealer: Annotated[int, Field(ge=0, le=3)] = 0
    changes: Annotated[
        dict[Annotated[str, Field(max_length=32)], Annotated[str, Field(max_length=32)]],
        Field(max_length=16, default_factory=dict),
    ]


class GoOn(Wish):
    """An interrupted game that goes on."""

    game: Annotated[str, Field(min_length=1, max_length=200)]


class TableAnswers:
    """The routes of one card table's set-up."""

    def __init__(self, home: HomeRoutes, game: str, table: TablePort) -> None:
        self._home, self._game, self._table = home, game, table
        self._preview = Preview(table)
        router = home.router
        router.get(f"/{game}/set-up", response_class=HTMLResponse)(self._page)
        router.get(f"/{game}/set-up.mjpeg")(self._live)
        router.get(f"/api/{game}/set-up")(self._state)
        router.post(f"/api/{game}/set-up/source")(self._choose)
        router.post(f"/api/{game}/set-up/start")(self._start)
        router.post(f"/api/{game}/set-up/go-on")(self._go_on)

    async def _page(
        self, request: Request, said: Said, go_on: Annotated[str, Query(max_length=200)] = ""
    ) -> HTMLResponse:
        """Serve the set-up of the table, or that of an interrupted game that goes on: `go_on`."""
        choices = self._table.choices(said)
        interrupted = await run_in_threadpool(self._table.interrupted)
        return self._home.page(
            request,
            said,
            "table_set_up.html",
            game=self._game,
            title=texts("desk.panel.home")["titles"].get(self._game, self._table.title),
            choices=choices,
            rules=choices["rules"],
            switches=choices["switches"],
            source_names=SOURCES,
            is_running=self._table.running is not None,
            interrupted=interrupted,
            goes_on=next((each for each in interrupted if each["id"] == go_on), None),
            seat_name=seat_name,
            shown=in_script(self._text(said)),
        )

    async def _state(self, request: Request, said: Said) -> Response:
        """Return what the camera sees of the table, and what it lacks."""
        self._home.roles.need_operator(request)
        return Response(self._text(said), media_type="application/json")

    async def _live(self, request: Request) -> Response:
        """Return the live picture of the table."""
        self._home.roles.need_operator(request)
        return live_picture(self._preview)

    async def _choose(self, wish: TableSource, request: Request, said: Said) -> Response:
        """Open a source for the table."""
        self._home.roles.need_operator(request)
        await self._table.choose(wish.kind, wish.where, wish.deck, wish.players)
        return await self._state(request, said)

    async def _start(self, agreed: TableAgreed, request: Request, said: Said) -> JSONResponse:
        """Begin the game."""
        self._home.roles.need_operator(request)
        problem = await self._table.start(agreed.rules, agreed.names, agreed.dealer, agreed.changes)
        return self._begun(problem, said)

    async def _go_on(self, wish: GoOn, request: Request, said: Said) -> JSONResponse:
        """Go on with an interrupted game."""
        self._home.roles.need_operator(request)
        return self._begun(await self._table.go_on(wish.game), said)

    def _begun(self, problem: str | None, said: Words) -> JSONResponse:
        if problem is not None and problem in PROBLEMS:
            problem = said(PROBLEMS[problem])
        return begun(f"/{self._game}", problem, said)

    def _text(self, said: Words) -> str:
        return json.dumps(table_view(self._table.state(), said), ensure_ascii=False)


class PracticeAnswers:
    """The routes of the set-up of a practice."""

    def __init__(self, home: HomeRoutes, room: PracticeRoomPort) -> None:
        self._home, self._room = home, room
        home.router.get("/practise/set-up", response_class=HTMLResponse)(self._page)
        home.router.post("/api/practise/set-up/start")(self._start)

    async def _page(self, request: Request, said: Said) -> HTMLResponse:
        """Serve the set-up of a practice."""
        return self._home.page(
            request,
            said,
            "practice_set_up.html",
            choices=await run_in_threadpool(self._room.choices),
            source_names=SOURCES,
            players=await run_in_threadpool(known_players, self._home.book),
            card_sets=CARD_SETS,
            is_running=self._room.running is not None,
        )

    async def _start(self, agreed: PracticeAgreed, request: Request, said: Said) -> JSONResponse:
        """Begin a practice."""
        self._home.roles.need_operator(request)
        cards: list[int] = []
        if agreed.from_book is not None:
            chosen = await run_in_threadpool(cards_of, self._home.book, agreed.from_book, said)
            if isinstance(chosen, str):
                return begun("/practise", chosen, said)
            cards = chosen
        return begun("/practise", await self._room.start(agreed, cards), said)


class EnrolAnswers:
    """The routes of the set-up of an enrolment."""

    def __init__(self, home: HomeRoutes, room: EnrolRoomPort) -> None:
        self._home, self._room = home, room
        home.router.get("/enrol/set-up", response_class=HTMLResponse)(self._page)
        home.router.post("/api/enrol/set-up/start")(self._start)

    async def _page(self, request: Request, said: Said, game: str | None = None) -> HTMLResponse:
        """Serve the set-up of an enrolment."""
        return self._home.page(
            request,
            said,
            "enrol_set_up.html",
            choices=await run_in_threadpool(self._room.choices),
            cards=texts("desk.panel.home")["cards"],
            game=game,
            is_running=self._room.running is not None,
        )

    async def _start(self, agreed: EnrolAgreed, request: Request, said: Said) -> JSONResponse:
        """Begin to enrol a deck."""
        self._home.roles.need_operator(request)
        return begun("/enrol", await self._room.start(agreed), said)
