"""Texts of the pages of all card tables; English is the source of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from desk.panel.words import N_


class FlagTexts(NamedTuple):
    """The texts of a flag: what is wrong, and the remedy."""

    what: str
    mend: str


TABLE_REFUSALS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "no_table": N_("This is no table: every rectangle needs an inside, and the corners go around it."),
        "not_yours": N_("Only the operator draws the table."),
    }
)
ZONES: Final[Mapping[str, str]] = MappingProxyType(
    {"field": N_("The middle"), "stock": N_("Stock"), "turn": N_("Drawn card")}
)
"""Zones that a table has once."""
