"""The set-up of an enrolment: the kind of cards, the name of the deck, and the camera."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import Field

from desk.panel.home.phrases import CARDS
from desk.panel.home.port import EnrolRoomPort
from desk.panel.home.practice import HomeAnswers
from desk.panel.home.wish import Wish, begun
from desk.panel.pages import Language
from desk.panel.words import choose_language, words


class EnrolAgreed(Wish):
    """The settings of an enrolment."""

    game: Literal["hanafuda", "karuta", "kendo"]
    name: Annotated[str, Field(min_length=1, max_length=64)]
    camera: Annotated[str, Field(min_length=1, max_length=500)]
    replace: bool = False


class EnrolAnswers:
    """The routes of the set-up of an enrolment.

    Parameters
    ----------
    home : the home page's routes, to which these are added.
    """

    def __init__(self, home: HomeAnswers, room: EnrolRoomPort) -> None:
        self._home, self._room = home, room
        home.router.get("/enrol/set-up", response_class=HTMLResponse)(self._page)
        home.router.post("/api/enrol/set-up/start")(self._start)

    async def _page(self, request: Request, lang: Language = None, game: str | None = None) -> HTMLResponse:
        """Serve the set-up of an enrolment."""
        return self._home.page(
            request,
            lang,
            "enrol_set_up.html",
            choices=await run_in_threadpool(self._room.choices),
            cards=CARDS,
            game=game,
            is_running=self._room.running is not None,
        )

    async def _start(self, agreed: EnrolAgreed, request: Request, lang: Language = None) -> JSONResponse:
        """Begin to enrol a deck."""
        self._home.need_operator(request, lang)
        problem = await self._room.start(
            {
                "game": agreed.game,
                "name": agreed.name,
                "camera": agreed.camera,
                "replace": agreed.replace,
            }
        )
        return begun("/enrol", problem, words(choose_language(lang)))
