"""The ports of the board's pages: the floor with its mats, the tournament, and one match with its replays.

All methods are called in the board's asyncio loop and return quickly.
"""

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
    """The state of a mat; what is not explained is as in `desk.hall.messages.MatState`."""

    mat: str
    address: str | None  # end of the address of its match's page, None without a match
    title: str | None  # the tournament's match there, such as `A-2-13`
    names: dict[SideName, str | None]  # those of the tournament if the mat has none
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
    warnings: list[str]  # ids, as in `desk.panel.match.port.Health`
    unsent: int  # entries that the hall has not confirmed
    clock_unc_ms: float | None  # uncertainty of the hall's clock at the mat, None while it is not known
    silent_s: float | None  # since its last message, infinity if there never was one; None while it is online


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
    """The whole floor."""

    link: str  # `joined`, `none` without a hall, or the problem of the link
    problem: str | None
    mats: list[MatShown]  # in the order of names
    reading: ReadingShown | None


class FloorPort(Protocol):
    """The floor."""

    def state(self) -> FloorShown: ...
    def listen(self, wake: Callable[[], None]) -> Callable[[], None]: ...  # until the result is called
    async def wish(self, wish: str, by: str) -> bool: ...  # False without a connection to the reader
    def match(self, address: str) -> Port | None: ...  # read-only
    async def matches(self) -> list[tuple[str, MatchListed]]: ...  # by mats, the latest first
    async def fetch_replay(self, address: str, ruling: int) -> None:
        """Fetch the replay of a ruling from its mat, if the replay is not here and the mat is online."""


class Proposed(TypedDict):
    """The result that a mat reports of its match: the winner, and the cards left to the loser."""

    winner: int
    cards: int


class TournamentPort(Protocol):
    """The tournament's desk."""

    @property
    def state(self) -> Tournament: ...

    @property
    def seq(self) -> int: ...
    def listen(self, wake: Callable[[], None]) -> Callable[[], None]: ...  # until the result is called
    def tell(self, *events: Event) -> None: ...  # all or none; DeskError if they are refused
    def enter(self, data: bytes, name: str, system: System, rounds: int | None) -> int:
        """Enter the entrants of a list and return how many there are; DeskError as `tell`."""

    def place(self, division: str) -> int:
        """Assign open matches of a class to free mats and return how many; RefusedError if no mat is free."""

    def proposals(self) -> Mapping[str, Proposed]: ...  # what mats report of finished matches, by match
    def mats(self) -> list[str]: ...  # that were ever online
    def standings_csv(self) -> str: ...
    def results_csv(self) -> str: ...
