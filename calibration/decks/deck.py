"""A deck of cards as data: one normalised picture per card, as a club photographs and exchanges it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.decks.games import DECK_GAMES, DeckGame
from calibration.files.folders import is_device
from referee.sentence import SentenceError

Picture = NDArray[np.uint8]  # a colour picture, shape (height, width, 3), uint8, channels blue, green, red

PIXELS_PER_MM: Final = 6
"""Scale of the normalised pictures: finer than a camera over a table sees, coarse enough to send."""
_NAME: Final = re.compile(r"\w(?:[\w -]{0,62}\w)?")


class DeckError(SentenceError, ValueError):
    """A deck or deck file is invalid; the text says what was expected and what came."""


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """One edition of a game's cards.

    Raises DeckError if the game is unknown, the name cannot be a file's name, or a picture is missing or
    misshapen.
    """

    game: str  # a key of `calibration.decks.games.DECK_GAMES`
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
        for millimetres in (self.width_mm, self.height_mm):
            if not 10 <= millimetres <= 300:
                raise DeckError(
                    "a card measures 10 to 300 mm, got {millimetres:g} mm", millimetres=millimetres
                )
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
