"""Names of seats and zones on the pages of card tables, in one language."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from desk.panel.words import Words, texts
from referee.sentence import Sentence


class FlagTexts(NamedTuple):
    """The texts of a flag: what is wrong, and the remedy."""

    what: str
    mend: str


_TEXTS = texts("desk.panel.table")
TABLE_REFUSALS: Final[Mapping[str, str]] = _TEXTS["table_refusals"]
ZONES: Final[Mapping[str, str]] = _TEXTS["zones"]  # zones that a table has once


def seat_name(seat: int, name: str | None, said: Words) -> str:
    return name or said("Player {n}", n=seat + 1)


def by_name(text: str, names: Sequence[str]) -> str:
    """Return a referee's text with names in place of its seats, such as `player 1` (counted from 0)."""

    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        return names[seat] if seat < len(names) else found[0]

    return re.sub(r"\bplayer (\d)\b", name, text)


def by_names(text: str, names: Sequence[str], said: Words, cards: Sequence[str] = ()) -> str:
    """Return a referee's text in the visitor's language, with names in place of its seats.

    A text that is no sentence, such as one that came from a file, stays English.

    `cards`: names of the cards that a text calls by their numbers.
    """
    if not isinstance(text, Sentence):
        return by_name(text, names)

    def value(key: str, given: object) -> object:
        if isinstance(given, Sentence):
            return by_names(given, names, said, cards)
        if key in {"card", "taken"} and cards:
            return said(" and ").join(cards[int(number)] for number in str(given).split(", "))
        if key in {"cards", "technique"}:
            return str(given).replace("_", " ").replace(">", " → ").upper()
        return by_name(given, names) if isinstance(given, str) else given

    return said(text.text, **{key: value(key, given) for key, given in text.values.items()})


def zone_names(zones: Mapping[str, Sequence[object]], said: Words) -> dict[str, list[str]]:
    """Return the names of a table's zones; zones that share a name belong to one seat each."""
    return {
        name: [said(ZONES[name])] if name in ZONES else [_strip(seat, said) for seat in range(len(rects))]
        for name, rects in zones.items()
    }


def _strip(seat: int, said: Words) -> str:
    return said("Captured cards of {player}", player=seat_name(seat, None, said))
