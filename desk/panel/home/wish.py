"""What the forms of the home pages share: strict requests, and card sets from the book."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from desk.panel.book.port import BookPort, CardSet
from desk.panel.words import Words
from referee.cards.kimariji import FIRST_SOUNDS
from referee.cards.poems import POEMS

LONGEST_NAME = 60


class Wish(BaseModel):
    """A form; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SetWished(Wish):
    """A set of cards from a player's book."""

    player: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
    card_set: CardSet
    most: Annotated[int, Field(ge=1, le=100)] = 20


def cards_of(book: BookPort | None, wish: SetWished, said: Words) -> list[int] | str:
    """Return the cards of a set, or a text that says why there are none."""
    chosen = None if book is None else book.card_set(wish.player, wish.card_set, wish.most)
    if chosen is None:
        return said("The book knows no player of this name.")
    if not chosen:
        return said("The book has no such cards now: choose another set, or all cards.")
    return [card["poem"] for card in chosen]


def first_sounds() -> list[tuple[str, int]]:
    """Return every first sound and how many poems begin with it, in the order in which players learn them."""
    begun = Counter(poem.sounds[0] for poem in POEMS.values())
    return [(sound, begun[sound]) for sound in FIRST_SOUNDS]


def known_players(book: BookPort | None) -> list[str]:
    return [] if book is None else book.names()


def begun(page: str, problem: str | None, said: Words) -> JSONResponse:
    """Return the response with the page of what has begun, or with the problem that prevented it."""
    if problem is None:
        return JSONResponse({"page": page})
    return JSONResponse({"error": said.complaint(problem)}, 409)
