"""The forms of the home pages, which refuse unknown fields, and card sets from the book."""

from collections import Counter
from typing import Annotated, Literal

from fastapi.responses import JSONResponse
from pydantic import Field

from desk.panel.book.port import BookPort, CardSet
from desk.panel.forms import Form
from desk.panel.words import Words
from referee.cards.kimariji import FIRST_SOUNDS
from referee.cards.poems import POEMS

LONGEST_NAME = 60


class SetWished(Form):
    """A set of cards from a player's book."""

    player: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
    card_set: CardSet
    most: Annotated[int, Field(ge=1, le=100)] = 20


class ReadingAgreed(Form):
    """The settings of a reading; empty `cards` mean all hundred, `joka` that the opening poem comes first."""

    voice: Annotated[str, Field(max_length=64)]
    rhythm: Annotated[str, Field(max_length=64)]
    order: Annotated[str, Field(max_length=32)]
    mode: Annotated[str, Field(max_length=64)]
    sound: Literal["here", "browser", "none"]
    cards: Annotated[str, Field(max_length=500)] = ""
    from_book: SetWished | None = None
    poems: Annotated[int, Field(ge=1, le=100)] | None = None
    by_hand: bool = False
    memorise_min: Annotated[float, Field(ge=0, le=60, allow_inf_nan=False)] = 0.0
    joka: bool = True


class PracticeAgreed(Form):
    """The settings of a practice alone; `where` is an argument of `shinpan practise`."""

    where: Annotated[str, Field(min_length=1, max_length=500)]
    player: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    from_book: SetWished | None = None
    karafuda: Annotated[int, Field(ge=0, le=75)] = 0
    voice: Annotated[str, Field(max_length=64)]
    rhythm: Annotated[str, Field(max_length=64)]
    by_hand: bool = False


class EnrolAgreed(Form):
    """The settings of an enrolment."""

    game: Literal["hanafuda", "karuta", "kendo"]
    name: Annotated[str, Field(min_length=1, max_length=64)]
    camera: Annotated[str, Field(min_length=1, max_length=500)]
    replace: bool = False


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
