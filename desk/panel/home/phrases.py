"""Names of games, orders and modes on the set-up pages; English is the source of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from desk.panel.words import texts

_TEXTS = texts("desk.panel.home")
TITLES: Final[Mapping[str, str]] = _TEXTS["titles"]
CARDS: Final[Mapping[str, str]] = _TEXTS["cards"]
ORDERS: Final[Mapping[str, str]] = _TEXTS["orders"]
MODES: Final[Mapping[str, str]] = _TEXTS["modes"]
COLOURS: Final[Mapping[str, str]] = _TEXTS["colours"]
"""The five sets of twenty poems that schools use; the names are those of `recitation.reading.card_set`."""
