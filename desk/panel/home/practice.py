"""The set-up of a practice alone."""

from __future__ import annotations

from typing import Annotated, Protocol

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import Field

from desk.panel.book.port import BookPort
from desk.panel.home.port import PracticeRoomPort
from desk.panel.home.wish import LONGEST_NAME, SetWished, Wish, begun, cards_of, known_players
from desk.panel.pages import Language
from desk.panel.phrases import SOURCES
from desk.panel.practice.phrases import CARD_SETS
from desk.panel.words import choose_language, words


class PracticeAgreed(Wish):
    """The settings of a practice alone; `where` is an argument of `shinpan practise`."""

    where: Annotated[str, Field(min_length=1, max_length=500)]
    player: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    from_book: SetWished | None = None
    karafuda: Annotated[int, Field(ge=0, le=75)] = 0
    voice: Annotated[str, Field(max_length=64)]
    rhythm: Annotated[str, Field(max_length=64)]
    by_hand: bool = False


class HomeAnswers(Protocol):
    """What the set-ups need of the home page's routes."""

    router: APIRouter
    book: BookPort | None

    def need_operator(self, request: Request, lang: str | None) -> None:
        """Refuse everybody but the operator."""

    def page(self, request: Request, lang: str | None, template: str, **values: object) -> HTMLResponse:
        """Return a rendered page, for the operator only."""


class PracticeAnswers:
    """The routes of the set-up of a practice.

    Parameters
    ----------
    home : the home page's routes, to which these are added.
    """

    def __init__(self, home: HomeAnswers, room: PracticeRoomPort) -> None:
        self._home, self._room = home, room
        home.router.get("/practise/set-up", response_class=HTMLResponse)(self._page)
        home.router.post("/api/practise/set-up/start")(self._start)

    async def _page(self, request: Request, lang: Language = None) -> HTMLResponse:
        """Serve the set-up of a practice."""
        return self._home.page(
            request,
            lang,
            "practice_set_up.html",
            choices=await run_in_threadpool(self._room.choices),
            source_names=SOURCES,
            players=await run_in_threadpool(known_players, self._home.book),
            card_sets=CARD_SETS,
            is_running=self._room.running is not None,
        )

    async def _start(self, agreed: PracticeAgreed, request: Request, lang: Language = None) -> JSONResponse:
        """Begin a practice."""
        self._home.need_operator(request, lang)
        cards: list[int] = []
        if agreed.from_book is not None:
            said = words(choose_language(lang))
            chosen = await run_in_threadpool(cards_of, self._home.book, agreed.from_book, said)
            if isinstance(chosen, str):
                return begun("/practise", chosen, said)
            cards = chosen
        problem = await self._room.start(
            {
                "where": agreed.where,
                "player": agreed.player,
                "cards": cards,
                "karafuda": agreed.karafuda,
                "voice": agreed.voice,
                "rhythm": agreed.rhythm,
                "by_hand": agreed.by_hand,
            }
        )
        return begun("/practise", problem, words(choose_language(lang)))
