"""Texts for the ids of a practice."""

from __future__ import annotations

from collections.abc import Mapping

from desk.panel.expectation import Awaited
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
    "no_field": N_("No card is read yet: lay cards on your territory, and take your hands away."),
    "nothing_wanted": N_("None of the cards that the book proposes lies here."),
}
WHEN: Mapping[str, str] = {
    "start": N_("The practice has begun already: 'Start' is for the time before the first poem."),
    "next": N_("'Next' is for the time after a poem's first sound; in a pause 'Go on' comes first."),
    "pause": N_("A practice can be paused while poems are read."),
    "resume": N_("'Go on' is for a practice that is paused."),
}
"""When a command that cannot be carried out now can be."""
AWAITED: Mapping[str, Awaited] = {
    "field": Awaited(
        N_(
            "The cards on your territory are awaited: they are read as soon as no hand and no head is over "
            "the field and they lie still."
        ),
    ),
    "start": Awaited(N_("Everything is ready for the first poem."), N_("'Start' begins.")),
    "reading": Awaited(
        N_("The time comes as soon as no hand and no head is over the field and the cards lie still."),
        N_("If it does not come: 'Next' reads on."),
    ),
    "hand": Awaited(
        N_("A hand or a head is over the field: the time comes as soon as it is away."),
        N_("If it does not come: 'Next' reads on."),
    ),
    "motion": Awaited(
        N_("Something moves on the field: the time comes as soon as the cards lie still."),
        N_("If it does not come: 'Next' reads on."),
    ),
    "film": Awaited(
        N_("The time comes as soon as no hand and no head is over the field and the cards lie still.")
    ),
    "tidying": Awaited(
        N_("The next poem is read as soon as the field is put in order and no hand is over it."),
        N_("'Next' reads it at once."),
    ),
    "by_hand": Awaited(N_("The next poem is read when you say so."), N_("'Next' reads it.")),
    "next": Awaited(N_("The next poem is read in a moment.")),
    "paused": Awaited(N_("The practice is paused."), N_("'Go on' continues it.")),
    "ended": Awaited(""),
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
