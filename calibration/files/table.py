"""Read tables as spreadsheets save them: any separator, in UTF-8, UTF-16 or a country's code page."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from typing import Final

from calibration.files import typed_numbers as typed
from calibration.files.text import TextFileError, decode, lines_of

_CODE_PAGES: Final = ("cp932", "cp1252")
"""Code pages that spreadsheets of Japan and Western Europe write if not UTF-8."""
_ARCHIVE: Final = b"PK\x03\x04"
_SEPARATORS: Final = (",", ";", "\t")


class TableError(ValueError):
    """The bytes hold no table; the message names the file and says what to do."""


def is_workbook(data: bytes) -> bool:
    """Tell whether bytes are a spreadsheet's own file rather than text."""
    return data.startswith(_ARCHIVE)


def texts_of(data: bytes, name: str) -> list[str]:
    """Return the possible texts of a file's bytes, the likeliest first; complaints call it `name`.

    Raises
    ------
    TableError
        If they are a workbook, or no text.
    """
    if is_workbook(data):
        raise TableError(f"{name} is a workbook, not a text file: save it as `CSV UTF-8`")
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
            raise TableError(str(error)) from error
        return texts


def rows_of(text: str, name: str, is_head: Callable[[Sequence[str]], bool]) -> list[list[str]] | None:
    """Return the rows of a table, the head first, none shorter than the head; empty lines are left out.

    Parameters
    ----------
    text, name : the table, and its name for complaints.
    is_head : tells whether a first row, its cells as `column_of` reads them, names the columns needed.

    Returns
    -------
    None if no separator makes such a head.

    Raises
    ------
    TableError
        If quotation marks do not match.
    """
    lines = [line for line in lines_of(text) if line.strip()]
    if lines and re.fullmatch(r'"?sep=.?"?', lines[0].strip().lower()):
        del lines[0]  # some spreadsheets note their separator there
    for separator in _SEPARATORS:
        try:
            table = [list(map(str.strip, row)) for row in csv.reader(lines, delimiter=separator, strict=True)]
        except csv.Error as error:
            raise TableError(f"{name} cannot be read as a table: {error}") from error
        head = [column_of(cell) for cell in table[0]] if table else []
        if is_head(head):
            rows = [row + [""] * (len(head) - len(row)) for row in table[1:] if any(row)]
            return [head, *rows]
    return None


def first_line(text: str) -> str:
    """Return the beginning of the first line that is not empty, for complaints."""
    return next((line.strip() for line in lines_of(text) if line.strip()), "")[:60]


def column_of(cell: str) -> str:
    """Return a column's name in plain lower-case letters with `_` between words."""
    return re.sub(r"[\s_-]+", "_", typed.plain(cell).strip().lower())
