"""Names of games, orders and modes on the set-up pages; English is the source of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from desk.panel.words import N_

TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {"koikoi": N_("Set up Koi-Koi"), "kendo": N_("Set up a bout of Kendo cards")}
)
CARDS: Final[Mapping[str, str]] = MappingProxyType(
    {"hanafuda": N_("Hanafuda"), "karuta": N_("Torifuda of karuta"), "kendo": N_("Kendo cards")}
)
ORDERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "shuffle": N_("shuffled, every poem once"),
        "random": N_("drawn each time: a poem may come again"),
        "number": N_("by number"),
        "kimariji": N_("by first sound: mu-su-me-fu-sa-ho-se"),
    }
)
MODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "competition": N_("as in competitions: second half, then the next first half"),
        "competition-beginner": N_("competition for beginners: the next poem whole"),
        "beginner": N_("every poem whole"),
        "recreation": N_("every poem, second half twice"),
        "kami-only": N_("first halves only"),
        "shimo-only": N_("second halves only, each twice (Hokkaido)"),
    }
)
COLOURS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "blue": N_("blue"),
        "pink": N_("pink"),
        "yellow": N_("yellow"),
        "green": N_("green"),
        "orange": N_("orange"),
    }
)
"""The five sets of twenty poems that schools use; the names are those of `recitation.reading.card_set`."""
