"""The ports of the board's pages: the floor with its mats, the tournament, and one match with its replays.

All methods are called in the board's asyncio loop and return quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, Protocol, TypedDict

from desk.panel.house.port import MatchListed
from desk.panel.match.port import Pair, Port, SideName
from referee.tournament.division import System
from referee.tournament.events import Event
from referee.tournament.state import Tournament


class LastShown(TypedDict):
    """The latest ruling of a mat; `lead_ms` and `lead_unc_ms` as in `desk.panel.match.port.PoemRuled`."""

    poem: int
    standing: str
    taken_by: SideName | None
    faults: Pair
    lead_ms: float | None
    lead_unc_ms: float | None
    appealed_by: SideName | None


class MatShown(TypedDict):
    """The state of a mat.

    Attributes
    ----------
    address : end of the address of its match's page, None without a match.
    title : the tournament's match there, such as `A-2-13`; None if there is none.
    names, phase, pause, poems, counts, faults, winner, follows, ready, hands : as in
        `desk.hall.messages.MatState`; names are those of the tournament if the mat has none.
    warnings : ids, as in `desk.panel.match.port.Health`.
    unsent : number of entries that the hall has not confirmed.
    clock_unc_ms : uncertainty of the hall's clock at the mat, None while it is not known.
    silent_s : time since its last message, infinity if there never was one; None while it is online.
    """

    mat: str
    address: str | None
    title: str | None
    names: dict[SideName, str | None]
    phase: str
    pause: str | None
    poems: int
    counts: Pair
    faults: Pair
    last: LastShown | None
    winner: SideName | None
    follows: bool
    ready: bool
    hands: list[SideName]
    warnings: list[str]
    unsent: int
    clock_unc_ms: float | None
    silent_s: float | None


class ReadingShown(TypedDict):
    """The state of the reading, as in `desk.hall.messages.ReadingState`; `silent`: the reader is offline."""

    phase: Literal["waits", "reads", "held", "over"]
    number: int
    latest: int | None
    waits_for: list[str]
    hands: list[str]
    lost: list[str]
    waited_s: float
    limit_s: float | None
    mats: int
    problem: str | None
    silent: bool


class FloorShown(TypedDict):
    """The whole floor; `mats` are in the order of names.

    `link` is `joined`, `none` without a hall, or the problem of the link.
    """

    link: str
    problem: str | None
    mats: list[MatShown]
    reading: ReadingShown | None


class FloorPort(Protocol):
    """The floor."""

    def state(self) -> FloorShown:
        """Return the state of all mats."""

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every change until the returned function is called."""

    async def wish(self, wish: str, by: str) -> bool:
        """Send a command (`desk.hall.messages.ReadingWish`) to the reader; False without a connection."""

    def match(self, address: str) -> Port | None:
        """Return a read-only match by its address; None if there is none."""

    async def matches(self) -> list[tuple[str, MatchListed]]:
        """Return all matches with their mats' names, the latest first."""

    async def fetch_replay(self, address: str, ruling: int) -> None:
        """Fetch the replay of a ruling from its mat, if the replay is not here and the mat is online."""


class Proposed(TypedDict):
    """The result that a mat reports of its match: the winner, and the cards left to the loser."""

    winner: int
    cards: int


class TournamentPort(Protocol):
    """The tournament's desk."""

    @property
    def state(self) -> Tournament:
        """The state of the tournament."""

    @property
    def seq(self) -> int:
        """Number of its latest event."""

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every change until the returned function is called."""

    def tell(self, *events: Event) -> None:
        """Apply events, all or none; DeskError if they are refused."""

    def enter(self, data: bytes, name: str, system: System, rounds: int | None) -> int:
        """Enter the entrants of a list and return how many there are; DeskError as `tell`."""

    def place(self, division: str) -> int:
        """Assign open matches of a class to free mats and return how many; RefusedError if no mat is free."""

    def proposals(self) -> Mapping[str, Proposed]:
        """Return the results that the mats report of finished matches, by match."""

    def mats(self) -> list[str]:
        """Return the names of all mats that were ever online."""

    def standings_csv(self) -> str:
        """Return the standings for spreadsheets."""

    def results_csv(self) -> str:
        """Return all results for spreadsheets."""
