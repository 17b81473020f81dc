"""The port between the board's pages and the floor of its mats."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from desk.hall.messages import MatState, ReadingState
from desk.panel.house.port import MatchListed
from desk.panel.match.port import Port


@dataclass(frozen=True, slots=True)
class MatShown:
    """A mat on the floor."""

    state: MatState  # with the names of the tournament if the mat has none
    address: str | None = None  # end of the address of its match's page, None without a match
    title: str | None = None  # the tournament's match there, such as `A-2-13`
    silent_s: float | None = None  # since its last message, infinity if there never was one; None if online


@dataclass(frozen=True, slots=True)
class FloorShown:
    """The whole floor."""

    link: str  # `joined`, `none` without a hall, or the problem of the link
    problem: str | None
    mats: Sequence[MatShown]  # in the order of names
    reading: ReadingState | None  # how long it has waited until now
    is_reader_silent: bool = False


class FloorPort(Protocol):
    """The floor. All methods are called in the board's asyncio loop and return quickly."""

    def state(self) -> FloorShown: ...
    def listen(self, wake: Callable[[], None]) -> Callable[[], None]: ...  # until the result is called
    async def wish(self, wish: str, by: str) -> bool: ...  # False without a connection to the reader
    def match(self, address: str) -> Port | None: ...  # read-only
    async def matches(self) -> list[tuple[str, MatchListed]]: ...  # by mats, the latest first
    async def fetch_replay(self, address: str, ruling: int) -> None:
        """Fetch the replay of a ruling from its mat, if the replay is not here and the mat is online."""
