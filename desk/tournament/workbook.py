"""The cells of a workbook's (`.xlsx`) first sheet as text."""

from __future__ import annotations

import io
import zipfile
from itertools import islice
from typing import Any, Final

from referee.tournament.state import RefusedError

_MOST_BYTES: Final = 64 << 20
"""Largest unpacked size of a workbook; a list of ten thousand entrants has about 5 MB."""
_MOST_ROWS, _MOST_COLUMNS = 20_000, 100


def workbook_rows(data: bytes, name: str) -> list[list[str]]:
    """Return the rows of the first sheet, empty ones as well; whole numbers have no `.0`.

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
        small = data if unpacked <= _MOST_BYTES else b""
        rows = _cells(load_workbook(io.BytesIO(small), read_only=True, data_only=True)) if small else []
    except Exception as error:
        # a damaged workbook can fail in any part of the reader
        raise RefusedError(
            "{file} cannot be read as a workbook (.xlsx): save it as `CSV UTF-8`", file=name
        ) from error
    if unpacked > _MOST_BYTES:
        raise RefusedError(
            "{file} is too large a workbook: {n} MiB unpacked, expected 64 at most",
            file=name,
            n=unpacked >> 20,
        )
    return rows


def _cells(book: Any) -> list[list[str]]:
    return [
        [_text(cell) for cell in row[:_MOST_COLUMNS]]
        for row in islice(book.worksheets[0].iter_rows(values_only=True), _MOST_ROWS)
    ]


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()
