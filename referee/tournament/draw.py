"""The draw of the next round.

Elimination: opponents are drawn anew before each round, and the byes of the first round leave a power of two
for the second (https://karutadoujou.hatenablog.com/entry/games/general/taikai-oneday/,
https://karuta.hatenablog.jp/entry/2016/06/21/235847). Swiss: equal points meet in the order of lots, and the
last has the bye (https://handbook.fide.com/chapter/C0401, rules b to e;
http://www015.upp.so-net.ne.jp/igo-kagawa/kyougihousiki3.html). In both, as far as possible, nobody plays an
opponent twice or wins a second round without play, be it by a bye or because an opponent did not come (rule
d), and members of one club stay apart in the first rounds, in a Swiss where that costs no meeting of equals.
Whoever lost because they did not come may have a bye, but among equals others have it first (FIDE Dutch
system 2026, C.9), and two of whom one did not come have not met yet (general handling rules 2026, 3.5).
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

    The draw avoids rematches first, then a second win without play, then (in a Swiss) a bye for more points
    than need be, pairs of unequal points, the most unequal first, opponents of one club, and a bye for
    somebody who missed a round. Within that, each entrant in turn meets the first in order who is allowed.

    Raises
    ------
    RefusedError
        If fewer than two entrants play.
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
    # the next in order; the byes go to the first lots of an elimination and to the last of a Swiss
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
    """Return the entrants who play, by points (Swiss only) and then by lots."""
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
    """Return the graph in which anybody may meet anybody or have a bye, and some perfect matching of it."""
    everyone = set(range(count + byes))
    graph = [everyone - {node} if node < count else set(range(count)) for node in range(count + byes)]
    paired = count - byes
    matching = [
        node ^ 1 if node < paired else node + byes if node < count else node - byes for node in everyone
    ]
    return graph, matching


def _unwanted(course: Course, order: list[int], byes: int) -> list[list[tuple[int, int]]]:
    """Return the lists of edges to avoid, the worst first."""
    met = {number: set(course.played(number)) for number in order}
    rested = _won_without_play(course)
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
    same_club = {(one, other) for one, other in pairs if apart and clubs[one] and clubs[one] == clubs[other]}
    if course.division.system is System.ELIMINATION:
        return [again, second_bye, sorted(same_club)]
    of = [points(course, number) for number in order]
    early_bye = [(node, len(order)) for node, got in enumerate(of) if byes and got > of[-1]]
    # where two of unequal points must meet, it is two of different clubs if that can be
    unequal = sorted(
        (pair for pair in pairs if of[pair[0]] > of[pair[1]] or pair in same_club),
        key=lambda pair: (of[pair[1]] - of[pair[0]], pair not in same_club),
    )
    absent = [
        (node, len(order))
        for node, number in enumerate(order)
        if byes and len(course.played(number)) < len(course.rounds)
    ]
    return [again, second_bye, early_bye, unequal, absent]


def _won_without_play(course: Course) -> set[int]:
    """Return the numbers of those who had a bye, or whose opponent did not come."""
    byes = {number for drawn in course.rounds for number in drawn.byes}
    return byes | {
        pairing.winner
        for drawn in course.rounds
        for pairing in drawn.pairings
        if pairing.winner is not None and not pairing.is_played
    }
