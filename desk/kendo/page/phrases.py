"""Texts of the Kendo page for the bout, flags and refusals; English is the source of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from desk.panel.table.phrases import FlagTexts
from desk.panel.words import texts

_TEXTS = texts("desk.kendo.page")
STANDINGS: Final[Mapping[str, str]] = _TEXTS["standings"]
"""Texts by what stands against the player, see `referee.kendo.standing`."""

FLAGS: Final[Mapping[str, FlagTexts]] = {name: FlagTexts(*each) for name, each in _TEXTS["flags"].items()}
"""Texts by the id of a flag of `referee.kendo.minutes`."""

NOTES: Final[Mapping[str, str]] = _TEXTS["notes"]  # texts by the kind of an event, or by the declaration

REFUSALS: Final[Mapping[str, str]] = _TEXTS["refusals"]
WHEN: Final[Mapping[str, str]] = _TEXTS["when"]  # when a word that the rules do not allow now can be said
RULES: Final[Mapping[str, str]] = _TEXTS["rules"]  # titles of the presets
