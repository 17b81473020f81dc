"""Tables for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO
from typing import Final

BYTE_ORDER_MARK: Final = "\ufeff"
"""Tells spreadsheets that the text is UTF-8."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def harmless(value: object) -> object:
    """Keep a spreadsheet from running somebody's name or note as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def csv_of(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as comma-separated values that no spreadsheet takes for formulas."""
    out = StringIO(BYTE_ORDER_MARK)
    out.seek(0, 2)
    writer = csv.writer(out)
    for row in rows:
        writer.writerow(map(harmless, row))
    return out.getvalue()
