"""Cells of a table for spreadsheets."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def harmless(value: object) -> object:
    """Keep a spreadsheet from running somebody's name or note as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
