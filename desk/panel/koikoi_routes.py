"""The Koi-Koi page: the game as it stands, its stream, and what players and officials may say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Final, Literal

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from sse_starlette import EventSourceResponse

from desk.panel.koikoi_phrases import REFUSALS
from desk.panel.koikoi_port import KoiKoiPort
from desk.panel.koikoi_view import KoiKoiViews, card_names, seat_name
from desk.panel.pages import Language, Pages, in_script
from desk.panel.phrases import phrase
from desk.panel.preview import MEDIA_TYPE, Preview
from desk.panel.seat_links import OPERATOR, SeatLinks, seated
from desk.panel.table_stream import table_messages
from desk.panel.words import choose_language, words

_A_DAY: Final = "private, max-age=86400"
_NOT_YOURS: Final = "not_yours"
_CARDS: Final = 48
Card = Annotated[int, Field(ge=0, lt=_CARDS)]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class DeclareRequest(_Request):
    """A player's word."""

    name: Literal["declare"]
    player: Annotated[int, Field(ge=0, le=3)]
    what: Literal["koikoi", "stop", "teshi", "kuttsuki"]


class PlainRequest(_Request):
    """Take the latest word back, or go on to the next round."""

    name: Literal["undo", "next_round"]


class CorrectRequest(_Request):
    """The card that was read as `card` is really `really`."""

    name: Literal["correct"]
    card: Card
    really: Card


CommandRequest = Annotated[DeclareRequest | PlainRequest | CorrectRequest, Field(discriminator="name")]


class KoiKoiRoutes:
    """Answers under `/koikoi`.

    Parameters
    ----------
    port : the running game.
    pages : the templates.
    links : who may say what.
    addresses : where phones reach the panel, such as `http://192.168.1.5:8321`.
    """

    def __init__(
        self, port: KoiKoiPort, pages: Pages, links: SeatLinks, addresses: Sequence[str] = ()
    ) -> None:
        self._port, self._pages, self._links, self._addresses = port, pages, links, addresses
        self._views, self._preview = KoiKoiViews(port), Preview(port)
        self.router = APIRouter()
        get = self.router.get
        get("/koikoi", response_class=HTMLResponse)(self.page)
        get("/koikoi/join/{token}")(self.join)
        get("/koikoi/view")(self.view)
        get("/koikoi/events")(self.events)
        get("/koikoi/cards/{card}.jpg")(self.card)
        get("/koikoi/preview.mjpeg")(self.live)
        get("/koikoi/record.json")(self.record)
        self.router.post("/koikoi/commands")(self.command)

    def _seat(self, request: Request) -> int | str:
        return self._links.of_request(request)

    async def page(self, request: Request, lang: Language = None) -> HTMLResponse:
        """Serve the page."""
        said = self._pages.language(request, lang)
        seat = self._seat(request)
        game = self._port.state()
        links = {}
        if seat == OPERATOR:
            for base in self._addresses:
                for token, owner in self._links.tokens.items():
                    name = said("Operator")
                    if isinstance(owner, int):
                        name = seat_name(owner, game["seats"][owner]["name"], said)
                    links[f"{base}/koikoi/join/{token}"] = name
        return self._pages.page(
            "koikoi.html",
            said,
            seat=seat,
            deck=game["deck"],
            links=links,
            has_picture=self._preview.part() is not None,
            view=in_script(self._views.text(said)),
            cards=in_script(json.dumps(card_names(said.language), ensure_ascii=False)),
        )

    async def join(self, token: str) -> RedirectResponse:
        """Give a phone its seat."""
        return seated("/koikoi", token)

    async def view(self, lang: Language = None) -> Response:
        """Return the page's data."""
        return Response(self._views.text(words(choose_language(lang))), media_type="application/json")

    async def record(self) -> Response:
        """Return the whole game for other programs."""
        text = json.dumps(self._port.state(), ensure_ascii=False, indent=1)
        disposition = 'attachment; filename="shinpan-koikoi.json"'
        return Response(text, media_type="application/json", headers={"Content-Disposition": disposition})

    async def events(self, lang: Language = None) -> EventSourceResponse:
        """Send the page's data whenever it changes, and a sign of life every second."""
        said = words(choose_language(lang))
        return EventSourceResponse(table_messages(self._port, lambda: self._views.text(said)))

    async def card(self, card: int) -> Response:
        """Return the picture of a card."""
        if not 0 <= card < _CARDS:
            raise HTTPException(404, f"hanafuda are numbered 0..{_CARDS - 1}, got {card}")
        picture = self._port.card_picture(card)
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
        seat = self._seat(request)
        own_word = isinstance(command, DeclareRequest) and command.player == seat
        if seat != OPERATOR and not own_word:
            return JSONResponse({"refusal": _NOT_YOURS, "error": phrase(said, REFUSALS, _NOT_YOURS)}, 403)
        refusal = self._carry_out(command)
        if refusal is not None:
            return JSONResponse({"refusal": refusal, "error": phrase(said, REFUSALS, refusal)}, 409)
        return JSONResponse({"seq": self._port.state()["seq"]})

    def _carry_out(self, command: DeclareRequest | PlainRequest | CorrectRequest) -> str | None:
        if isinstance(command, DeclareRequest):
            return self._port.declare(command.player, command.what)
        if isinstance(command, CorrectRequest):
            return self._port.correct_card(command.card, command.really)
        return self._port.undo() if command.name == "undo" else self._port.next_round()
