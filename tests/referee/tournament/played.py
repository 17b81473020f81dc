"""A tournament that is played in a test."""

from collections.abc import Callable, Iterable
from random import Random

from referee.tournament.division import Division, Entrant
from referee.tournament.draw import next_round
from referee.tournament.events import (
    DivisionOpened,
    EntrantEntered,
    Event,
    ResultEntered,
    RoundDrawn,
    TournamentOpened,
)
from referee.tournament.pairing import Result
from referee.tournament.state import Course, Tournament
from referee.tournament.tournament import apply, begin


class Played:
    """A tournament of one class, its state, and the log that led to it."""

    def __init__(self, division: Division, entrants: Iterable[Entrant], seed: str = "seed") -> None:
        self.log: list[Event] = [TournamentOpened("spring", seed)]
        self.state: Tournament = begin(TournamentOpened("spring", seed))
        self.division = division
        self.add(DivisionOpened(division))
        for entrant in entrants:
            self.add(EntrantEntered(division.name, entrant))

    @property
    def course(self) -> Course:
        return self.state.course(self.division.name)

    def add(self, *events: Event) -> None:
        for event in events:
            self.state = apply(self.state, event)
            self.log.append(event)

    def draw(self) -> RoundDrawn:
        drawn = next_round(self.state, self.division.name)
        self.add(drawn)
        return drawn

    def decide(self, winner: Callable[[int, int], int], cards: int | None = None) -> None:
        """Give every open match of the round a result; `winner` chooses one of two entrants' numbers."""
        for match, _ in self.state.open_matches():
            one, other = self.course.rounds[-1].pairings[match.pairing - 1].entrants
            place = (one, other).index(winner(one, other))
            self.add(ResultEntered(match.text(self.division.boards), Result(place, cards)))

    def play(self, winner: Callable[[int, int], int] = min) -> None:
        while not self.course.is_over:
            self.draw()
            self.decide(winner)


def players(count: int, clubs: int = 0) -> list[Entrant]:
    """Return players with numbers from 1 on, in so many clubs in turn."""
    return [Entrant(n, f"player {n}", f"club {n % clubs}" if clubs else "") for n in range(1, count + 1)]


def by_chance(seed: int) -> Callable[[int, int], int]:
    """Return a function that chooses a random winner."""
    dice = Random(seed)
    return lambda one, other: dice.choice((one, other))
