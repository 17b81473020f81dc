"""A tournament in spreadsheets: standings and results as CSV with an English head, and a workbook's cells."""

import io
import zipfile
from collections.abc import Iterator
from typing import Final

from calibration.files.archive import read_member
from calibration.files.table import MOST_COLUMNS
from desk.panel.cells import csv_of
from referee.tournament.pairing import Board, Pairing
from referee.tournament.standings import standings
from referee.tournament.state import Course, MatchId, RefusedError, Tournament

_MOST_BYTES: Final = 16 << 20
"""Largest unpacked size of a workbook; a list of ten thousand entrants has about 5 MB."""


def workbook_rows(data: bytes, name: str, most_rows: int) -> list[list[str]]:
    """Return the first `most_rows` rows of the first sheet, empty ones as well; whole numbers have no `.0`.

    Raises RefusedError if the bytes are no workbook or too large, or the library for workbooks is not
    installed.
    """
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise RefusedError(
            "{file} is a workbook: save it as `CSV UTF-8`, or install the extra `hall`", file=name
        ) from None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
            whole = _unpacked(archive) if unpacked <= _MOST_BYTES else None
        if whole is not None:
            sheet = load_workbook(whole, read_only=True, data_only=True).worksheets[0]
            rows = sheet.iter_rows(max_row=most_rows, max_col=MOST_COLUMNS + 1, values_only=True)
            return [[_text(cell) for cell in row] if any(row) else [] for row in rows]
    except Exception as error:
        # a damaged workbook can fail in any part of the reader
        raise RefusedError(
            "{file} cannot be read as a workbook (.xlsx): save it as `CSV UTF-8`", file=name
        ) from error
    raise RefusedError(
        "{file} is too large a workbook: {n} MiB unpacked, expected {most} at most",
        file=name,
        n=unpacked >> 20,
        most=_MOST_BYTES >> 20,
    )


def _unpacked(archive: zipfile.ZipFile) -> io.BytesIO:
    """Return the same archive with nothing packed: its reader unpacks without a limit."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as stored:
        for part in archive.infolist():
            stored.writestr(part.filename, read_member(archive, part, _MOST_BYTES))
    return whole


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


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
        state = "in" if row.is_in else "out"
        if row.number in course.withdrawn:
            state = "withdrawn"
        if course.champion == row.number:
            state = "champion"
        yield [
            course.division.name, row.rank, row.number, entrant.name, entrant.club, row.points, row.played,
            row.won, row.lost, f"{row.boards_won:g}", f"{row.sos:g}", f"{row.sodos:g}", row.cards, state,
            "; ".join(entrant.members),
        ]  # fmt: skip


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
