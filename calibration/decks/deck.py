"""A deck of cards as data: one normalised picture per card, as a club photographs and exchanges it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.files.folders import is_device
from referee.cards import kendo
from referee.cards.hanafuda import HANAFUDA
from referee.cards.poems import POEMS
from referee.sentence import SentenceError


@dataclass(frozen=True, slots=True)
class DeckGame:
    """The properties that all decks of one game share."""

    card_ids: tuple[str, ...]  # every card that a deck can hold, in the deck's order
    card_size_mm: tuple[float, float]  # usual width and height
    kind: Callable[[str], object]  # what a card counts as; cards of one kind may look the same
    # what a card stands in for: every deck needs at least one card for each value. A card that returns its
    # own id is in every deck.
    owed: Callable[[str], str]

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


Picture = NDArray[np.uint8]  # a colour picture, shape (height, width, 3), uint8, channels blue, green, red

PIXELS_PER_MM: Final = 6
"""Scale of the normalised pictures: finer than a camera over a table sees, coarse enough to send."""
_NAME: Final = re.compile(r"\w(?:[\w -]{0,62}\w)?")


class DeckError(SentenceError, ValueError):
    """A deck or deck file is invalid; the text says what was expected and what came."""


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """One edition of a game's cards; DeckError if game, name, size or a picture are not as they should be."""

    game: str  # a key of `calibration.decks.deck.DECK_GAMES`
    name: str  # the owner's name for it: letters, digits, spaces, `-` and `_`, at most 64
    # card id to picture, in the deck's order and complete; all pictures have the shape (height, width, 3) of
    # `picture_size_px`
    pictures: Mapping[str, Picture]
    width_mm: float = 33.0
    height_mm: float = 54.0
    notes: str = ""  # where the pictures come from and who may use them

    def __post_init__(self) -> None:
        check_name(self.name)
        game = deck_game(self.game)
        cards = tuple(self.pictures)
        if game.missing(cards) or cards != game.of_this_game(cards):
            missing = ", ".join(game.missing(cards)) or "none"
            foreign = ", ".join(card for card in cards if card not in game.card_ids) or "none"
            raise DeckError(
                "a {game} deck has the cards {first} to {last} in this order; missing: {missing}; "
                "not of this game: {foreign}",
                game=self.game,
                first=game.card_ids[0],
                last=game.card_ids[-1],
                missing=missing,
                foreign=foreign,
            )
        for mm in (self.width_mm, self.height_mm):
            if not 10 <= mm <= 300:
                raise DeckError("a card measures 10 to 300 mm, got {millimetres:g} mm", millimetres=mm)
        width, height = self.picture_size_px
        for card, picture in self.pictures.items():
            if picture.shape != (height, width, 3) or picture.dtype != np.uint8:
                raise DeckError(
                    "card {card}: expected a picture of shape {shape} and type uint8, got {got} and {dtype}",
                    card=card,
                    shape=(height, width, 3),
                    got=picture.shape,
                    dtype=picture.dtype,
                )

    @property
    def picture_size_px(self) -> tuple[int, int]:
        """Width and height of every picture, pixels."""
        return picture_size_px(self.width_mm, self.height_mm)


def picture_size_px(width_mm: float, height_mm: float) -> tuple[int, int]:
    """Return width and height, pixels, of the normalised picture of a card of this size."""
    return round(width_mm * PIXELS_PER_MM), round(height_mm * PIXELS_PER_MM)


def deck_game(game: str) -> DeckGame:
    """Return what all decks of a game have in common; DeckError if the game has no known decks."""
    if game not in DECK_GAMES:
        raise DeckError(
            "decks of {game!r} are not known; known games: {games}", game=game, games=", ".join(DECK_GAMES)
        )
    return DECK_GAMES[game]


def check_name(name: str) -> None:
    """Raise DeckError if a deck cannot be called this: its name is also its file's name."""
    if not _NAME.fullmatch(name) or is_device(name):
        raise DeckError(
            "a deck's name has 1 to 64 letters, digits, spaces, '-' or '_', neither begins nor "
            "ends with a space or '-', and is no device of Windows such as con or nul, got "
            "{name!r}",
            name=name,
        )
