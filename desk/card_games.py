"""The card games that are played at a table: to add one, add its `CardGame` here."""

from typing import Any, Final

from desk.errors import DeskError
from desk.kendo.card_game import KENDO
from desk.koikoi.card_game import KOIKOI
from desk.tables.card_game import CardGame

CARD_GAMES: Final[dict[str, CardGame[Any]]] = {game.name: game for game in (KOIKOI, KENDO)}


def card_game(name: str) -> CardGame[Any]:
    """Return the card game of this name; DeskError if there is none."""
    game = CARD_GAMES.get(name)
    if game is None:
        known = ", ".join(("karuta", *CARD_GAMES))
        raise DeskError("there is no game {name!r}: expected one of {known}", name=name, known=known)
    return game
