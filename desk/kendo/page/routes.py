"""The routes of the Kendo page: the bout, its stream, and the commands of players and officials."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import HTTPException, Request, Response
from fastapi.responses import JSONResponse
from pydantic import Field

from desk.kendo.desk import KendoDesk, Refused
from desk.kendo.page.phrases import AWAITED, REFUSALS, WHEN, awaited
from desk.kendo.page.view import face_label, kendo_view
from desk.panel.answers import NOT_NOW, data
from desk.panel.forms import Form
from desk.panel.pages import Said, in_script
from desk.panel.phrases import Awaited
from desk.panel.table.names import seat_name
from desk.panel.table.replay_routes import add_step_replays
from desk.panel.table.routes import TableRoutes, card_picture
from desk.panel.table.seat_links import OPERATOR
from desk.panel.words import Words
from desk.tables.game_page import GamePage, PageFrame
from referee.cards.kendo import MARKERS

Seat = Annotated[int, Field(ge=0, le=1)]
FaceName = Annotated[str, Field(max_length=32)]


class SayRequest(Form):
    """A player's declaration; only the operator may `accept`."""

    name: Literal["say"]
    player: Seat
    what: Literal["cede", "new_deal", "neutralise", "no_card", "pass", "accept"]


class UndoRequest(Form):
    """Undo the latest declaration or correction."""

    name: Literal["undo"]


class CorrectRequest(Form):
    """A correction: the card on a seat's side that was read as `wrong` is really `right`."""

    name: Literal["correct"]
    player: Seat
    wrong: FaceName
    right: FaceName


CommandRequest = Annotated[SayRequest | UndoRequest | CorrectRequest, Field(discriminator="name")]


class KendoRoutes(TableRoutes):
    """The routes under `/kendo`; see `TableRoutes`."""

    def __init__(self, page: GamePage[KendoDesk], frame: PageFrame) -> None:
        super().__init__("kendo", page, frame.pages, frame.links, frame.addresses)
        self._page = page
        self.router.get("/faces/{face}.jpg", response_class=Response, responses=data("image/jpeg"))(self.face)
        self.router.post("/commands", responses=NOT_NOW)(self.command)
        add_step_replays(self.router, page, self._steps_of)

    def _shown(self, said: Words) -> Mapping[str, Any]:
        return kendo_view(self._page.state(), said)

    def _names(self, said: Words) -> list[str]:
        return [seat_name(seat, name, said) for seat, name in enumerate(self._page.state()["names"])]

    def _awaited(self, said: Words) -> tuple[Awaited, str]:
        bout = self._page.state()
        return AWAITED[awaited(bout)], self._names(said)[bout["to_act"] or 0]

    def _steps_of(self, seq: int, said: Words) -> list[str]:
        notes = reversed(self._shown(said)["notes"])
        return [note["text"] for note in notes if note["evidence"] == seq]

    def _more(self, said: Words) -> dict[str, object]:  # noqa: ARG002 (the game's words are the same in all)
        labels = {face: face_label(face) for face in self._page.deck.pictures if face not in MARKERS}
        return {"faces": in_script(labels)}

    async def face(self, face: str) -> Response:
        """Return the picture of a face."""
        picture = self._page.picture(face)
        if picture is None:
            raise HTTPException(404, f"the deck has no face {face!r}")
        return card_picture(picture)

    async def command(self, command: CommandRequest, request: Request, said: Said) -> JSONResponse:
        """Carry out a command of a player or of the operator."""
        seat = self._links.of_request(request)
        own_word = isinstance(command, SayRequest) and command.player == seat and command.what != "accept"
        allowed = seat == OPERATOR or own_word
        when = WHEN.get(command.what, "") if isinstance(command, SayRequest) else ""
        refusals = {**REFUSALS, "not_now": when}
        return self._answer(said, refusals, lambda: self._carry_out(command), allowed=allowed)

    def _carry_out(self, command: SayRequest | UndoRequest | CorrectRequest) -> object:
        desk = self._page.desk
        if isinstance(command, SayRequest):
            return desk.say(command.player, command.what)
        if isinstance(command, UndoRequest):
            return self._page.undo()
        if command.right not in self._page.deck.pictures:
            return Refused.NO_SUCH_CARD
        return desk.correct(command.player, command.wrong, command.right)
