"""The order in which the poems are read, and the karafuda among them; both follow from a seed."""

import random
from collections.abc import Collection
from enum import StrEnum

from recitation.reading.phrase import JOKA
from referee.cards.kimariji import FIRST_SOUNDS, kimariji
from referee.cards.poems import POEMS, common_prefix
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

    `seed`: used by SHUFFLE and RANDOM only. `poems`: those in play; their sequence does not matter. `count`:
    how many poems to read; None reads as many as are in play.
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
    if order is Order.RANDOM:
        return tuple(dice.choices(deck, k=wanted))
    if order is Order.SHUFFLE:
        dice.shuffle(deck)
    elif order is Order.KIMARIJI:
        deck.sort(key=lambda number: (FIRST_SOUNDS.index(kimariji(number)[0]), kimariji(number)))
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


def karafuda(cards: Collection[int], count: int, seed: int, confusable: float = 0.0) -> frozenset[int]:
    """Choose poems that are read although their cards are not in play.

    Raises ValueError if there are not enough other poems, or `confusable` is not in 0..1.

    `cards`: poems whose cards are in play. `confusable`: part of the poems, 0..1, chosen for sharing the
    longest beginning with a card in play; the rest is chosen by chance.
    """
    others = sorted(POEMS.keys() - set(cards))
    if not 0 <= count <= len(others):
        raise ValueError(
            Sentence(
                "expected 0..{most} karafuda beside {cards} cards, got {count}",
                most=len(others),
                cards=len(set(cards)),
                count=count,
            )
        )
    if not 0.0 <= confusable <= 1.0:
        raise ValueError(f"confusable must be 0..1, got {confusable:g}")
    dice = random.Random(seed)
    dice.shuffle(others)  # so that chance decides between equally similar poems
    alike = sorted(others, key=lambda poem: -_shared_sounds(poem, cards))[: round(confusable * count)]
    rest = [poem for poem in others if poem not in alike]
    return frozenset(alike + rest[: count - len(alike)])


def _shared_sounds(poem: int, cards: Collection[int]) -> int:
    own = POEMS[poem].sounds
    return max((len(common_prefix(own, POEMS[card].sounds)) for card in cards), default=0)
