"""The routes of the set-ups of card tables: what is seen of the table, and what it lacks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Query, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import Field

from desk.panel.forms import Form
from desk.panel.home.port import TablePort, TableShown
from desk.panel.home.wish import begun
from desk.panel.house.port import FindingShown
from desk.panel.house.setup_view import STATUSES, phone_view
from desk.panel.pages import Said, in_script
from desk.panel.phrases import SOURCES, phrase
from desk.panel.preview import Preview, live_picture
from desk.panel.table.names import seat_name
from desk.panel.table.stream import NO_MARKER
from desk.panel.words import Words, picked, texts

if TYPE_CHECKING:
    from desk.panel.home.routes import HomeRoutes


PROBLEMS: Final[Mapping[str, str]] = texts("desk.panel.home")["problems"]
"""Texts of the problems that come as ids; others come as messages."""


class TableSource(Form):
    """The source of a card table's pictures."""

    kind: Literal["camera", "video", "simulator"]
    where: Annotated[str, Field(min_length=1, max_length=500)]
    deck: Annotated[str, Field(max_length=64)] = ""
    players: Annotated[int, Field(ge=2, le=4)] = 2


class TableAgreed(Form):
    """The settings of a game at a card table."""

    rules: Annotated[str, Field(max_length=64)]
    names: Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=4)]
    dealer: Annotated[int, Field(ge=0, le=3)] = 0
    changes: Annotated[
        dict[Annotated[str, Field(max_length=32)], Annotated[str, Field(max_length=32)]],
        Field(max_length=16, default_factory=dict),
    ]


class GoOn(Form):
    """An interrupted game that goes on."""

    game: Annotated[str, Field(min_length=1, max_length=200)]


class TableAnswers:
    """The routes of one card table's set-up."""

    def __init__(self, home: HomeRoutes, game: str, table: TablePort) -> None:
        self._home, self._game, self._table = home, game, table
        self._preview = Preview(table)
        router = APIRouter(dependencies=[Depends(home.roles.need_operator)])
        router.get(f"/{game}/set-up", response_class=HTMLResponse)(self._page)
        router.get(f"/{game}/set-up.mjpeg")(self._live)
        router.get(f"/api/{game}/set-up")(self._state)
        router.post(f"/api/{game}/set-up/source")(self._choose)
        router.post(f"/api/{game}/set-up/start")(self._start)
        router.post(f"/api/{game}/set-up/go-on")(self._go_on)
        home.router.include_router(router)

    async def _page(self, said: Said, go_on: Annotated[str, Query(max_length=200)] = "") -> HTMLResponse:
        """Serve the set-up of the table, or that of an interrupted game that goes on: `go_on`."""
        choices = self._table.choices(said)
        interrupted = await run_in_threadpool(self._table.interrupted)
        return self._home.pages.page(
            "table_set_up.html",
            said,
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

    async def _state(self, said: Said) -> Response:
        """Return what the camera sees of the table, and what it lacks."""
        return Response(self._text(said), media_type="application/json")

    async def _live(self) -> Response:
        """Return the live picture of the table."""
        return live_picture(self._preview)

    async def _choose(self, wish: TableSource, said: Said) -> Response:
        """Open a source for the table."""
        await self._table.choose(wish.kind, wish.where, wish.deck, wish.players)
        return await self._state(said)

    async def _start(self, agreed: TableAgreed, said: Said) -> JSONResponse:
        """Begin the game."""
        problem = await self._table.start(agreed.rules, agreed.names, agreed.dealer, agreed.changes)
        return self._begun(problem, said)

    async def _go_on(self, wish: GoOn, said: Said) -> JSONResponse:
        """Go on with an interrupted game."""
        return self._begun(await self._table.go_on(wish.game), said)

    def _begun(self, problem: str | None, said: Words) -> JSONResponse:
        if problem is not None and problem in PROBLEMS:
            problem = said(PROBLEMS[problem])
        return begun(f"/{self._game}", problem, said)

    def _text(self, said: Words) -> str:
        return json.dumps(table_view(self._table.state(), said), ensure_ascii=False)


def table_view(shown: TableShown, said: Words) -> dict[str, Any]:
    """Return the state of a card table's set-up with all texts of its page."""
    problem, findings, phone = shown["problem"], shown["findings"], shown["phone"]
    is_awaited = phone is not None and phone["stage"] != "streaming"
    if is_awaited:
        problem = None  # the phone's state is shown next to its QR code
    return {
        **shown,
        "problem": None if problem is None else said.complaint(problem),
        "findings": [_finding(finding, said) for finding in findings],
        "phone": None if phone is None else phone_view(phone, said),
        "ready": bool(findings) and problem is None and not is_awaited and not shown["opening"],
        "failing": [finding["id"] for finding in findings if finding["status"] == "fail"],
    }


def _finding(finding: FindingShown, said: Words) -> dict[str, Any]:
    name, found, mend = _TEXTS[finding["id"]](finding, said)
    return {
        **picked(finding, "id", "status"),
        "status_text": phrase(said, STATUSES, finding["status"]),
        "name": name,
        "found": found,
        "mend": mend if finding["status"] in {"warn", "fail"} else None,
    }


def _pace(finding: FindingShown, said: Words) -> tuple[str, str, str]:
    fps = finding["values"]["fps"]
    if finding["status"] == "unknown":
        found = said("waiting for the first ones")
    else:
        found = said("as they were made") if fps is None else said("{n} a second", n=fps)
    mend = said("Give the camera more light or choose a smaller picture: 15 pictures a second are good.")
    return said("Pictures"), found, mend


def _markers(finding: FindingShown, said: Words) -> tuple[str, str, str]:
    missing = finding["values"]["missing"]
    if finding["status"] == "ok":
        found = said("all four markers are seen")
    elif finding["status"] == "unknown":
        found = said("waiting for a picture")
    else:
        found = " ".join(said(NO_MARKER[number]) for number in missing) or said("not found yet")
    mend = said(
        "Lay the printed mat out flat, all four corners in the picture, and take hands away for a moment."
    )
    return said("The mat"), found, mend


def _cards(finding: FindingShown, said: Words) -> tuple[str, str, str]:
    read, unread = finding["values"]["read"], finding["values"]["unread"]
    if finding["status"] == "unknown":
        found = said("looked for once the mat is found")
    elif read or unread:
        found = said("{read} read, {unread} not read", read=read, unread=unread)
    else:
        found = said("none on the table: deal once the game has begun")
    mend = said(
        "Lay cards flat and apart, without a reflection. If few are read, another deck lies there: choose "
        "the enrolled one, or enrol it (shinpan enrol)."
    )
    return said("Cards"), found, mend


_TEXTS: Final = {"pace": _pace, "markers": _markers, "cards": _cards}
"""Texts of each finding: what was checked, the result, the remedy."""
