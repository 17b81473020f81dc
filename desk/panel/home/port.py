"""The port of the home page: the games, what each still lacks, and how to begin one.

Plain JSON data; all methods are called in the loop that owns the games.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypedDict

from fastapi import APIRouter

from desk.panel.home.wish import EnrolAgreed, PracticeAgreed, ReadingAgreed
from desk.panel.house.port import FindingShown, PhoneShown, SourceKind
from desk.panel.words import Words
from referee.sentence import Sentence


class SourceChosen(TypedDict):
    """A source: `where` is a camera's number or address, a recording's folder, or a simulation's dice."""

    kind: SourceKind
    where: str


class TableShown(TypedDict):
    """The state of a card table's set-up."""

    source: SourceChosen | None  # the chosen source, None before the choice
    opening: bool
    problem: str | None  # message that says why it could not be opened or has stopped; None if it works
    findings: list[FindingShown]
    players: int  # number of players; a recording contains it
    phone: PhoneShown | None  # how a phone joins as the camera, None for other sources


class TableChoices(TypedDict):
    """The choices before a game at a card table."""

    cameras: list[str]
    decks: list[str]  # enrolled decks of the game, and the decks that need no enrolment
    # rules, default_rules: house rules, and the name of those that are proposed
    rules: list[dict[str, Any]]
    default_rules: str
    switches: list[dict[str, Any]]  # the settings of each rule on which tables differ
    players: list[int]


class InterruptedGame(TypedDict):
    """A game that was left before its end."""

    id: str
    # started, left: wall time of its first and of its latest event, in ISO 8601
    started: str
    left: str
    names: list[str | None]  # of the seats, None for a seat without a name
    players: int
    deck: str


@dataclass(frozen=True, slots=True)
class Running:
    """A running game."""

    router: APIRouter
    # set when the game has ended and its pages no longer answer
    over: asyncio.Event = field(default_factory=asyncio.Event)


class Played(Protocol):
    """A game, reading, practice or enrolment, of which one at a time can run."""

    @property
    def running(self) -> Running | None: ...
    async def end(self) -> None: ...  # its log stays


class TablePort(Played, Protocol):
    """A card table of one game: its set-up, and the game."""

    @property
    def title(self) -> str: ...  # a message of the catalogue
    def choices(self, said: Words) -> TableChoices: ...
    async def choose(self, kind: SourceKind, where: str, deck: str, players: int) -> None:
        """Open a source and close the previous one; `state` has the result."""

    def state(self) -> TableShown: ...
    def preview(self) -> bytes | None: ...  # JPEG; None if there is none
    async def start(
        self, rules: str, names: Sequence[str], dealer: int, changes: Mapping[str, str] | None = None
    ) -> str | None:
        """Begin the game and return None, or an id or a message that says why it cannot begin.

        `changes` are settings of switches that differ from the rules.
        """

    def interrupted(self) -> list[InterruptedGame]: ...  # the latest first; may take seconds
    async def go_on(self, game_id: str) -> str | None:
        """Go on with an interrupted game at the table that is open; returns as `start` does."""


class ReadingPort(Played, Protocol):
    """The reciter: the choices and the reading."""

    def choices(self) -> Mapping[str, Any]: ...  # what its page offers: names that `start` accepts
    async def start(self, agreed: ReadingAgreed) -> str | None: ...  # why it cannot begin


class PracticeRoomPort(Played, Protocol):
    """Practice alone: the choices and the practice."""

    def choices(self) -> Mapping[str, Any]: ...  # as that of the reciter
    async def start(self, agreed: PracticeAgreed, cards: Sequence[int]) -> str | None:
        """Open the source and return None, or a message that says why it cannot be opened.

        Empty `cards` mean all that lie on the field.
        """


class EnrolRoomPort(Played, Protocol):
    """Enrolment of a deck in front of a camera."""

    def choices(self) -> Mapping[str, Any]: ...  # cameras, kinds of cards, and the existing decks
    async def start(self, agreed: EnrolAgreed) -> str | None: ...  # why the camera cannot be opened


class EveningGame(TypedDict):
    """A game of Koi-Koi of one evening. Lists are per seat."""

    started: str  # wall time in ISO 8601
    names: list[str | None]  # None for a seat without a name
    totals: list[int]  # points
    months: int  # played
    months_in_game: int  # by the rules
    months_won: list[int]
    calls: list[int]  # koi-koi calls
    best: list[int]  # most points in a month
    winners: list[int]  # seats that won the game; empty while it is not over
    counts: bool  # for the players; a simulated game does not
    goes_on: str | None  # the id of a game that can go on, None for one that is over or was no camera's


class EveningPlayer(TypedDict):
    """A player's evening: games, games and months won, points, koi-koi calls, the best month."""

    name: str
    games: int
    games_won: int
    months_won: int
    points: int
    calls: int
    best: int


class EveningShown(TypedDict):
    """An evening; `days` are all evenings, the latest first. `day` is None if nothing was played.

    `doubles` are files that hold a game again, which is listed once; `problems` say what could not be read.
    """

    day: str | None
    days: list[str]
    games: list[EveningGame]
    players: list[EveningPlayer]
    doubles: list[str]
    problems: list[Sentence]


class HomePort(Protocol):
    """Everything behind the home page but the karuta matches."""

    @property
    def tables(self) -> Mapping[str, TablePort]: ...

    @property
    def reading(self) -> ReadingPort: ...

    @property
    def practice(self) -> PracticeRoomPort: ...

    @property
    def enrolment(self) -> EnrolRoomPort: ...
    def koikoi_rules(self, preset: str, changes: Mapping[str, str], said: Words) -> dict[str, Any] | None:
        """Return the rules of Koi-Koi with some switches changed, in words; None if there are none such."""

    def evening(self, day: str | None) -> EveningShown: ...  # the latest by default; may take seconds
