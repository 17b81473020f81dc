"""The games whose decks can be enrolled: their cards, sizes, and which cards count as the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from referee.cards import kendo
from referee.cards.hanafuda import HANAFUDA
from referee.cards.poems import POEMS


@dataclass(frozen=True, slots=True)
class DeckGame:
    """The properties that all decks of one game share."""

    card_ids: tuple[str, ...]  # every card that a deck can hold, in the deck's order
    card_size_mm: tuple[float, float]  # usual width and height
    kind: Callable[[str], object]  # what a card counts as; cards of one kind may look the same
    # what a card stands in for: every deck needs at least one card for each value. A card that returns its
    # own id is in every deck.
    owed: Callable[[str], str]

    @property
    def is_fixed(self) -> bool:
        """Whether all decks hold the same cards."""
        return all(self.owed(card) == card for card in self.card_ids)

    def card_of(self, written: str) -> str:
        """Return the id of a card that a list names by id, or by number in the deck's order from 0."""
        if written in self.card_ids or not written.isdecimal() or int(written) >= len(self.card_ids):
            return written
        return self.card_ids[int(written)]

    def missing(self, cards: Sequence[str]) -> tuple[str, ...]:
        """Return what a deck of these cards lacks, in the deck's order."""
        there = {self.owed(card) for card in cards if card in self.card_ids}
        return tuple(dict.fromkeys(need for need in map(self.owed, self.card_ids) if need not in there))

    def of_this_game(self, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the cards that belong to this game, each once and in the deck's order."""
        return tuple(card for card in self.card_ids if card in set(cards))


def _hanafuda_kind(card: str) -> tuple[int, str]:
    """Count a month's chaff cards as one."""
    return HANAFUDA[card].month, HANAFUDA[card].category


def _kendo_kind(card: str) -> str:
    """Count brown cards that differ only in their number as one: they are played alike."""
    return card.rstrip("12345").rstrip("-") if kendo.face(card).number else card


DECK_GAMES: Final[Mapping[str, DeckGame]] = MappingProxyType(
    {
        "hanafuda": DeckGame(tuple(HANAFUDA), (33.0, 54.0), _hanafuda_kind, str),
        "karuta": DeckGame(tuple(map(str, POEMS)), (52.0, 73.0), str, str),
        # the numbers of brown cards differ from box to box, so one of each kind is enough
        "kendo": DeckGame(kendo.FACES, (63.0, 88.0), _kendo_kind, _kendo_kind),
    }
)
