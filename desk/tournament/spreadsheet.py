"""Standings and results of a tournament as CSV for spreadsheets, with an English head."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from desk.panel.cells import csv_of
from referee.tournament.pairing import Board, Pairing
from referee.tournament.standings import standings
from referee.tournament.state import Course, MatchId, Tournament

_STANDINGS: Final = (
    "class", "rank", "number", "name", "club", "points", "played", "won", "lost", "boards_won", "sos",
    "sodos", "cards", "state", "members",
)  # fmt: skip
_RESULTS: Final = (
    "class", "round", "match", "mat", "first_number", "first", "first_player", "second_number", "second",
    "second_player", "winner", "cards", "ended",
)  # fmt: skip


def standings_csv(tournament: Tournament) -> str:
    """Return the standings as CSV, class by class; `state` is `champion`, `in`, `out` or `withdrawn`."""
    return csv_of(
        [_STANDINGS, *(row for course in tournament.courses.values() for row in _standings(course))]
    )


def results_csv(tournament: Tournament) -> str:
    """Return every match and every bye as CSV.

    `winner` is the name of the winning entrant, `cards` the cards that the loser had left. `ended` is
    `played`, `default` (a player did not come), `bye`, or empty while the match is open.
    """
    return csv_of([_RESULTS, *(row for course in tournament.courses.values() for row in _results(course))])


def _standings(course: Course) -> Iterator[list[object]]:
    for row in standings(course):
        entrant = course.entrants[row.number]
        state = _state(course, row.number, is_in=row.is_in)
        yield [
            course.division.name, row.rank, row.number, entrant.name, entrant.club, row.points, row.played,
            row.won, row.lost, f"{row.boards_won:g}", f"{row.sos:g}", f"{row.sodos:g}", row.cards, state,
            "; ".join(entrant.members),
        ]  # fmt: skip


def _state(course: Course, number: int, *, is_in: bool) -> str:
    if course.champion == number:
        return "champion"
    if number in course.withdrawn:
        return "withdrawn"
    return "in" if is_in else "out"


def _results(course: Course) -> Iterator[list[object]]:
    boards = course.division.boards
    for match, board in course.matches():
        pairing = course.rounds[match.round - 1].pairings[match.pairing - 1]
        yield _result(course, match.text(boards), match, pairing, board)
    for number, drawn in enumerate(course.rounds, 1):
        for bye in drawn.byes:
            name = course.entrants[bye].name
            yield [course.division.name, number, "", "", bye, name, "", "", "", "", name, "", "bye"]


def _result(course: Course, text: str, match: MatchId, pairing: Pairing, board: Board) -> list[object]:
    result = board.result
    winner = None if result is None or result.winner is None else pairing.entrants[result.winner]
    sides: list[object] = []
    for number, player in zip(pairing.entrants, board.players, strict=True):
        sides += [number, course.entrants[number].name, player]
    return [
        course.division.name, match.round, text, board.mat, *sides,
        "" if winner is None else course.entrants[winner].name,
        None if result is None else result.cards,
        "" if result is None else "default" if result.by_default else "played",
    ]  # fmt: skip
