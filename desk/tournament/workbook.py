"""The cells of a workbook's (`.xlsx`) first sheet as text."""

from __future__ import annotations

import io
import zipfile
from typing import Final

from calibration.files.archive import read_member
from calibration.files.table import MOST_COLUMNS
from referee.tournament.state import RefusedError

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
