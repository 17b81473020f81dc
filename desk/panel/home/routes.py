"""The routes of the home page, and of the set-up of everything but karuta matches."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse

from desk.panel.answers import attachment
from desk.panel.book.port import BookPort
from desk.panel.cells import csv_of
from desk.panel.home.door import GameDoor
from desk.panel.home.port import EveningShown, HomePort, Played
from desk.panel.home.set_ups import TableAnswers
from desk.panel.home.wish import (
    EnrolAgreed,
    PracticeAgreed,
    ReadingAgreed,
    SetWished,
    begun,
    cards_of,
    first_sounds,
    known_players,
)
from desk.panel.house.port import HousePort
from desk.panel.pages import Pages, Said
from desk.panel.phrases import SOURCES
from desk.panel.practice.view import CARD_SETS
from desk.panel.roles import Roles
from desk.panel.table.names import seat_name
from desk.panel.words import Words, texts
from recitation.announcements.clips import announcement_wav
from recitation.reading.memorisation import Announcement


def evening_csv(evening: EveningShown, said: Words) -> str:
    """Return each player's results as comma-separated values in one language."""
    head = [
        said("Player"), said("Points"), said("Games"), said("Games won"), said("Months won"),
        said("Koi-Koi calls"), said("Best month"),
    ]  # fmt: skip
    rows = [
        [
            player["name"], player["points"], player["games"], player["games_won"], player["months_won"],
            player["calls"], player["best"],
        ]
        for player in evening["players"]
    ]  # fmt: skip
    return csv_of([head, *rows])


Day = Annotated[str | None, Query(pattern=r"^\d{4}-\d{2}-\d{2}$")]
_TEXTS: Final = texts("desk.panel.home")
_DOORS: Final[Mapping[str, tuple[str, ...]]] = {
    "recite": ("/api/recite",),
    "practise": ("/api/practise",),
}
"""Prefixes of a game's addresses besides the address of its page."""


class HomeRoutes:
    """The routes of the home page and of what is started from it.

    `doors`: routes to running games; they come after all other routes. `addresses`: the panel's addresses for
    phones.
    """

    def __init__(
        self,
        home: HomePort,
        house: HousePort,
        pages: Pages,
        roles: Roles,
        addresses: Sequence[str],
        *,
        book: BookPort | None,
        has_films: bool,
    ) -> None:
        self._home, self._house, self.pages, self.roles = home, house, pages, roles
        self._addresses, self.book, self._has_films = addresses, book, has_films
        self.router = APIRouter()
        get, operator = self.router.get, [Depends(roles.need_operator)]
        set_up = partial(get, response_class=HTMLResponse, dependencies=operator)
        post = partial(self.router.post, dependencies=operator)
        get("/home", response_class=HTMLResponse)(self._page)
        get("/api/home")(self._running)
        post("/api/home/end/{game}")(self._end)
        for game, table in home.tables.items():
            TableAnswers(self, game, table)
        get("/koikoi/evening", response_class=HTMLResponse)(self._evening)
        get("/koikoi/evening.csv")(self._evening_csv)
        get("/koikoi/set-up/yaku/{name}", response_class=HTMLResponse)(self._yaku)
        set_up("/recite/set-up")(self._reading)
        post("/api/recite/set-up/start")(self._read)
        get("/memorise", response_class=HTMLResponse)(self._timer)
        get("/memorise/{announcement}.wav", response_class=Response)(self._announced)
        # their names in the description are those that programs know
        set_up("/practise/set-up", name="_page")(self._practice)
        post("/api/practise/set-up/start", name="_start")(self._practise)
        set_up("/enrol/set-up", name="_page")(self._enrolment)
        post("/api/enrol/set-up/start", name="_start")(self._enrol)
        rooms = {"recite": home.reading, "practise": home.practice, "enrol": home.enrolment}
        self._played: dict[str, Played] = {**home.tables, **rooms}
        self.doors = [
            GameDoor(f"/{game}", _DOORS.get(game, ()), played) for game, played in self._played.items()
        ]

    # --- the home page -----------------------------------------------------------------------------------
    def _now(self) -> dict[str, bool]:
        """Return for each game whether it is running."""
        running = {game: played.running is not None for game, played in self._played.items()}
        return {"karuta": self._house.match is not None, **running}

    async def _page(self, request: Request, said: Said) -> HTMLResponse:
        """Serve the home page."""
        return self.pages.page(
            "home.html",
            said,
            running=self._now(),
            tables={game: said(table.title) for game, table in self._home.tables.items()},
            may_command=self.roles.is_operator(request),
            phones_may_join=bool(self._addresses),
            has_book=self.book is not None,
            has_films=self._has_films,
        )

    async def _running(self) -> JSONResponse:
        """Return the games that are being played."""
        return JSONResponse(self._now())

    async def _end(self, game: str) -> JSONResponse:
        """End a game; its log stays."""
        ends = {"karuta": self._house.end, **{name: played.end for name, played in self._played.items()}}
        if game not in ends:
            raise HTTPException(404, f"expected one of {', '.join(ends)}, got {game!r}")
        await ends[game]()
        return JSONResponse(self._now())

    # --- an evening of Koi-Koi ---------------------------------------------------------------------------
    async def _evening(self, request: Request, said: Said, day: Day = None) -> HTMLResponse:
        """Serve the sums of an evening of Koi-Koi."""
        shown = await run_in_threadpool(self._home.evening, day)
        table = self._home.tables["koikoi"]
        return self.pages.page(
            "koikoi_evening.html",
            said,
            evening=shown,
            problems=[said.complaint(each) for each in shown["problems"]],
            is_running=table.running is not None,
            may_command=self.roles.is_operator(request),
            rules=table.choices(said)["default_rules"],
            seat_name=seat_name,
        )

    async def _yaku(self, name: str, request: Request, said: Said) -> HTMLResponse:
        """Serve the yaku and their points under a preset, with the switches that the address sets."""
        changes = {switch: setting for switch, setting in request.query_params.items() if switch != "lang"}
        rules = self._home.koikoi_rules(name, changes, said)
        if rules is None:
            raise HTTPException(404, f"there are no rules {name!r} with {urlencode(changes)!r}")
        return self.pages.page(
            "koikoi_yaku.html",
            said,
            rules=rules,
            cards=rules["card_names"],
            back="/koikoi/set-up",
            asked=urlencode(changes),
        )

    async def _evening_csv(self, said: Said, day: Day = None) -> Response:
        """Return the sums of an evening as a table for spreadsheets."""
        shown = await run_in_threadpool(self._home.evening, day)
        return attachment(evening_csv(shown, said), f"shinpan-koikoi-{shown['day'] or 'evening'}.csv")

    # --- the reciter -------------------------------------------------------------------------------------
    async def _reading(self, said: Said) -> HTMLResponse:
        """Serve the set-up of a reading."""
        return self.pages.page(
            "recite_set_up.html",
            said,
            choices=await run_in_threadpool(self._home.reading.choices),
            orders=_TEXTS["orders"],
            modes=_TEXTS["modes"],
            first_sounds=first_sounds(),
            colours=_TEXTS["colours"],
            players=await run_in_threadpool(known_players, self.book),
            card_sets=CARD_SETS,
            is_running=self._home.reading.running is not None,
        )

    async def _read(self, agreed: ReadingAgreed, said: Said) -> JSONResponse:
        """Begin to read."""
        chosen = await self._chosen(agreed.from_book, said)
        if isinstance(chosen, str):
            return begun("/recite", chosen, said)
        if chosen:
            agreed = agreed.model_copy(update={"cards": ",".join(map(str, chosen))})
        return begun("/recite", await self._home.reading.start(agreed), said)

    async def _chosen(self, wish: SetWished | None, said: Words) -> list[int] | str:
        return [] if wish is None else await run_in_threadpool(cards_of, self.book, wish, said)

    # --- practice alone, and enrolment -------------------------------------------------------------------
    async def _practice(self, said: Said) -> HTMLResponse:
        """Serve the set-up of a practice."""
        return self.pages.page(
            "practice_set_up.html",
            said,
            choices=await run_in_threadpool(self._home.practice.choices),
            source_names=SOURCES,
            players=await run_in_threadpool(known_players, self.book),
            card_sets=CARD_SETS,
            is_running=self._home.practice.running is not None,
        )

    async def _practise(self, agreed: PracticeAgreed, said: Said) -> JSONResponse:
        """Begin a practice."""
        cards = await self._chosen(agreed.from_book, said)
        problem = cards if isinstance(cards, str) else await self._home.practice.start(agreed, cards)
        return begun("/practise", problem, said)

    async def _enrolment(self, said: Said, game: str | None = None) -> HTMLResponse:
        """Serve the set-up of an enrolment."""
        return self.pages.page(
            "enrol_set_up.html",
            said,
            choices=await run_in_threadpool(self._home.enrolment.choices),
            cards=texts("desk.panel.home")["cards"],
            game=game,
            is_running=self._home.enrolment.running is not None,
        )

    async def _enrol(self, agreed: EnrolAgreed, said: Said) -> JSONResponse:
        """Begin to enrol a deck."""
        return begun("/enrol", await self._home.enrolment.start(agreed), said)

    # --- the time to memorise, without anything else -----------------------------------------------------
    async def _timer(self, said: Said) -> HTMLResponse:
        """Serve a timer for the time to memorise."""
        return self.pages.page("timer.html", said)

    async def _announced(self, announcement: Announcement) -> Response:
        """Return what is said two minutes before the end, or at the end."""
        return Response(announcement_wav(announcement), media_type="audio/wav")
