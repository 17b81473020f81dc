"""Tables for spreadsheets."""

import csv
import unicodedata
from collections.abc import Iterable
from io import StringIO
from typing import Final

BYTE_ORDER_MARK: Final = "\ufeff"  # marks the text as UTF-8 for spreadsheets
_FORMULA: Final = frozenset("=+-@")


def harmless(value: object) -> object:
    """Return a cell that spreadsheets do not run as a formula, such as a name or a note with `=`.

    Spreadsheets skip blank and invisible characters in front, and some read full-width signs as their own.
    """
    if not isinstance(value, str):
        return value
    plain = unicodedata.normalize("NFKC", value)
    begins = next((sign for sign in plain if unicodedata.category(sign)[0] not in "CZ"), "")
    return f"'{value}" if begins in _FORMULA or value[:1] in {"\t", "\r", "\n"} else value


def csv_of(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as comma-separated values without formulas."""
    out = StringIO(BYTE_ORDER_MARK)
    out.seek(0, 2)
    writer = csv.writer(out)
    for row in rows:
        writer.writerow(map(harmless, row))
    return out.getvalue()
