"""The cells of a workbook's (`.xlsx`) first sheet as text."""

from __future__ import annotations

import io
import zipfile
from typing import Final

from referee.tournament.state import RefusedError

_MOST_BYTES: Final = 16 << 20
"""Largest unpacked size of a workbook; a list of ten thousand entrants has about 5 MB."""
_MOST_COLUMNS: Final = 100


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
        if unpacked <= _MOST_BYTES:
            sheet = load_workbook(io.BytesIO(data), read_only=True, data_only=True).worksheets[0]
            rows = sheet.iter_rows(max_row=most_rows, max_col=_MOST_COLUMNS, values_only=True)
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


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()
