"""The addresses of the tournament: page, stream, the operator's commands, tables for spreadsheets."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import Field
from sse_starlette import EventSourceResponse

from desk.errors import DeskError, EventLogError
from desk.hall.page.port import FloorPort
from desk.hall.page.stream import PACE_S, SharedText
from desk.hall.page.tournament_view import tournament_view
from desk.panel.answers import attachment
from desk.panel.forms import Form
from desk.panel.pages import Pages, Said, in_script
from desk.panel.phrases import REFUSALS, phrase
from desk.panel.roles import Roles
from desk.panel.stream import told_views
from desk.panel.words import Words
from referee.tournament.division import TEAM_BOARDS, Division, Entrant, System
from referee.tournament.draw import next_round
from referee.tournament.events import (
    DivisionOpened,
    DrawCancelled,
    EntrantEntered,
    EntrantWithdrawn,
    Event,
    LineupNamed,
    MatPlaced,
    ResultCleared,
    ResultEntered,
)
from referee.tournament.pairing import Result
from referee.tournament.state import RefusedError, Tournament

if TYPE_CHECKING:
    from desk.hall.board.schedule import Schedule  # needs the extra `hall`

Name = Annotated[str, Field(min_length=1, max_length=60)]
ShortName = Annotated[str, Field(min_length=1, max_length=20)]
MatchName = Annotated[str, Field(min_length=1, max_length=40)]
Number = Annotated[int, Field(ge=1, lt=100_000)]


class OpenClass(Form):
    """Open a class."""

    name: Literal["open_class"]
    division: ShortName
    system: Literal["elimination", "swiss"]
    rounds: Annotated[int, Field(ge=1, le=20)] | None = None
    teams: bool = False

    def event(self, _: Tournament) -> Event:
        boards = TEAM_BOARDS if self.teams else 1
        return DivisionOpened(Division(self.division, System(self.system), self.rounds, boards))


class Enter(Form):
    """Enter one more player or team into a class; a team names its members."""

    name: Literal["enter"]
    division: ShortName
    entrant: Name
    club: Annotated[str, Field(max_length=60)] = ""
    members: Annotated[list[Name], Field(default_factory=list)]

    def event(self, tournament: Tournament) -> Event:
        """Return the event, with the next free number."""
        taken = {number for course in tournament.courses.values() for number in course.entrants}
        number = max(taken, default=0) + 1
        return EntrantEntered(self.division, Entrant(number, self.entrant, self.club, tuple(self.members)))


class Withdraw(Form):
    """Withdraw an entrant who did not come or goes home."""

    name: Literal["withdraw"]
    number: Number

    def event(self, _: Tournament) -> Event:
        return EntrantWithdrawn(self.number)


class CancelDraw(Form):
    """Cancel the latest draw."""

    name: Literal["cancel_draw"]
    division: ShortName

    def event(self, _: Tournament) -> Event:
        return DrawCancelled(self.division)


class NameLineup(Form):
    """Set a team's order of boards."""

    name: Literal["lineup"]
    number: Number
    players: list[Name | None]

    def event(self, _: Tournament) -> Event:
        return LineupNamed(self.number, tuple(self.players))


class EnterResult(Form):
    """Enter the result of a match; `winner` is the place in the pairing, None if neither came."""

    name: Literal["result"]
    match: MatchName
    winner: Literal[0, 1] | None
    cards: Annotated[int, Field(ge=1, le=49)] | None = None
    by_default: bool = False

    def event(self, _: Tournament) -> Event:
        return ResultEntered(self.match, Result(self.winner, self.cards, self.by_default))


class ClearResult(Form):
    """Clear the result of a match."""

    name: Literal["clear"]
    match: MatchName

    def event(self, _: Tournament) -> Event:
        return ResultCleared(self.match)


class PlaceMatch(Form):
    """Assign a match to a mat, or to none."""

    name: Literal["place"]
    match: MatchName
    mat: Annotated[str, Field(min_length=1, max_length=32, pattern=r"^[a-z0-9][a-z0-9-]*$")] | None

    def event(self, _: Tournament) -> Event:
        return MatPlaced(self.match, self.mat)


class DrawRound(Form):
    """Draw the next round."""

    name: Literal["draw"]
    division: ShortName


class PlaceRound(Form):
    """Assign the open matches to free mats."""

    name: Literal["place_round"]
    division: ShortName


Told = OpenClass | Enter | Withdraw | CancelDraw | NameLineup | EnterResult | ClearResult | PlaceMatch
TournamentRequest = Annotated[Told | DrawRound | PlaceRound, Field(discriminator="name")]


class TournamentRoutes:
    """Answers for the tournament."""

    def __init__(self, tournament: "Schedule", floor: FloorPort, pages: Pages, roles: Roles) -> None:
        self._tournament, self._floor, self._pages, self._roles = tournament, floor, pages, roles
        self._text = SharedText(
            lambda said: tournament_view(
                tournament.state, tournament.seq, tournament.proposals(), tournament.mats(), said
            ),
            lambda: tournament.seq,
        )
        self.router = APIRouter()
        get = self.router.get
        post = partial(self.router.post, dependencies=[Depends(roles.need_operator)])
        get("/tournament", response_class=HTMLResponse)(self._page)
        get("/api/tournament")(self._view)
        get("/api/tournament/events")(self._events)
        post("/api/tournament")(self._command)
        post("/api/tournament/entrants")(self._enter)
        get("/tournament/standings.csv")(self._standings)
        get("/tournament/results.csv")(self._results)

    async def _page(self, request: Request, said: Said) -> HTMLResponse:
        """Serve the page of the tournament."""
        return self._pages.page(
            "tournament.html",
            said,
            role=self._roles.of_request(request).value,
            has_mats=self._floor.state().link != "none",
            view=in_script(self._text(said)),
        )

    async def _view(self, said: Said) -> Response:
        """Return the state of the tournament."""
        return Response(self._text(said), media_type="application/json")

    async def _events(self, said: Said) -> EventSourceResponse:
        """Send the state of the tournament whenever it changes."""
        return EventSourceResponse(
            told_views(self._tournament.listen, lambda: self._text(said), pace_s=PACE_S)
        )

    async def _command(self, command: TournamentRequest, said: Said) -> JSONResponse:
        """Carry out a command of the operator."""

        def carry_out() -> dict[str, int]:
            if isinstance(command, DrawRound):
                self._tournament.tell(next_round(self._tournament.state, command.division))
            elif isinstance(command, PlaceRound):
                self._tournament.place(command.division)
            else:
                self._tournament.tell(command.event(self._tournament.state))
            return {"seq": self._tournament.seq}

        return _answer(carry_out, said)

    async def _enter(
        self,
        request: Request,
        said: Said,
        name: Annotated[str, Query(min_length=1, max_length=200)],
        system: Literal["elimination", "swiss"] = "elimination",
        rounds: Annotated[int | None, Query(ge=1, le=20)] = None,
    ) -> JSONResponse:
        """Enter the players of a list, CSV or .xlsx."""
        entrants = await request.body()
        enter = self._tournament.enter
        return _answer(lambda: {"entered": enter(entrants, name, System(system), rounds)}, said)

    async def _standings(self) -> Response:
        """Return the standings as a table for spreadsheets."""
        return attachment(self._tournament.standings_csv(), "shinpan-standings.csv")

    async def _results(self) -> Response:
        """Return the results as a table for spreadsheets."""
        return attachment(self._tournament.results_csv(), "shinpan-results.csv")


def _answer(carry_out: Callable[[], dict[str, int]], said: Words) -> JSONResponse:
    try:
        return JSONResponse(carry_out())
    except EventLogError:
        return JSONResponse({"error": phrase(said, REFUSALS, "not_kept")}, 409)
    except (DeskError, RefusedError) as error:
        return JSONResponse({"error": said.complaint(error)}, 409)
