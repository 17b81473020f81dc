"""The enrolment page: lay a few cards under the camera, press a button, repeat until the deck is complete."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, Protocol, TypedDict

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Response
from fastapi.responses import HTMLResponse, JSONResponse

from desk.panel.app import LOCAL_HOSTS, single_page_app
from desk.panel.forms import Form
from desk.panel.pages import Pages, Said, in_script
from desk.panel.phrases import phrase
from desk.panel.preview import Preview, live_picture
from desk.panel.roles import Roles
from desk.panel.words import texts


class EnrolShown(TypedDict):
    """The state of an enrolment."""

    game: str
    name: str
    cards: list[dict[str, object]]  # every card of the deck with its names, and whether it is enrolled
    asked_for: list[str]  # ids of the cards to lay down next, from left to right
    kept: str | None  # path of the stored deck, None before


class Refused(StrEnum):
    """Why a picture was not taken."""

    NO_PICTURE = "no_picture"
    WRONG_COUNT = "wrong_count"
    BAD_CARD = "bad_card"
    COMPLETE = "complete"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOT_COMPLETE = "not_complete"


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of taking a picture or making a deck."""

    refused: Refused | None = None  # why it was refused, None if it was not
    found: int = 0  # number of cards seen
    details: tuple[str, ...] = ()


class EnrolPort(Protocol):
    """A running enrolment."""

    def state(self) -> EnrolShown: ...
    def take(self) -> Answer: ...
    def undo(self) -> Answer: ...  # asks for the latest pile again
    def keep(self) -> Answer: ...  # builds the deck and stores it
    def thumbnail(self, card: str) -> bytes | None: ...  # JPEG; None for a card that is not enrolled
    def preview(self) -> bytes | None: ...  # JPEG; None before the first picture


REFUSALS: Final[Mapping[str, str]] = texts("desk.panel.enrolment")["refusals"]


class EnrolRequest(Form):
    """A command to the enrolment."""

    name: Literal["take", "undo", "keep"]


class EnrolRoutes:
    """The routes under `/enrol`. `roles`: who may command and see the camera's picture."""

    def __init__(self, port: EnrolPort, pages: Pages, roles: Roles) -> None:
        self._port, self._pages, self._preview = port, pages, Preview(port)
        self.router = APIRouter(dependencies=[Depends(roles.need_operator)])
        get = self.router.get
        get("/enrol", response_class=HTMLResponse)(self.page)
        get("/enrol/cards/{card}.jpg")(self.card)
        get("/enrol/preview.mjpeg")(self.live)
        self.router.post("/enrol/commands")(self.command)

    async def page(self, said: Said) -> HTMLResponse:
        """Serve the page."""
        shown = self._port.state()
        about = {"name": shown["name"], "game": shown["game"]}
        return self._pages.page("enrol.html", said, **about, state=in_script(shown))

    async def card(self, card: str) -> Response:
        """Return the picture of an enrolled card."""
        picture = self._port.thumbnail(card)
        if picture is None:
            raise HTTPException(404, f"card {card} has not been taken")
        return Response(picture, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    async def live(self) -> Response:
        """Return the live picture."""
        return live_picture(self._preview)

    async def command(self, command: EnrolRequest, said: Said) -> JSONResponse:
        """Enrol the cards in front of the camera, undo the latest pile, or store the deck."""
        wanted = len(self._port.state()["asked_for"])
        action = {"take": self._port.take, "undo": self._port.undo, "keep": self._port.keep}[command.name]
        answer = await asyncio.to_thread(action)
        text = ""
        if answer.refused is not None:
            text = phrase(said, REFUSALS, answer.refused, found=answer.found, wanted=wanted)
        status = 200 if answer.refused is None else 409
        details = [said.complaint(detail) for detail in answer.details]
        content = {"error": text, "details": details, "state": self._port.state()}
        return JSONResponse(content, status)


def create_enrol_app(port: EnrolPort, allowed_hosts: Sequence[str] = LOCAL_HOSTS) -> FastAPI:
    """Build the page of one enrolment; it is served on this machine only."""
    return single_page_app(EnrolRoutes(port, Pages(), Roles()).router, "/enrol", allowed_hosts)
