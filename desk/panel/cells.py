"""Tables for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO
from typing import Final

BYTE_ORDER_MARK: Final = "\ufeff"
"""Marks the text as UTF-8 for spreadsheets."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def harmless(value: object) -> object:
    """Return a cell that spreadsheets do not run as a formula, such as a name or a note with `=`."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def csv_of(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as comma-separated values without formulas."""
    out = StringIO(BYTE_ORDER_MARK)
    out.seek(0, 2)
    writer = csv.writer(out)
    for row in rows:
        writer.writerow(map(harmless, row))
    return out.getvalue()
