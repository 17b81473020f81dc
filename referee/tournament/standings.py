"""The standings of a class.

Elimination: by rounds won, so that both losers of the semi-finals are third. Swiss: by points; ties are
broken by the points of all opponents (SOS), the points of beaten opponents (SODOS), and the cards that losers
had left (http://www015.upp.so-net.ne.jp/igo-kagawa/kyougihousiki3.html for SOS and SODOS). Teams: by points,
boards won, and wins at the first, second, ... board (https://www.karuta.org/wp, rules of the All-Japan high
school festival: three wins of five are a point); then as for players.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.tournament.division import System
from referee.tournament.pairing import Pairing
from referee.tournament.state import Course


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the table.

    Attributes
    ----------
    rank : 1 for the first; equals share a rank, and the ranks after it are skipped.
    number : of the entrant.
    points : pairings won, byes included.
    played, won, lost : finished pairings, byes not counted.
    boards_won : boards won; equal to `won` for a player.
    sos, sodos : points of all opponents and of beaten opponents.
    cards : cards the losers had left, in won less in lost boards; uncounted boards add 0.
    first_boards : wins at the first, second, ... board.
    is_in : whether the entrant still plays.
    """

    rank: int
    number: int
    points: int
    played: int
    won: int
    lost: int
    boards_won: int
    sos: int
    sodos: int
    cards: int
    first_boards: tuple[int, ...]
    is_in: bool


def points(course: Course, number: int) -> int:
    """Return an entrant's points: pairings won plus byes."""
    return sum(pairing.winner == number for pairing in _over(course, number)) + sum(
        number in drawn.byes for drawn in course.rounds
    )


def standings(course: Course) -> list[Standing]:
    """Return the table of a class, best first; equals stand in the order of their entry."""
    of = {number: points(course, number) for number in course.entrants}
    rows = [_standing(course, number, of) for number in course.entrants]
    rows.sort(key=lambda row: _worth(course, row), reverse=True)
    ranked: list[Standing] = []
    for place, row in enumerate(rows, 1):
        is_equal = bool(ranked) and _worth(course, ranked[-1]) == _worth(course, row)
        ranked.append(replace(row, rank=ranked[-1].rank if is_equal else place))
    return ranked


def _standing(course: Course, number: int, of: dict[int, int]) -> Standing:
    over = _over(course, number)
    won = [pairing for pairing in over if pairing.winner == number]
    opponents = [(pairing, pairing.opponent(number)) for pairing in over]
    mine = [(pairing.entrants.index(number), pairing) for pairing in over]
    is_beaten = course.division.system is System.ELIMINATION and len(won) < len(over)
    return Standing(
        rank=0,
        number=number,
        points=of[number],
        played=len(over),
        won=len(won),
        lost=len(over) - len(won),
        boards_won=sum(pairing.wins(place) for place, pairing in mine),
        sos=sum(of[other] for _, other in opponents),
        sodos=sum(of[other] for pairing, other in opponents if pairing.winner == number),
        cards=sum(_cards(pairing, place) for place, pairing in mine),
        first_boards=tuple(
            sum(_wins_at(pairing, board, place) for place, pairing in mine)
            for board in range(course.division.boards)
        ),
        is_in=number not in course.withdrawn and not is_beaten,
    )


def _worth(course: Course, row: Standing) -> tuple[int, ...]:
    if course.division.system is System.ELIMINATION:
        return row.points, row.is_in
    as_teams = (row.boards_won, *row.first_boards) if course.division.boards > 1 else ()
    return row.points, *as_teams, row.sos, row.sodos, row.cards


def _over(course: Course, number: int) -> list[Pairing]:
    met = [drawn.pairing_of(number) for drawn in course.rounds]
    return [pairing for pairing in met if pairing is not None and pairing.is_over]


def _cards(pairing: Pairing, place: int) -> int:
    return sum(
        (board.result.cards or 0) * (1 if board.result.winner == place else -1)
        for board in pairing.boards
        if board.result is not None
    )


def _wins_at(pairing: Pairing, board: int, place: int) -> bool:
    result = pairing.boards[board].result
    return result is not None and result.winner == place
