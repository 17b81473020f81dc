"""The routes of the Koi-Koi page: the game, its stream, and the commands of players and officials."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from fastapi import HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import Field

from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.page.phrases import AWAITED, REFUSALS, awaited
from desk.koikoi.page.rules import rules_shown, rules_view
from desk.koikoi.page.story import story, story_view
from desk.koikoi.page.view import card_names, koikoi_csv, koikoi_view
from desk.panel.answers import NOT_NOW, attachment, data
from desk.panel.forms import Form
from desk.panel.pages import Said, in_script
from desk.panel.phrases import Awaited
from desk.panel.table.drawing_routes import DrawnTableRoutes
from desk.panel.table.names import seat_name
from desk.panel.table.replay_routes import add_step_replays
from desk.panel.table.routes import TableRoutes, card_picture
from desk.panel.table.seat_links import OPERATOR
from desk.panel.words import Words
from desk.tables.game_page import GamePage, PageFrame
from referee.cards.hanafuda import by_index
from referee.koikoi.events import Call

_CARDS: Final = 48
Card = Annotated[int, Field(ge=0, lt=_CARDS)]


class DeclareRequest(Form):
    """A player's declaration."""

    name: Literal["declare"]
    player: Annotated[int, Field(ge=0, le=3)]
    what: Literal["koikoi", "stop", "teshi", "kuttsuki"]


class PlainRequest(Form):
    """Undo the latest command, or go on to the next round."""

    name: Literal["undo", "next_round"]


class CorrectRequest(Form):
    """A correction: the card that was read as `card` is really `really`."""

    name: Literal["correct"]
    card: Card
    really: Card


CommandRequest = Annotated[DeclareRequest | PlainRequest | CorrectRequest, Field(discriminator="name")]


class KoiKoiRoutes(TableRoutes):
    """The routes under `/koikoi`; see `TableRoutes`."""

    def __init__(self, page: GamePage[KoiKoiDesk], frame: PageFrame) -> None:
        super().__init__("koikoi", page, frame.pages, frame.links, frame.addresses)
        self._page, self._can_draw = page, frame.drawn_table is not None
        if frame.drawn_table is not None:
            # both have the same prefix; `include_router` would add it twice
            drawing = DrawnTableRoutes(frame.drawn_table, frame.pages, frame.links)
            self.router.routes += drawing.router.routes
        self.router.get("/cards/{card}.jpg", response_class=Response, responses=data("image/jpeg"))(self.card)
        self.router.get("/yaku", response_class=HTMLResponse)(self.yaku)
        self.router.get("/totals.csv", response_class=Response, responses=data("text/csv"))(self.totals)
        self.router.get("/rounds/{number}", response_class=HTMLResponse)(self.round)
        self.router.post("/commands", responses=NOT_NOW)(self.command)
        add_step_replays(self.router, page, self._steps_of)

    def _shown(self, said: Words) -> Mapping[str, Any]:
        return koikoi_view(self._page.state(), said)

    def _names(self, said: Words) -> list[str]:
        seats = self._page.state()["seats"]
        return [seat_name(number, seat["name"], said) for number, seat in enumerate(seats)]

    def _awaited(self, said: Words) -> tuple[Awaited, str]:
        game = self._page.state()
        player = game["turn"] if game["deciding"] is None else game["deciding"]
        return AWAITED[awaited(game)], self._names(said)[player or 0]

    def _steps_of(self, seq: int, said: Words) -> list[str]:
        names = self._names(said)
        for number in range(1, self._page.state()["round"] + 1):
            shown = self._story(number)
            steps = [] if shown is None else story_view(shown, names, said)["steps"]
            told = [step["text"] for step in steps if step["evidence"] == seq]
            if told:
                return told
        return []

    def _more(self, said: Words) -> dict[str, object]:
        cards = in_script(card_names(said.language))
        return {"deck": self._page.state()["deck"], "cards": cards, "can_draw": self._can_draw}

    async def card(self, card: int) -> Response:
        """Return the picture of a card."""
        if not 0 <= card < _CARDS:
            raise HTTPException(404, f"hanafuda are numbered 0..{_CARDS - 1}, got {card}")
        picture = self._page.picture(by_index(card).id)
        assert picture is not None, "a deck has all 48 cards"
        return card_picture(picture)

    async def round(self, number: int, said: Said) -> HTMLResponse:
        """Serve the story of a round, card by card."""
        shown = self._story(number)
        if shown is None:
            raise HTTPException(404, f"this game has no round {number} yet")
        told = story_view(shown, self._names(said), said)
        last = self._page.state()["round"]
        return self._pages.page(
            "koikoi_story.html",
            said,
            story=told,
            steps=in_script(told),
            cards=in_script(card_names(said.language)),
            before=number - 1 if number > 1 else None,
            after=number + 1 if number < last else None,
        )

    async def yaku(self, said: Said) -> HTMLResponse:
        """Serve the yaku and their points under the rules of this table."""
        rules = rules_view(rules_shown(self._page.desk.game.opened.rules), said)
        cards = card_names(said.language)
        return self._pages.page("koikoi_yaku.html", said, rules=rules, cards=cards, back="/koikoi")

    async def totals(self, said: Said) -> Response:
        """Return the months of the match as a table for spreadsheets."""
        text = koikoi_csv(self._page.state(), said)
        return attachment(text, "shinpan-koikoi.csv")

    async def command(self, command: CommandRequest, request: Request, said: Said) -> JSONResponse:
        """Carry out a command of a player or of the operator."""
        seat = self._links.of_request(request)
        own_word = isinstance(command, DeclareRequest) and command.player == seat
        allowed = seat == OPERATOR or own_word
        return self._answer(said, REFUSALS, lambda: self._carry_out(command), allowed=allowed)

    def _carry_out(self, command: DeclareRequest | PlainRequest | CorrectRequest) -> object:
        desk = self._page.desk
        if isinstance(command, DeclareRequest):
            return desk.declare(command.player, Call(command.what))
        if isinstance(command, CorrectRequest):
            return desk.correct_card(command.card, command.really)
        return self._page.undo() if command.name == "undo" else desk.next_round()

    def _story(self, number: int) -> dict[str, Any] | None:
        desk = self._page.desk
        return story(desk.game, number, desk.history)
