"""The standings of a class.

Elimination: by rounds won, so that both losers of the semi-finals are third. Swiss: by points; ties are
broken by the points of all opponents (SOS), the points of beaten opponents (SODOS), and the cards that losers
had left (http://www015.upp.so-net.ne.jp/igo-kagawa/kyougihousiki3.html for SOS and SODOS). Teams: by points,
boards won, and wins at the first, second, ... board (https://www.karuta.org/wp, rules of the All-Japan high
school festival: three wins of five are a point); then as for players.

A round of a Swiss without play (a bye, a default, an absence) is neither a gain nor a loss where equals are
parted: whoever did not play meets a virtual opponent, who had as many points before that round, has the
reverse of its result, and half a point of each later round; and where an opponent's points are added up, a
round that the opponent did not play is half a point
(https://handbook.fide.com/chapter/TieBreakRegulations2022, unplayed games). Boards and cards are the desk's
choice: such a round is won or lost by as many as rounds of the class that were played, on average.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.tournament.division import System
from referee.tournament.pairing import Pairing
from referee.tournament.state import Course

_HALF: Final = 0.5  # points of a draw, the expected result of a round in which nothing was played


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the table."""

    rank: int  # 1 for the first; equals share a rank, and the ranks after it are skipped
    number: int
    points: int  # pairings won, byes included
    # played, won, lost: finished pairings, byes not counted
    played: int
    won: int
    lost: int
    boards_won: float  # boards won, those of rounds without play in tenths
    # sos, sodos: points of all opponents and of beaten opponents, in half points
    sos: float
    sodos: float
    cards: int  # cards the losers had left, in won less in lost boards; uncounted boards add 0
    # wins at the first, second, ... board; a round without play adds a fraction to each.
    first_boards: tuple[float, ...]
    is_in: bool  # whether the entrant still plays


def points(course: Course, number: int) -> int:
    """Return an entrant's points: pairings won plus byes."""
    return sum(pairing.winner == number for pairing in _over(course, number)) + sum(
        number in drawn.byes for drawn in course.rounds
    )


def standings(course: Course) -> list[Standing]:
    """Return the table of a class, best first; equals stand in the order of their entry."""
    tally = _Tally(course)
    rows = [tally.standing(number) for number in course.entrants]
    rows.sort(key=lambda row: _worth(course, row), reverse=True)
    ranked: list[Standing] = []
    for place, row in enumerate(rows, 1):
        is_equal = bool(ranked) and _worth(course, ranked[-1]) == _worth(course, row)
        ranked.append(replace(row, rank=ranked[-1].rank if is_equal else place))
    return ranked


class _Tally:
    """What the rounds of a class add up to for each entrant."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._virtual = course.division.virtual_opponents and course.division.system is System.SWISS
        self._points = {number: points(course, number) for number in course.entrants}
        self._unplayed = {
            number: _unplayed(course, number) if self._virtual else {} for number in course.entrants
        }
        decided = [
            (pairing, pairing.winner, pairing.opponent(pairing.winner))
            for drawn in course.rounds
            for pairing in drawn.pairings
            if pairing.winner is not None and pairing.is_played
        ]
        self._margin = _mean([_cards(pairing, winner) for pairing, winner, _ in decided])
        # by board: how often it was the winning team's, and how often the losing one's
        self._boards = [
            (
                _mean([_wins_at(pairing, board, winner) for pairing, winner, _ in decided]),
                _mean([_wins_at(pairing, board, loser) for pairing, _, loser in decided]),
            )
            for board in range(course.division.boards)
        ]

    def standing(self, number: int) -> Standing:
        """Return an entrant's line, not ranked yet."""
        course, unplayed = self._course, self._unplayed[number]
        over = _over(course, number)
        counted = [pairing for pairing in over if pairing.is_played or not self._virtual]
        won = sum(pairing.winner == number for pairing in over)
        is_beaten = course.division.system is System.ELIMINATION and won < len(over)
        scores = [*self._met(counted, number), *self._virtual_opponents(number)]
        gained = sum(unplayed.values())
        first_boards = [
            sum(_wins_at(each, board, number) for each in counted)
            + gained * of_winners
            + (len(unplayed) - gained) * of_losers
            for board, (of_winners, of_losers) in enumerate(self._boards)
        ]
        return Standing(
            rank=0,
            number=number,
            points=self._points[number],
            played=len(over),
            won=won,
            lost=len(over) - won,
            boards_won=round(sum(first_boards), 1),
            sos=sum(score for score, _ in scores),
            sodos=sum(score for score, is_beaten in scores if is_beaten),
            cards=sum(_cards(pairing, number) for pairing in counted)
            + round(self._margin * (2 * gained - len(unplayed))),
            first_boards=tuple(round(wins, 1) for wins in first_boards),
            is_in=number not in course.withdrawn and not is_beaten,
        )

    def _met(self, counted: list[Pairing], number: int) -> Iterator[tuple[float, bool]]:
        """Iterate over the opponents' points and whether they were beaten."""
        for pairing in counted:
            other = pairing.opponent(number)
            unplayed = self._unplayed[other]
            earned = self._points[other] - sum(unplayed.values())
            yield earned + _HALF * len(unplayed), pairing.winner == number

    def _virtual_opponents(self, number: int) -> Iterator[tuple[float, bool]]:
        """Iterate over the same of the virtual opponents."""
        finished = sum(drawn.is_over for drawn in self._course.rounds)
        for at, got in self._unplayed[number].items():
            before = points(replace(self._course, rounds=self._course.rounds[:at]), number)
            yield before + (1 - got) + _HALF * max(0, finished - at - 1), got


def _mean(figures: Sequence[float]) -> float:
    return sum(figures) / max(1, len(figures))


def _unplayed(course: Course, number: int) -> dict[int, bool]:
    """Return the rounds, counted from 0, that an entrant did not play, and whether each gave the point."""
    rounds = {}
    for at, drawn in enumerate(course.rounds):
        pairing = drawn.pairing_of(number)
        if pairing is None:
            rounds[at] = number in drawn.byes
        elif pairing.is_over and not pairing.is_played:
            rounds[at] = pairing.winner == number
    return rounds


def _worth(course: Course, row: Standing) -> tuple[float, ...]:
    if course.division.system is System.ELIMINATION:
        return row.points, row.is_in
    as_teams = (row.boards_won, *row.first_boards) if course.division.boards > 1 else ()
    return row.points, *as_teams, row.sos, row.sodos, row.cards


def _over(course: Course, number: int) -> list[Pairing]:
    met = [drawn.pairing_of(number) for drawn in course.rounds]
    return [pairing for pairing in met if pairing is not None and pairing.is_over]


def _cards(pairing: Pairing, number: int) -> int:
    place = pairing.entrants.index(number)
    return sum(
        (board.result.cards or 0) * (1 if board.result.winner == place else -1)
        for board in pairing.boards
        if board.result is not None
    )


def _wins_at(pairing: Pairing, board: int, number: int) -> bool:
    result = pairing.boards[board].result
    return result is not None and result.winner == pairing.entrants.index(number)
