"""The order in which the poems are read. It follows from a seed, so that every order is reproducible."""

from __future__ import annotations

import random
from collections.abc import Collection
from enum import StrEnum

from recitation.reading.phrase import JOKA
from referee.cards.kimariji import FIRST_SOUNDS, kimariji
from referee.cards.poems import POEMS
from referee.sentence import Sentence, SentenceError


class Order(StrEnum):
    """How an order is made."""

    SHUFFLE = "shuffle"  # every poem once, shuffled by the seed
    RANDOM = "random"  # drawn with replacement: a poem may come again at any time
    NUMBER = "number"  # by the poem's number in the Hyakunin Isshu
    KIMARIJI = "kimariji"
    """By first sound in the order players learn (mu-su-me-fu-sa-ho-se ...), similar poems side by side."""


class OrderError(SentenceError, ValueError):
    """An order is not possible; the message says what was expected."""


def reading_order(
    order: Order, seed: int, poems: Collection[int] = tuple(POEMS), count: int | None = None
) -> tuple[int, ...]:
    """Return the numbers of the poems in the order of reading.

    Raises OrderError if a number is not a poem's or occurs twice, or if `count` cannot be met.

    Parameters
    ----------
    seed : used by SHUFFLE and RANDOM only.
    poems : the poems in play, each 1..100 and given once; their sequence does not matter.
    count : how many poems to read; None reads as many as are in play.
    """
    deck = _checked(poems)
    wanted = len(deck) if count is None else count
    if wanted < 1 or (order is not Order.RANDOM and wanted > len(deck)):
        raise OrderError(
            "expected to read 1..{deck} poems of the {deck} in play, got {wanted}",
            deck=len(deck),
            wanted=wanted,
        )
    dice = random.Random(seed)
    match order:
        case Order.RANDOM:
            return tuple(dice.choices(deck, k=wanted))
        case Order.SHUFFLE:
            dice.shuffle(deck)
        case Order.KIMARIJI:
            deck.sort(key=_as_players_learn)
        case Order.NUMBER:
            pass
    return tuple(deck[:wanted])


def _checked(poems: Collection[int]) -> list[int]:
    deck = sorted(poems)
    strangers = [number for number in deck if number not in POEMS]
    if strangers:
        joka = Sentence(" (the joka is switched on and off by itself)") if JOKA in strangers else ""
        raise OrderError(
            "expected poem numbers 1..100, got {strangers}{joka}", strangers=strangers, joka=joka
        )
    doubles = sorted({number for number in deck if deck.count(number) > 1})
    if doubles:
        raise OrderError("expected each poem once, but these came again: {doubles}", doubles=doubles)
    if not deck:
        raise OrderError("expected at least one poem to read, got none")
    return deck


def _as_players_learn(number: int) -> tuple[int, str]:
    sounds = kimariji(number)
    return FIRST_SOUNDS.index(sounds[0]), sounds
