"""A box of Kendo cards as data: the count of each card. A club describes its own box in TOML."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from referee.cards.kendo import NUMBERS, Brown, Card, Green, Red, Technique, parse_card
from referee.complaint import sentence_of
from referee.house_rules import suggestion
from referee.sentence import SentenceError

TOTALS: Mapping[str, int] = {"brown": 25, "red": 36, "green": 46}
"""Sizes of the three decks (section "contenu")."""

_KNOWN: Mapping[str, tuple[str, ...]] = {
    "brown": tuple(card.value for card in Brown),
    "red": tuple(f"{left}>{right}" for left in Technique for right in Technique),
    "green": tuple(card.value for card in Green),
}


class DeckError(SentenceError, ValueError):
    """A deck definition is wrong: an unknown card, a wrong count or total. The message names it."""


@dataclass(frozen=True, slots=True)
class Deck:
    """A box of cards."""

    title: str  # one line for people
    plausible: bool  # whether the counts are a guess instead of counted in a real box
    brown: tuple[tuple[Brown, int], ...]  # (card, number) of every brown card
    # red, green: every card, repeated as often as it occurs
    red: tuple[Red, ...]
    green: tuple[Green, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """All 107 cards."""
        return (*(card for card, _ in self.brown), *self.red, *self.green)


def parse_deck(text: str) -> Deck:
    """Return the deck that a TOML text describes.

    It has a table for each colour; a brown card has the list of its numbers, the others a count. Raises
    DeckError if it is no TOML, names an unknown card, or its totals are not 25, 36 and 46.
    """
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise DeckError("the deck is not valid TOML: {why}", why=sentence_of(error)) from error
    keys = ("title", "plausible", *_KNOWN)
    for key in table:
        if key not in keys:
            raise DeckError("unknown key {key!r}{hint}", key=key, hint=suggestion(key, keys))
    colours = {colour: _colour(table, colour) for colour in _KNOWN}
    for colour, total in TOTALS.items():
        found = sum(map(len, colours[colour].values()))
        if found != total:
            raise DeckError(
                "the {colour} deck has {total} cards, these are {found}",
                colour=colour,
                total=total,
                found=found,
            )
    return Deck(
        title=str(table.get("title", "")),
        plausible=bool(table.get("plausible", False)),
        brown=tuple(
            (Brown(name), number) for name, numbers in colours["brown"].items() for number in numbers
        ),
        red=tuple(card for card in _repeated(colours["red"]) if isinstance(card, Red)),
        green=tuple(card for card in _repeated(colours["green"]) if isinstance(card, Green)),
    )


@cache
def plausible_deck() -> Deck:
    """Return the deck that ships with the referee; its counts are guessed."""
    return parse_deck(resources.files("referee.kendo").joinpath("decks", "plausible.toml").read_text("utf-8"))


def _colour(table: Mapping[str, Any], colour: str) -> dict[str, list[int]]:
    """Return the numbers of each card of a colour; a card without numbers gets one 0 per copy."""
    cards: dict[str, list[int]] = {}
    told = table.get(colour, {})
    if not isinstance(told, dict):
        raise DeckError("{colour} needs a table of its cards, got {told!r}", colour=colour, told=told)
    for name, value in told.items():
        if name not in _KNOWN[colour]:
            raise DeckError(
                "unknown {colour} card {name!r}{hint}",
                colour=colour,
                name=name,
                hint=suggestion(name, _KNOWN[colour]),
            )
        if colour == "brown":
            if not isinstance(value, list) or any(number not in NUMBERS for number in value):
                raise DeckError(
                    "{name} needs the list of its numbers, each 1..5, got {value!r}", name=name, value=value
                )
            cards[name] = value
        elif isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise DeckError("{name} needs a count from 0 on, got {value!r}", name=name, value=value)
        else:
            cards[name] = [0] * value
    return cards


def _repeated(cards: Mapping[str, list[int]]) -> list[Card]:
    return [parse_card(name) for name, numbers in cards.items() for _ in numbers]


def opener(numbers: tuple[int, int]) -> int | None:
    """Return the seat with the higher brown number, which opens the bout; None if equal: turn again (II)."""
    first, second = numbers
    return None if first == second else int(second > first)
