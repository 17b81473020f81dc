"""The Kendo page: the bout as it stands, its stream, and what players and officials may say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Final, Literal

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from sse_starlette import EventSourceResponse

from desk.panel.kendo_phrases import REFUSALS
from desk.panel.kendo_port import KendoPort
from desk.panel.kendo_view import KendoViews, face_label
from desk.panel.koikoi_view import seat_name
from desk.panel.pages import Language, Pages, in_script
from desk.panel.phrases import phrase
from desk.panel.preview import MEDIA_TYPE, Preview
from desk.panel.seat_links import OPERATOR, SeatLinks, seated
from desk.panel.table_stream import table_messages
from desk.panel.words import choose_language, words

_A_DAY: Final = "private, max-age=86400"
_NOT_YOURS: Final = "not_yours"
Seat = Annotated[int, Field(ge=0, le=1)]
FaceName = Annotated[str, Field(max_length=32)]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SayRequest(_Request):
    """A player's word; `accept` is the operator's."""

    name: Literal["say"]
    player: Seat
    what: Literal["cede", "new_deal", "neutralise", "pass", "accept"]


class UndoRequest(_Request):
    """Take the latest word or correction back."""

    name: Literal["undo"]


class CorrectRequest(_Request):
    """The card on a seat's side that was read as `wrong` is really `right`."""

    name: Literal["correct"]
    player: Seat
    wrong: FaceName
    right: FaceName


CommandRequest = Annotated[SayRequest | UndoRequest | CorrectRequest, Field(discriminator="name")]


class KendoRoutes:
    """Answers under `/kendo`.

    Parameters
    ----------
    port : the running bout.
    pages : the templates.
    links : who may say what.
    addresses : where phones reach the panel, such as `http://192.168.1.5:8321`.
    """

    def __init__(
        self, port: KendoPort, pages: Pages, links: SeatLinks, addresses: Sequence[str] = ()
    ) -> None:
        self._port, self._pages, self._links, self._addresses = port, pages, links, addresses
        self._views, self._preview = KendoViews(port), Preview(port)
        self.router = APIRouter()
        get = self.router.get
        get("/kendo", response_class=HTMLResponse)(self.page)
        get("/kendo/join/{token}")(self.join)
        get("/kendo/view")(self.view)
        get("/kendo/events")(self.events)
        get("/kendo/faces/{face}.jpg")(self.face)
        get("/kendo/preview.mjpeg")(self.live)
        get("/kendo/record.json")(self.record)
        self.router.post("/kendo/commands")(self.command)

    async def page(self, request: Request, lang: Language = None) -> HTMLResponse:
        """Serve the page."""
        said = self._pages.language(request, lang)
        seat = self._links.of_request(request)
        bout = self._port.state()
        links = {}
        if seat == OPERATOR:
            for base in self._addresses:
                for token, owner in self._links.tokens.items():
                    name = said("Operator")
                    if isinstance(owner, int):
                        name = seat_name(owner, bout["names"][owner], said)
                    links[f"{base}/kendo/join/{token}"] = name
        labels = {face: face_label(face) for face in self._port.faces()}
        return self._pages.page(
            "kendo.html",
            said,
            seat=seat,
            links=links,
            has_picture=self._preview.part() is not None,
            view=in_script(self._views.text(said)),
            faces=in_script(json.dumps(labels, ensure_ascii=False)),
        )

    async def join(self, token: str) -> RedirectResponse:
        """Give a phone its seat."""
        return seated("/kendo", token)

    async def view(self, lang: Language = None) -> Response:
        """Return the page's data."""
        return Response(self._views.text(words(choose_language(lang))), media_type="application/json")

    async def record(self) -> Response:
        """Return the whole bout for other programs."""
        text = json.dumps(self._port.state(), ensure_ascii=False, indent=1)
        disposition = 'attachment; filename="shinpan-kendo.json"'
        return Response(text, media_type="application/json", headers={"Content-Disposition": disposition})

    async def events(self, lang: Language = None) -> EventSourceResponse:
        """Send the page's data whenever it changes, and a sign of life every second."""
        said = words(choose_language(lang))
        return EventSourceResponse(table_messages(self._port, lambda: self._views.text(said)))

    async def face(self, face: str) -> Response:
        """Return the picture of a face."""
        picture = self._port.face_picture(face)
        if picture is None:
            raise HTTPException(404, f"the deck has no face {face!r}")
        return Response(picture, media_type="image/jpeg", headers={"Cache-Control": _A_DAY})

    async def live(self) -> Response:
        """Return the live picture of the table."""
        if self._preview.part() is None:
            raise HTTPException(404, "no picture arrives from the source")
        headers = {"Content-Encoding": "identity", "Cache-Control": "no-store"}
        return StreamingResponse(self._preview.stream(), media_type=MEDIA_TYPE, headers=headers)

    async def command(self, command: CommandRequest, request: Request, lang: Language = None) -> JSONResponse:
        """Carry out what a player or the operator says."""
        said = words(choose_language(lang))
        seat = self._links.of_request(request)
        own_word = isinstance(command, SayRequest) and command.player == seat and command.what != "accept"
        if seat != OPERATOR and not own_word:
            return JSONResponse({"refusal": _NOT_YOURS, "error": phrase(said, REFUSALS, _NOT_YOURS)}, 403)
        refusal = self._carry_out(command)
        if refusal is not None:
            return JSONResponse({"refusal": refusal, "error": phrase(said, REFUSALS, refusal)}, 409)
        return JSONResponse({"seq": self._port.state()["seq"]})

    def _carry_out(self, command: SayRequest | UndoRequest | CorrectRequest) -> str | None:
        if isinstance(command, SayRequest):
            return self._port.say(command.player, command.what)
        if isinstance(command, CorrectRequest):
            return self._port.correct(command.player, command.wrong, command.right)
        return self._port.undo()
