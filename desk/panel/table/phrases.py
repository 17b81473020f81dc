"""Texts of the pages of all card tables; English is the source of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from desk.panel.words import texts


class FlagTexts(NamedTuple):
    """The texts of a flag: what is wrong, and the remedy."""

    what: str
    mend: str


_TEXTS = texts("desk.panel.table")
TABLE_REFUSALS: Final[Mapping[str, str]] = _TEXTS["table_refusals"]
ZONES: Final[Mapping[str, str]] = _TEXTS["zones"]  # zones that a table has once
