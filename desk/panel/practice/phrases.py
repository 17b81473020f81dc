"""Texts for the ids of a practice."""

from __future__ import annotations

from collections.abc import Mapping

from desk.panel.expectation import Awaited
from desk.panel.words import texts

_TEXTS = texts("desk.panel.practice")
OUTCOMES: Mapping[str, str] = _TEXTS["outcomes"]
STATES: Mapping[str, str] = _TEXTS["states"]
REFUSALS: Mapping[str, str] = _TEXTS["refusals"]
WHEN: Mapping[str, str] = _TEXTS["when"]  # when a command that cannot be carried out now can be
AWAITED: Mapping[str, Awaited] = {name: Awaited(*each) for name, each in _TEXTS["awaited"].items()}
PROBLEMS: Mapping[str, str] = _TEXTS["problems"]
CARD_SETS: Mapping[str, str] = _TEXTS["card_sets"]
"""Card sets from the book; see `desk.panel.book.port.CardSet`."""
