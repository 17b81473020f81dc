"""A deck of cards as data: one normalised picture per card, as a club photographs and exchanges it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.cards.hanafuda import HANAFUDA

Picture = NDArray[np.uint8]
"""A colour picture, shape (height, width, 3), uint8, channels blue, green, red."""

CARD_IDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({"hanafuda": tuple(HANAFUDA)})
"""The games whose decks can be enrolled, and the ids of their cards in the order of the deck."""
CARD_SIZE_MM: Final[Mapping[str, tuple[float, float]]] = MappingProxyType({"hanafuda": (33.0, 54.0)})
"""Usual width and height of a game's cards."""
PIXELS_PER_MM: Final = 6
"""Scale of the normalised pictures: finer than any camera over a table sees, coarse enough to send round."""
_NAME: Final = re.compile(r"\w(?:[\w -]{0,62}\w)?")


class DeckError(ValueError):
    """A deck or deck file that is not what it should be; its text says what was expected and what came."""


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """One edition of a game's cards.

    Attributes
    ----------
    game : a key of `CARD_IDS`.
    name : what its owner calls it: letters, digits, spaces, `-` and `_`, at most 64.
    pictures : card id to picture, every card of the game in the deck's order; all pictures have the
        shape (height, width, 3) of `picture_size_px`.
    width_mm, height_mm : size of a card.
    notes : where the pictures come from and who may use them.

    Raises
    ------
    DeckError
        Where the game is unknown, the name cannot be a file's name, or a picture is missing or misshapen.
    """

    game: str
    name: str
    pictures: Mapping[str, Picture]
    width_mm: float = 33.0
    height_mm: float = 54.0
    notes: str = ""

    def __post_init__(self) -> None:
        check_name(self.name)
        wanted = game_card_ids(self.game)
        if tuple(self.pictures) != wanted:
            missing = ", ".join(card for card in wanted if card not in self.pictures) or "none"
            foreign = ", ".join(card for card in self.pictures if card not in wanted) or "none"
            raise DeckError(
                f"a {self.game} deck has the {len(wanted)} cards {wanted[0]} to {wanted[-1]} in this order; "
                f"missing: {missing}; not of this game: {foreign}"
            )
        for millimetres in (self.width_mm, self.height_mm):
            if not 10 <= millimetres <= 300:
                raise DeckError(f"a card measures 10 to 300 mm, got {millimetres:g} mm")
        width, height = self.picture_size_px
        for card, picture in self.pictures.items():
            if picture.shape != (height, width, 3) or picture.dtype != np.uint8:
                raise DeckError(
                    f"card {card}: expected a picture of shape {(height, width, 3)} and type uint8, "
                    f"got {picture.shape} and {picture.dtype}"
                )

    @property
    def picture_size_px(self) -> tuple[int, int]:
        """Width and height of every picture."""
        return picture_size_px(self.width_mm, self.height_mm)


def picture_size_px(width_mm: float, height_mm: float) -> tuple[int, int]:
    """Return width and height of the normalised picture of a card of this size."""
    return round(width_mm * PIXELS_PER_MM), round(height_mm * PIXELS_PER_MM)


def game_card_ids(game: str) -> tuple[str, ...]:
    """Return the ids of a game's cards in the deck's order; DeckError where decks of it are unknown."""
    if game not in CARD_IDS:
        raise DeckError(f"decks of {game!r} are not known; known games: {', '.join(CARD_IDS)}")
    return CARD_IDS[game]


def check_name(name: str) -> None:
    """Raise DeckError where a deck cannot be called this, for a deck's name is its file's name."""
    if not _NAME.fullmatch(name):
        raise DeckError(
            f"a deck's name has 1 to 64 letters, digits, spaces, '-' or '_' and neither begins nor ends with "
            f"a space or '-', got {name!r}"
        )
