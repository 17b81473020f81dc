"""Texts for the ids of the board."""

from __future__ import annotations

from collections.abc import Mapping

from desk.panel.words import texts

_TEXTS = texts("desk.panel.hall")
READING: Mapping[str, str] = _TEXTS["reading"]
LINKS: Mapping[str, str] = _TEXTS["links"]
SYSTEMS: Mapping[str, str] = _TEXTS["systems"]
STATES: Mapping[str, str] = _TEXTS["states"]  # texts on the tile of a mat, the most urgent first
