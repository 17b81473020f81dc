"""Texts of the Koi-Koi page for flags, endings and refusals; English is the source of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from desk.panel.table.phrases import FlagTexts
from desk.panel.words import N_, texts
from referee.cards.hanafuda import Category

_TEXTS = texts("desk.koikoi.page")
FLAGS: Final[Mapping[str, FlagTexts]] = {name: FlagTexts(*each) for name, each in _TEXTS["flags"].items()}
"""Texts by the id of a flag of `referee.koikoi.flags`."""

PHASES: Final[Mapping[str, str]] = _TEXTS["phases"]
UNDEALT: Final[Mapping[str, str]] = _TEXTS["undealt"]  # why the referee still waits for the deal
ENDINGS: Final[Mapping[str, str]] = _TEXTS["endings"]
KINDS: Final[Mapping[Category, str]] = MappingProxyType(
    {
        Category.HIKARI: N_("Brights"),
        Category.TANE: N_("Animals"),
        Category.TAN: N_("Ribbons"),
        Category.KASU: N_("Chaff"),
    }
)
"""The four kinds of captured cards."""
STEPS: Final[Mapping[str, str]] = _TEXTS["steps"]  # kinds of steps in a round's story
FACTORS: Final[Mapping[str, str]] = _TEXTS["factors"]
"""Why the points are multiplied, by the words of `referee.koikoi.payout`."""
CALLS: Final = (N_("teshi"), N_("kuttsuki"))  # claims in the referee's sentences
REFUSALS: Final[Mapping[str, str]] = _TEXTS["refusals"]
