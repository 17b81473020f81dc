"""The draw of the next round.

Elimination: opponents are drawn anew before each round, and byes of the first leave a power of two for the
second (https://karutadoujou.hatenablog.com/entry/games/general/taikai-oneday/,
https://karuta.hatenablog.jp/entry/2016/06/21/235847). Swiss: equal points meet, in the order of lots, the
last has the bye (https://handbook.fide.com/chapter/C0401, rules b to e;
http://www015.upp.so-net.ne.jp/igo-kagawa/kyougihousiki3.html). In both nobody meets an opponent twice or has
a second bye, and members of one club stay apart in the first rounds, wherever that can be.
"""

from __future__ import annotations

from itertools import combinations

from referee.lots import draw_lots
from referee.tournament.division import System
from referee.tournament.events import RoundDrawn
from referee.tournament.matching import Graph, in_order, without
from referee.tournament.standings import points
from referee.tournament.state import Course, RefusedError, Tournament


def next_round(tournament: Tournament, division: str) -> RoundDrawn:
    """Draw the next round of a class by the tournament's seed.

    Of everything that is to be avoided as little is left as can be, worst first: opponents who meet again, a
    second bye, members of one club. Then each in turn meets the first in order with whom that still holds.

    Raises
    ------
    RefusedError
        If there is nobody to be drawn.
    """
    course = tournament.course(division)
    if len(course.playing) < 2:
        raise RefusedError(
            "class {division}: a draw needs two entrants, {n} play", division=division, n=len(course.playing)
        )
    order = _order(tournament, course)
    byes = _byes(course, len(order))
    graph, matching = _everybody(len(order), byes)
    for unwanted in _unwanted(course, order, byes):
        without(graph, matching, unwanted)
    everyone = range(len(order) + byes)
    # the nearest in order; byes go to the first lots of an elimination and to the last of a Swiss
    others = list(everyone)
    if course.division.system is System.ELIMINATION:
        others = [*others[len(order) :], *others[: len(order)]]
    wishes = [[other for other in others if other != one] for one in everyone]
    pairs = in_order(graph, matching, wishes)
    return RoundDrawn(
        division,
        tuple((order[one], order[other]) for one, other in pairs if other < len(order)),
        tuple(order[one] for one, other in pairs if other >= len(order)),
    )


def _order(tournament: Tournament, course: Course) -> list[int]:
    """Return who plays, by points where they count and then by lots."""
    seed = f"{tournament.seed}/{course.division.name}/{len(course.rounds) + 1}"
    order = [int(number) for number in draw_lots(map(str, course.playing), seed)]
    if course.division.system is System.SWISS:
        order.sort(key=lambda number: -points(course, number))
    return order


def _byes(course: Course, count: int) -> int:
    if course.rounds or course.division.system is System.SWISS:
        return count % 2
    size = 1 << (count - 1).bit_length()
    return size - count


def _everybody(count: int, byes: int) -> tuple[Graph, list[int]]:
    """Return a graph in which everybody may meet everybody or have a bye, and any matching of it."""
    everyone = set(range(count + byes))
    graph = [everyone - {node} if node < count else set(range(count)) for node in range(count + byes)]
    paired = count - byes
    matching = [
        node ^ 1 if node < paired else node + byes if node < count else node - byes for node in everyone
    ]
    return graph, matching


def _unwanted(course: Course, order: list[int], byes: int) -> list[list[tuple[int, int]]]:
    """Return the edges that are to be avoided, in the order in which they are; the worst come first."""
    met = {number: set(course.opponents(number)) for number in order}
    rested = {number for drawn in course.rounds for number in drawn.byes}
    pairs = list(combinations(range(len(order)), 2))
    again = [(one, other) for one, other in pairs if order[other] in met[order[one]]]
    second_bye = [
        (node, len(order) + bye)
        for node, number in enumerate(order)
        if number in rested
        for bye in range(byes)
    ]
    clubs = [course.entrants[number].club for number in order]
    apart = len(course.rounds) < course.division.clubs_apart
    same_club = [(one, other) for one, other in pairs if apart and clubs[one] and clubs[one] == clubs[other]]
    return [again, second_bye, same_club]
