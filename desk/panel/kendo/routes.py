"""The routes of the Kendo page: the bout, its stream, and the commands of players and officials."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import HTTPException, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from desk.panel.answers import NOT_NOW, data
from desk.panel.expectation import Awaited
from desk.panel.kendo.expectation import AWAITED, awaited
from desk.panel.kendo.phrases import REFUSALS, WHEN
from desk.panel.kendo.port import KendoPort
from desk.panel.kendo.view import face_label, kendo_view
from desk.panel.pages import Language, Pages, in_script
from desk.panel.table.names import seat_name
from desk.panel.table.replay_routes import ReplayRoutes
from desk.panel.table.routes import TableRoutes, card_picture
from desk.panel.table.seat_links import OPERATOR, SeatLinks
from desk.panel.words import Words, choose_language, words

Seat = Annotated[int, Field(ge=0, le=1)]
FaceName = Annotated[str, Field(max_length=32)]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SayRequest(_Request):
    """A player's declaration; only the operator may `accept`."""

    name: Literal["say"]
    player: Seat
    what: Literal["cede", "new_deal", "neutralise", "no_card", "pass", "accept"]


class UndoRequest(_Request):
    """Undo the latest declaration or correction."""

    name: Literal["undo"]


class CorrectRequest(_Request):
    """A correction: the card on a seat's side that was read as `wrong` is really `right`."""

    name: Literal["correct"]
    player: Seat
    wrong: FaceName
    right: FaceName


CommandRequest = Annotated[SayRequest | UndoRequest | CorrectRequest, Field(discriminator="name")]


class KendoRoutes(TableRoutes):
    """The routes under `/kendo`; see `TableRoutes`."""

    def __init__(
        self, port: KendoPort, pages: Pages, links: SeatLinks, addresses: Sequence[str] = ()
    ) -> None:
        super().__init__("kendo", port, pages, links, addresses)
        self._port = port
        self.router.get("/faces/{face}.jpg", response_class=Response, responses=data("image/jpeg"))(self.face)
        self.router.post("/commands", responses=NOT_NOW)(self.command)
        ReplayRoutes(self.router, port, self._told, pages)

    def _shown(self, said: Words) -> Mapping[str, Any]:
        return kendo_view(self._port.state(), said)

    def _names(self, said: Words) -> list[str]:
        return [seat_name(seat, name, said) for seat, name in enumerate(self._port.state()["names"])]

    def _awaited(self, said: Words) -> tuple[Awaited, str]:
        bout = self._port.state()
        return AWAITED[awaited(bout)], self._names(said)[bout["to_act"] or 0]

    def _told(self, seq: int, said: Words) -> list[str]:
        """Return the texts of the event with these pictures."""
        notes = reversed(self._shown(said)["notes"])
        return [note["text"] for note in notes if note["evidence"] == seq]

    def _more(self, said: Words) -> dict[str, object]:  # noqa: ARG002 (the game's words are the same in all)
        labels = {face: face_label(face) for face in self._port.faces()}
        return {"faces": in_script(json.dumps(labels, ensure_ascii=False))}

    async def face(self, face: str) -> Response:
        """Return the picture of a face."""
        picture = self._port.face_picture(face)
        if picture is None:
            raise HTTPException(404, f"the deck has no face {face!r}")
        return card_picture(picture)

    async def command(self, command: CommandRequest, request: Request, lang: Language = None) -> JSONResponse:
        """Carry out a command of a player or of the operator."""
        seat = self._links.of_request(request)
        own_word = isinstance(command, SayRequest) and command.player == seat and command.what != "accept"
        said = words(choose_language(lang))
        allowed = seat == OPERATOR or own_word
        when = WHEN.get(command.what, "") if isinstance(command, SayRequest) else ""
        refusals = {**REFUSALS, "not_now": when}
        return self._answer(said, refusals, lambda: self._carry_out(command), allowed=allowed)

    def _carry_out(self, command: SayRequest | UndoRequest | CorrectRequest) -> str | None:
        if isinstance(command, SayRequest):
            return self._port.say(command.player, command.what)
        if isinstance(command, CorrectRequest):
            return self._port.correct(command.player, command.wrong, command.right)
        return self._port.undo()
