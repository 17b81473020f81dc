"""Texts for the ids of the engine."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from desk.panel.words import N_, Words, texts


class Awaited(NamedTuple):
    """What is awaited."""

    text: str  # the sentence for everybody; empty where nothing is awaited
    offer: str = ""  # what whoever commands can do, with the name of the button; empty where nothing helps
    is_seen: bool = True  # whether the camera has to see it


def awaited_view(awaited: Awaited, said: Words, **values: object) -> dict[str, str | None]:
    """Return both sentences in one language; `values` fill their fields."""
    return {
        "awaits": said(awaited.text, **values) if awaited.text else None,
        "offer": said(awaited.offer, **values) if awaited.offer else None,
    }


_TEXTS = texts("desk.panel")
PHASES: Mapping[str, str] = _TEXTS["phases"]
ROWS: Sequence[str] = (N_("upper row"), N_("middle row"), N_("lower row"))
"""The rows of a territory, the one next to the middle line first."""
PAUSES: Mapping[str, str] = _TEXTS["pauses"]
WARNINGS: Mapping[str, str] = _TEXTS["warnings"]
HALL_LINK: Mapping[str, str] = _TEXTS["hall_link"]
READING_PROBLEMS: Mapping[str, str] = _TEXTS["reading_problems"]
UNPROVABLE: Mapping[str, str] = _TEXTS["unprovable"]
STATES: Mapping[str, str] = _TEXTS["states"]
REFUSALS: Mapping[str, str] = _TEXTS["refusals"]
NOT_NOW: Mapping[str, str] = _TEXTS["not_now"]
"""When a command that cannot be carried out now can be, by the command; `not_now` is for all others."""
DECLARATIONS: Mapping[str, str] = _TEXTS["declarations"]
HANDS: Mapping[str, str] = _TEXTS["hands"]
EVENTS: Mapping[str, str] = _TEXTS["events"]
STOPS: Mapping[str, str] = _TEXTS["stops"]  # why an official ended a match
SOURCES: Mapping[str, str] = _TEXTS["sources"]
CERTAINTIES: Sequence[tuple[float, str]] = (
    (0.8, N_("when the ear is 80 % sure")),
    (0.9, N_("when the ear is 90 % sure")),
    (0.97, N_("when the ear is 97 % sure")),
    (2.0, N_("only when an official says so")),
)
"""Lowest confidence at which a poem read by a person is named automatically; above 1 means never."""
POLICIES: Mapping[str, str] = _TEXTS["policies"]


def phrase(words: Words, table: Mapping[str, str], key: str, **values: object) -> str:
    """Return the text for an id; an unknown id is made readable and shown itself."""
    text = table.get(key)
    return key.replace("_", " ") if text is None else words(text, **values)


def mat_number(mat: str) -> str:
    """Return the short name of a hall's mat: `7` for `mat-07`, or the whole name if it has no number."""
    number = mat.rpartition("-")[2].lstrip("0")
    return number if number.isdecimal() else mat


BIN_REFUSALS: Mapping[str, str] = _TEXTS["bin_refusals"]  # why a match is not moved into the bin or out of it
