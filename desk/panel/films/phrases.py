"""Texts for the ids of the film page."""

from __future__ import annotations

from collections.abc import Mapping

from desk.panel.words import texts

_TEXTS = texts("desk.panel.films")
STATES: Mapping[str, str] = _TEXTS["states"]
STAGES: Mapping[str, str] = _TEXTS["stages"]
GAMES: Mapping[str, str] = _TEXTS["games"]
QUESTIONS: Mapping[str, str] = _TEXTS["questions"]
DOUBTS: Mapping[str, str] = _TEXTS["doubts"]
ABOUT_POEM = ("poem_unsure", "poem_assumed")  # doubts that are settled by naming the poem
REFUSALS: Mapping[str, str] = _TEXTS["refusals"]
