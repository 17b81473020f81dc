"""Texts for the ids of the book."""

from __future__ import annotations

from collections.abc import Mapping

from desk.panel.words import texts

_TEXTS = texts("desk.panel.book")
FAULTS: Mapping[str, str] = _TEXTS["faults"]
TERRITORIES: Mapping[str, str] = _TEXTS["territories"]
HALVES: Mapping[str, str] = _TEXTS["halves"]
LEFT_OUT: Mapping[str, str] = _TEXTS["left_out"]
"""Why a log counts nowhere; a damaged one has its own sentence."""
