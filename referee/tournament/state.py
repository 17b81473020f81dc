"""A tournament as one immutable value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from referee.sentence import SentenceError
from referee.tournament.division import Division, Entrant, System
from referee.tournament.pairing import Board, Pairing, Round


class RefusedError(SentenceError, ValueError):
    """An event is refused; the message says what was expected."""


@dataclass(frozen=True, slots=True, order=True)
class MatchId:
    """The id of one match; as text `A-2-13`, for board 4 of a team match `A-2-13-4`."""

    division: str
    # round, pairing, board: counted from 1
    round: int
    pairing: int
    board: int = 1

    def text(self, boards: int) -> str:
        """Return the id as text; `boards` is the number of boards of a pairing."""
        named = f"{self.division}-{self.round}-{self.pairing}"
        return named if boards == 1 else f"{named}-{self.board}"

    @staticmethod
    def parse(text: str) -> MatchId:
        """Read an id from its text; RefusedError if it is not one."""
        found = re.fullmatch(r"(\w{1,20})-([1-9][0-9]{0,2})-([1-9][0-9]{0,3})(?:-([1-9]))?", text)
        if found is None:
            raise RefusedError(
                "expected a match such as A-2-13 (class, round, pairing), got {got!r}", got=text
            )
        division, *numbers = found.groups(default="1")
        return MatchId(division, *map(int, numbers))


@dataclass(frozen=True, slots=True)
class Course:
    """The current state of a class."""

    division: Division
    entrants: dict[int, Entrant] = field(default_factory=dict)  # by number, in the order of entry
    rounds: tuple[Round, ...] = ()
    withdrawn: frozenset[int] = frozenset()  # numbers of those who play no further round

    @property
    def playing(self) -> tuple[int, ...]:
        """Numbers of those who play the next round, in the order of entry."""
        still = set(self.entrants) - self.withdrawn
        if self.rounds and self.division.system is System.ELIMINATION:
            latest = self.rounds[-1]
            still &= {pairing.winner for pairing in latest.pairings} | set(latest.byes)
        return tuple(number for number in self.entrants if number in still)

    @property
    def is_over(self) -> bool:
        """Tell whether nothing is left to be played."""
        if not self.rounds or not self.rounds[-1].is_over:
            return False
        if self.division.system is System.SWISS:
            return len(self.rounds) == self.division.rounds or len(self.playing) < 2
        return len(self.playing) < 2

    @property
    def champion(self) -> int | None:
        """Number of the winner of an elimination; None before its end, or if nobody is left."""
        if self.division.system is not System.ELIMINATION or not self.is_over:
            return None
        final = self.rounds[-1]
        winners = [pairing.winner for pairing in final.pairings if pairing.winner is not None]
        left = self.playing or (*winners, *final.byes)  # the winner may have withdrawn after the final
        return left[0] if len(left) == 1 else None

    def played(self, number: int) -> list[int]:
        """Return the opponents whom an entrant has played, round by round; none where nobody came."""
        met = [drawn.pairing_of(number) for drawn in self.rounds]
        return [pairing.opponent(number) for pairing in met if pairing is not None and pairing.is_played]

    def matches(self) -> Iterator[tuple[MatchId, Board]]:
        """Iterate over all matches in the order of rounds, pairings and boards."""
        for round_number, drawn in enumerate(self.rounds, 1):
            for pairing_number, pairing in enumerate(drawn.pairings, 1):
                for board_number, board in enumerate(pairing.boards, 1):
                    yield MatchId(self.division.name, round_number, pairing_number, board_number), board

    def with_pairing(self, place: int, pairing: Pairing) -> Course:
        """Return the class with another pairing at a place of its latest round."""
        latest = self.rounds[-1]
        pairings = (*latest.pairings[:place], pairing, *latest.pairings[place + 1 :])
        return replace(self, rounds=(*self.rounds[:-1], replace(latest, pairings=pairings)))


@dataclass(frozen=True, slots=True)
class Tournament:
    """The state of a tournament."""

    # name, seed: as in the opening event
    name: str
    seed: str
    # by the name of the class, in the order of opening
    courses: dict[str, Course] = field(default_factory=dict)

    def course(self, division: str) -> Course:
        """Return a class by its name; RefusedError if there is none."""
        if division not in self.courses:
            raise RefusedError(
                "expected a class of {classes}, got {got!r}",
                classes=", ".join(self.courses) or "-",
                got=division,
            )
        return self.courses[division]

    def course_of(self, number: int) -> Course:
        """Return the class of an entrant; RefusedError if nobody has the number."""
        for course in self.courses.values():
            if number in course.entrants:
                return course
        raise RefusedError("nobody has the number {number}", number=number)

    def with_course(self, course: Course) -> Tournament:
        """Return the tournament with the new state of one class."""
        return replace(self, courses={**self.courses, course.division.name: course})

    def open_matches(self) -> list[tuple[MatchId, Board]]:
        """Return the matches without a result, in the order of classes and pairings."""
        return [
            (match, board)
            for course in self.courses.values()
            for match, board in course.matches()
            if board.result is None
        ]
