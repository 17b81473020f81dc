"""What the home page asks of the desk: which games there are, what each still lacks, and to begin one.

Plain JSON data; all methods are called on the loop that owns the games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypedDict

from fastapi import APIRouter

from desk.panel.house.port import PhoneShown

SourceKind = Literal["camera", "video", "simulator"]
Status = Literal["ok", "warn", "fail", "unknown"]


class FindingShown(TypedDict):
    """One thing that was looked at before a game: `id` names it, `values` fill its text.

    `status` is `ok`, `warn` (it works, less well), `fail` (nothing can be refereed like this) or `unknown`.
    """

    id: str
    status: Status
    values: Mapping[str, Any]


class SourceChosen(TypedDict):
    """A source: `where` is a camera's number or address, a recording's folder, or a simulation's dice."""

    kind: SourceKind
    where: str


class TableShown(TypedDict):
    """How far the set-up of a card table has come.

    Attributes
    ----------
    source : what was chosen, None before.
    opening : the source is being opened.
    problem : why it could not be opened or has stopped, in the machine's words; None where it works.
    findings : what the table has and what it lacks.
    players : how many play there; a recording says so itself.
    phone : where a phone comes in, None where the chosen camera is none.
    """

    source: SourceChosen | None
    opening: bool
    problem: str | None
    findings: list[FindingShown]
    players: int
    phone: PhoneShown | None


class TableChoices(TypedDict):
    """What can be agreed before a game at a card table.

    Attributes
    ----------
    cameras : devices of this machine.
    decks : enrolled decks of the game; one that needs no enrolment is among them.
    rules, default_rules : house rules.
    players : how many may play.
    """

    cameras: list[str]
    decks: list[str]
    rules: list[str]
    default_rules: str
    players: list[int]


@dataclass(frozen=True, slots=True)
class Running:
    """A game that is being played.

    Attributes
    ----------
    router : its pages.
    over : set when the game has ended and its pages answer no more.
    """

    router: APIRouter
    over: asyncio.Event = field(default_factory=asyncio.Event)


class Played(Protocol):
    """Something that can be played once at a time."""

    @property
    def running(self) -> Running | None:
        """What is being played, None where nothing is."""

    async def end(self) -> None:
        """End what is being played; its log stays."""


class TablePort(Played, Protocol):
    """A card table of one game: its set-up, and the game."""

    def choices(self) -> TableChoices:
        """Return what can be agreed."""

    async def choose(self, kind: SourceKind, where: str, deck: str, players: int) -> None:
        """Open a source in place of the one before; `state` tells how it went."""

    def state(self) -> TableShown:
        """Return how far the set-up has come."""

    def preview(self) -> bytes | None:
        """Return the latest picture of the chosen source as a small JPEG."""

    async def start(self, rules: str, names: Sequence[str], dealer: int) -> str | None:
        """Begin the game and return None, or why it cannot begin, in the machine's words."""


class ReadingChoices(TypedDict):
    """What can be agreed before a reading.

    Attributes
    ----------
    voices, rhythms, orders, modes : names that `start` takes.
    device : the loudspeaker of this machine, None where it has none.
    sets : named sets of cards that this machine keeps.
    """

    voices: list[str]
    rhythms: list[str]
    orders: list[str]
    modes: list[str]
    device: str | None
    sets: list[str]


class ReadingWish(TypedDict):
    """What shall be read, and how. `sound` is `here`, `browser` or `none`; empty `cards` are all hundred."""

    voice: str
    rhythm: str
    order: str
    mode: str
    sound: Literal["here", "browser", "none"]
    cards: str
    poems: int | None
    by_hand: bool
    memorise_min: float


class ReadingPort(Played, Protocol):
    """The reciter: what can be read, and the reading."""

    def choices(self) -> ReadingChoices:
        """Return what can be agreed."""

    async def start(self, wish: ReadingWish) -> str | None:
        """Begin the reading and return None, or why it cannot begin, in the machine's words."""


class PracticeChoices(TypedDict):
    """What can be agreed before a practice alone.

    Attributes
    ----------
    cameras : devices of this machine.
    voices, rhythms : names that `start` takes.
    device : the loudspeaker of this machine, None where it has none.
    """

    cameras: list[str]
    voices: list[str]
    rhythms: list[str]
    device: str | None


class PracticeWish(TypedDict):
    """A practice: where the pictures come from, who practises which cards, and who reads.

    `where` is as `shinpan practise` takes it; empty `cards` are all that lie there.
    """

    where: str
    player: str
    cards: list[int]
    karafuda: int
    voice: str
    rhythm: str
    by_hand: bool


class PracticeRoomPort(Played, Protocol):
    """Practice alone: what can be agreed, and the practice."""

    def choices(self) -> PracticeChoices:
        """Return what can be agreed."""

    async def start(self, wish: PracticeWish) -> str | None:
        """Open the source and return None, or why it cannot be opened, in the machine's words."""


class EnrolChoices(TypedDict):
    """What can be chosen before an enrolment: cameras, kinds of cards, and the decks there are already."""

    cameras: list[str]
    games: list[str]
    decks: list[str]


class EnrolWish(TypedDict):
    """A deck to be enrolled: of which game, its name, the camera, and whether it may replace another."""

    game: str
    name: str
    camera: str
    replace: bool


class EnrolRoomPort(Played, Protocol):
    """Enrolment of a deck before a camera."""

    def choices(self) -> EnrolChoices:
        """Return what can be chosen."""

    async def start(self, wish: EnrolWish) -> str | None:
        """Open the camera and return None, or why it cannot be opened, in the machine's words."""


class EveningGame(TypedDict):
    """A game of Koi-Koi of one evening.

    Attributes
    ----------
    started : wall time in ISO 8601.
    names : of the seats, None for a seat without a name.
    totals, months_won, calls, best : of each seat: points, months won, koi-koi calls, most points in a month.
    months, months_in_game : how many were played, and how many the rules have.
    winners : seats that won the game; none while it is not over.
    counts : whether it counts for the players: a simulated game does not.
    """

    started: str
    names: list[str | None]
    totals: list[int]
    months: int
    months_in_game: int
    months_won: list[int]
    calls: list[int]
    best: list[int]
    winners: list[int]
    counts: bool


class EveningPlayer(TypedDict):
    """What a player took home: games, games and months won, points, koi-koi calls, the best month."""

    name: str
    games: int
    games_won: int
    months_won: int
    points: int
    calls: int
    best: int


class EveningShown(TypedDict):
    """An evening; `days` are all that there are, the latest first. `day` is None where nothing was played."""

    day: str | None
    days: list[str]
    games: list[EveningGame]
    players: list[EveningPlayer]


class HomePort(Protocol):
    """What is played behind the home page beside karuta."""

    @property
    def tables(self) -> Mapping[str, TablePort]:
        """The card tables by the name of their game: `koikoi` and `kendo`."""

    @property
    def reading(self) -> ReadingPort:
        """The reciter."""

    @property
    def practice(self) -> PracticeRoomPort:
        """Practice alone against the clock."""

    @property
    def enrolment(self) -> EnrolRoomPort:
        """Enrolment of one's own cards."""

    def evening(self, day: str | None) -> EveningShown:
        """Return an evening of Koi-Koi by its date, the latest by default. May read for some seconds."""
