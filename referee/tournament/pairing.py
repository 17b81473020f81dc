"""The pairings of a round and their results."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one board."""

    winner: int | None  # 0 or 1, the place in the pairing; None if neither player came
    # how many cards the loser had left, 1..49; None if the match was not played or not counted
    cards: int | None = None
    by_default: bool = False  # the opponent did not come or withdrew (fusensho)


@dataclass(frozen=True, slots=True)
class Board:
    """One match on one mat."""

    # names in the order of the pairing, the first on the near side; None where a team has nobody
    players: tuple[str | None, str | None]
    mat: str | None = None  # name of the mat, None before one is assigned
    result: Result | None = None  # None while the match is open


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants who meet."""

    entrants: tuple[int, int]
    boards: tuple[Board, ...]  # one for players, five for teams

    @property
    def is_over(self) -> bool:
        """Tell whether every board has its result."""
        return all(board.result is not None for board in self.boards)

    @property
    def is_played(self) -> bool:
        """Tell whether a board was played rather than won by default."""
        return any(board.result is not None and not board.result.by_default for board in self.boards)

    def opponent(self, number: int) -> int:
        """Return whom an entrant of this pairing meets."""
        return self.entrants[1 - self.entrants.index(number)]

    def wins(self, place: int) -> int:
        """Return how many boards a place (0 or 1) has won."""
        return sum(board.result is not None and board.result.winner == place for board in self.boards)

    @property
    def winner(self) -> int | None:
        """Number of the entrant who won; None while the pairing is open, or if neither won.

        The team with more boards wins. Empty boards can make that a tie; the highest board won then decides.
        """
        if not self.is_over:
            return None
        first, second = self.wins(0), self.wins(1)
        if first != second:
            return self.entrants[0 if first > second else 1]
        won = (board.result.winner for board in self.boards if board.result is not None)
        return next((self.entrants[place] for place in won if place is not None), None)


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a class."""

    pairings: tuple[Pairing, ...]  # in the order of the draw
    byes: tuple[int, ...] = ()  # numbers of the entrants without an opponent; each goes on as if it had won

    @property
    def is_over(self) -> bool:
        return all(pairing.is_over for pairing in self.pairings)

    def pairing_of(self, number: int) -> Pairing | None:
        """Return the pairing in which an entrant is, None where it has a bye or is out."""
        return next((pairing for pairing in self.pairings if number in pairing.entrants), None)
