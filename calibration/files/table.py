"""Read tables as spreadsheets save them: any separator, in UTF-8, UTF-16 or a country's code page."""

import csv
import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from calibration.files import typed_numbers as typed
from calibration.files.text import TextFileError, decode, lines_of
from referee.complaint import sentence_of
from referee.sentence import SentenceError

_CODE_PAGES: Final = ("cp932", "cp1252")
"""Code pages that spreadsheets of Japan and Western Europe write if not UTF-8."""
_ARCHIVE: Final = b"PK\x03\x04"
_SEPARATORS: Final = (",", ";", "\t")
MOST_COLUMNS: Final = 100
"""Widest table: each of its rows is filled up to it, so a long head over short rows took all memory."""
_MOST_TITLES: Final = 10
"""Rows among which a head is looked for; above it stand a title, a date, a note of the separator."""


class Row(NamedTuple):
    """A row of a table."""

    number: int  # as the spreadsheet counts it, from 1 on
    cells: list[str]  # its texts, without spaces around them


class TableError(SentenceError, ValueError):
    """The bytes hold no table; the message names the file and says what to do."""


def is_workbook(data: bytes) -> bool:
    """Tell whether bytes are a spreadsheet's own file rather than text."""
    return data.startswith(_ARCHIVE)


def texts_of(data: bytes, name: str) -> list[str]:
    """Return the possible texts of a file's bytes, the likeliest first; complaints call it `name`.

    Raises TableError if they are a workbook, or no text.
    """
    if is_workbook(data):
        raise TableError("{file} is a workbook, not a text file: save it as `CSV UTF-8`", file=name)
    try:
        return [decode(data, name)]
    except TextFileError as error:
        texts = []
        for page in _CODE_PAGES if b"\0" not in data else ():
            try:
                texts.append(data.decode(page))
            except UnicodeDecodeError:
                continue
        if not texts:
            raise TableError(sentence_of(error)) from error
        return texts


def rows_of(text: str, name: str, is_head: Callable[[Sequence[str]], bool]) -> list[Row] | None:
    """Return the rows of a table, the head first, none shorter than the head; empty rows are left out.

    Lines above the head, such as a title, are left out too; None if no separator makes such a head. Raises
    TableError if quotation marks do not match.

    `is_head`: tells whether a row, its cells as `column_of` reads them, names the columns needed.
    """
    wrong: TableError | None = None
    for separator in _SEPARATORS:
        lines = csv.reader((f"{line}\n" for line in lines_of(text)), delimiter=separator, strict=True)
        try:
            cells = [[cell.strip() for cell in row] for row in lines]
        except csv.Error:
            # with another separator the marks may match
            wrong = wrong or TableError(
                "{file}, line {line}: its quotation marks do not match; save the table anew",
                file=name,
                line=lines.line_num,
            )
            continue
        if (table := below_head(cells, is_head)) is not None:
            return table
    if wrong is not None:
        raise wrong
    return None


def below_head(cells: Sequence[Sequence[str]], is_head: Callable[[Sequence[str]], bool]) -> list[Row] | None:
    """Return the rows from the head on, as `rows_of`; None if none of the first rows is a head.

    Raises TableError if the head has too many columns; empty ones at its end do not count.
    """
    for at, row in enumerate(cells[:_MOST_TITLES]):
        head = [column_of(cell) for cell in row]
        while head and not head[-1]:
            del head[-1]
        if is_head(head):
            if len(head) > MOST_COLUMNS:
                raise TableError(
                    "row {row}: expected at most {most} columns, got more: save a table with those that are "
                    "needed",
                    row=at + 1,
                    most=MOST_COLUMNS,
                )
            rows = [
                Row(number, [*below, *[""] * (len(head) - len(below))])
                for number, below in enumerate(cells[at + 1 :], at + 2)
                if any(below)
            ]
            return [Row(at + 1, head), *rows]
    return None


def first_line(text: str) -> str:
    """Return the beginning of the first line that is not empty, for complaints."""
    return next((line.strip() for line in lines_of(text) if line.strip()), "")[:60]


def column_of(cell: str) -> str:
    """Return a column's name in plain lower-case letters with `_` between words."""
    return re.sub(r"[\s_-]+", "_", typed.plain(cell).strip().lower())
