"""What happens in a tournament. Replayed in order, the events give the same state again.

A draw is an event with its pairs, so that a log stays what it is when the way of drawing changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.tournament.division import Division, Entrant
from referee.tournament.pairing import Result


@dataclass(frozen=True, slots=True)
class TournamentOpened:
    """The first event of every log; `seed` is any text, told before the entries, that decides all lots."""

    name: str
    seed: str


@dataclass(frozen=True, slots=True)
class DivisionOpened:
    """A class is played."""

    division: Division


@dataclass(frozen=True, slots=True)
class EntrantEntered:
    """Somebody enters a class, which has not been drawn yet."""

    division: str
    entrant: Entrant


@dataclass(frozen=True, slots=True)
class EntrantWithdrawn:
    """Somebody did not come or goes home: open boards are the opponent's, and there is no further round."""

    number: int


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """The next round of a class: pairs of numbers, and the numbers of those without an opponent."""

    division: str
    pairs: tuple[tuple[int, int], ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawCancelled:
    """The latest draw of a class is void; nobody has played in it."""

    division: str


@dataclass(frozen=True, slots=True)
class LineupNamed:
    """A team says who sits at its boards against this opponent, None where nobody does."""

    number: int
    players: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class MatPlaced:
    """A match gets its mat; None takes it away."""

    match: str
    mat: str | None


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """A match was decided; a second result of the same match corrects the first."""

    match: str
    result: Result


@dataclass(frozen=True, slots=True)
class ResultCleared:
    """A match is open again."""

    match: str


Event = (
    TournamentOpened
    | DivisionOpened
    | EntrantEntered
    | EntrantWithdrawn
    | RoundDrawn
    | DrawCancelled
    | LineupNamed
    | MatPlaced
    | ResultEntered
    | ResultCleared
)
