"""The events of a tournament. Replayed in order, they give the same state again.

A draw is an event that holds its pairs, so that old logs stay valid when the algorithm of the draw changes.
"""

from dataclasses import dataclass

from referee.tournament.division import Division, Entrant
from referee.tournament.pairing import Result


@dataclass(frozen=True, slots=True)
class TournamentOpened:
    """The first event of every log; `seed`, any text announced before the entries, decides all lots."""

    name: str
    seed: str


@dataclass(frozen=True, slots=True)
class DivisionOpened:
    """A class is added to the tournament."""

    division: Division


@dataclass(frozen=True, slots=True)
class EntrantEntered:
    """A player or team enters a class that has not been drawn yet."""

    division: str
    entrant: Entrant


@dataclass(frozen=True, slots=True)
class EntrantWithdrawn:
    """An entrant withdraws: the opponent wins the open boards, and the entrant plays no further round."""

    number: int


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """The next round of a class: pairs of numbers, and the numbers of those without an opponent."""

    division: str
    pairs: tuple[tuple[int, int], ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawCancelled:
    """The latest draw of a class, in which nobody has played yet, is void."""

    division: str


@dataclass(frozen=True, slots=True)
class LineupNamed:
    """A team names its players for the boards of this round; None leaves a board empty."""

    number: int
    players: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class MatPlaced:
    """A match is assigned to a mat; None removes the assignment."""

    match: str
    mat: str | None


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """A match was decided; a second result for the same match replaces the first."""

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
