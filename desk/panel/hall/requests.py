"""The operator's requests to the tournament, as the page posts them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from referee.tournament.division import TEAM_BOARDS, Division, Entrant, System
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
from referee.tournament.state import Tournament

Name = Annotated[str, Field(min_length=1, max_length=60)]
ShortName = Annotated[str, Field(min_length=1, max_length=20)]
MatchName = Annotated[str, Field(min_length=1, max_length=40)]
Number = Annotated[int, Field(ge=1, lt=100_000)]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class OpenClass(_Request):
    """Open a class."""

    name: Literal["open_class"]
    division: ShortName
    system: Literal["elimination", "swiss"]
    rounds: Annotated[int, Field(ge=1, le=20)] | None = None
    teams: bool = False

    def event(self, _: Tournament) -> Event:
        boards = TEAM_BOARDS if self.teams else 1
        return DivisionOpened(Division(self.division, System(self.system), self.rounds, boards))


class Enter(_Request):
    """Enter one more player or team into a class; a team names its members."""

    name: Literal["enter"]
    division: ShortName
    entrant: Name
    club: Annotated[str, Field(max_length=60)] = ""
    members: list[Name] = []

    def event(self, tournament: Tournament) -> Event:
        """Return the event, with the next free number."""
        taken = {number for course in tournament.courses.values() for number in course.entrants}
        number = max(taken, default=0) + 1
        return EntrantEntered(self.division, Entrant(number, self.entrant, self.club, tuple(self.members)))


class Withdraw(_Request):
    """Withdraw an entrant who did not come or goes home."""

    name: Literal["withdraw"]
    number: Number

    def event(self, _: Tournament) -> Event:
        return EntrantWithdrawn(self.number)


class CancelDraw(_Request):
    """Cancel the latest draw."""

    name: Literal["cancel_draw"]
    division: ShortName

    def event(self, _: Tournament) -> Event:
        return DrawCancelled(self.division)


class NameLineup(_Request):
    """Set a team's order of boards."""

    name: Literal["lineup"]
    number: Number
    players: list[Name | None]

    def event(self, _: Tournament) -> Event:
        return LineupNamed(self.number, tuple(self.players))


class EnterResult(_Request):
    """Enter the result of a match; `winner` is the place in the pairing, None if neither came."""

    name: Literal["result"]
    match: MatchName
    winner: Literal[0, 1] | None
    cards: Annotated[int, Field(ge=1, le=49)] | None = None
    by_default: bool = False

    def event(self, _: Tournament) -> Event:
        return ResultEntered(self.match, Result(self.winner, self.cards, self.by_default))


class ClearResult(_Request):
    """Clear the result of a match."""

    name: Literal["clear"]
    match: MatchName

    def event(self, _: Tournament) -> Event:
        return ResultCleared(self.match)


class PlaceMatch(_Request):
    """Assign a match to a mat, or to none."""

    name: Literal["place"]
    match: MatchName
    mat: Annotated[str, Field(min_length=1, max_length=32, pattern=r"^[a-z0-9][a-z0-9-]*$")] | None

    def event(self, _: Tournament) -> Event:
        return MatPlaced(self.match, self.mat)


class DrawRound(_Request):
    """Draw the next round."""

    name: Literal["draw"]
    division: ShortName


class PlaceRound(_Request):
    """Assign the open matches to free mats."""

    name: Literal["place_round"]
    division: ShortName


Told = OpenClass | Enter | Withdraw | CancelDraw | NameLineup | EnterResult | ClearResult | PlaceMatch
TournamentRequest = Annotated[Told | DrawRound | PlaceRound, Field(discriminator="name")]
