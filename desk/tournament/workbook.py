"""The first sheet of a workbook (`.xlsx`) as text, cell by cell."""

from __future__ import annotations

import io
import zipfile
from itertools import islice
from typing import Any, Final

from desk.errors import DeskError

_MOST_BYTES: Final = 64 << 20
"""The largest workbook when unpacked; a list of ten thousand entrants unpacks to some 5 MB."""
_MOST_ROWS, _MOST_COLUMNS = 20_000, 100


def workbook_rows(data: bytes, name: str) -> list[list[str]]:
    """Return the rows of the first sheet that are not empty; numbers without `.0`.

    Raises
    ------
    DeskError
        Where the bytes are no workbook, or too large a one, or what reads workbooks is not installed.
    """
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise DeskError(
            f"{name} is a workbook: save it as `CSV UTF-8`, or install the extra `hall`"
        ) from None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
        small = data if unpacked <= _MOST_BYTES else b""
        rows = _cells(load_workbook(io.BytesIO(small), read_only=True, data_only=True)) if small else []
    except Exception as error:
        # a damaged workbook fails in whatever part reads it
        raise DeskError(f"{name} cannot be read as a workbook (.xlsx): save it as `CSV UTF-8`") from error
    if unpacked > _MOST_BYTES:
        raise DeskError(f"{name} is too large a workbook: {unpacked >> 20} MiB unpacked, expected 64 at most")
    return rows


def _cells(book: Any) -> list[list[str]]:
    rows = (
        [_text(cell) for cell in row[:_MOST_COLUMNS]]
        for row in islice(book.worksheets[0].iter_rows(values_only=True), _MOST_ROWS)
    )
    return [row for row in rows if any(row)]


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()
