"""What the board's pages ask: the floor with its mats, the tournament, and one match with its replays.

All methods belong to the board's asyncio loop and return quickly.
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
    """How a mat stands.

    Attributes
    ----------
    mat : its name.
    address : end of the address of its match's page, None without a match.
    title : what is played there by the tournament, such as `A-2-13`; None where nothing is.
    names, phase, pause, poems, counts, faults, winner, follows, ready, hands : as in
        `desk.hall.messages.MatState`; names are those of the tournament where the mat knows none.
    last : the latest ruling.
    warnings : short ids, as in `desk.panel.match.port.Health`.
    unsent : entries that the hall has not confirmed.
    clock_unc_ms : how well it knows the hall's clock, None while it does not.
    silent_s : for how long nothing was heard of it, infinity where nothing ever was; None while it is heard.
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
    """How the reading stands; as in `desk.hall.messages.ReadingState`. `silent` tells that the reader is."""

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
    """The whole floor. `link` is `joined`, or says why nothing can be heard; `mats` in the order of names."""

    link: str
    problem: str | None
    mats: list[MatShown]
    reading: ReadingShown | None


class FloorPort(Protocol):
    """The floor."""

    def state(self) -> FloorShown:
        """Return how all mats stand."""

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every change until the returned function is called."""

    async def wish(self, wish: str, by: str) -> bool:
        """Tell the reader a person's wish (`desk.hall.messages.ReadingWish`); False where nobody hears it."""

    def match(self, address: str) -> Port | None:
        """Return a match to look at, by its address; None where there is none."""

    async def matches(self) -> list[tuple[str, MatchListed]]:
        """Return all matches that can be looked at, the latest first, with their mats' names."""

    async def fetch_replay(self, address: str, ruling: int) -> None:
        """Get the replay of a ruling from its mat, where it is not here yet and the mat answers."""


class Proposed(TypedDict):
    """What a mat says of the match that was put there: who won, and the cards left to the loser."""

    winner: int
    cards: int


class TournamentPort(Protocol):
    """The tournament's desk."""

    @property
    def state(self) -> Tournament:
        """The tournament as it stands."""

    @property
    def seq(self) -> int:
        """Number of its latest event."""

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every change until the returned function is called."""

    def tell(self, *events: Event) -> None:
        """Let events happen, all or none; DeskError where they cannot be."""

    def enter(self, data: bytes, name: str, system: System, rounds: int | None) -> int:
        """Let the entrants of a list enter and return how many; DeskError as `tell`."""

    def place(self, division: str) -> int:
        """Put open matches of a class onto free mats and return how many; RefusedError where none is."""

    def proposals(self) -> Mapping[str, Proposed]:
        """Return what the mats say of matches that are over, by the match."""

    def mats(self) -> list[str]:
        """Return the names of the mats there are."""

    def standings_csv(self) -> str:
        """Return who stands where, for spreadsheets."""

    def results_csv(self) -> str:
        """Return every result, for spreadsheets."""
