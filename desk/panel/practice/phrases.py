"""Texts for the ids of a practice."""

from __future__ import annotations

from collections.abc import Mapping

from desk.panel.words import N_

OUTCOMES: Mapping[str, str] = {
    "taken": N_("Taken"),
    "missed": N_("Not taken"),
    "lured": N_("Another card touched"),
    "left": N_("Rightly left: no card of it lies here"),
    "unclear": N_("Unclear: does not count"),
}
STATES: Mapping[str, str] = {
    "looking": N_("Lay out the cards"),
    "reading": N_("Practice"),
    "paused": N_("Paused"),
    "ended": N_("Practice over"),
}
REFUSALS: Mapping[str, str] = {
    "not_now": N_("This cannot be done now."),
    "no_field": N_("No card is read yet: lay cards on your territory, and take your hands away."),
    "nothing_wanted": N_("None of the cards that the book proposes lies here."),
}
PROBLEMS: Mapping[str, str] = {
    "not_kept": N_("The disk is full or cannot be written: attempts are not kept."),
}
CARD_SETS: Mapping[str, str] = {
    "due": N_("Cards that are due"),
    "slowest": N_("My slowest cards"),
    "lost": N_("Cards I lost this month"),
    "confused": N_("Families I confuse"),
}
"""Card sets from the book; see `desk.panel.book.port.CardSet`."""
