"""Choosing karafuda: by chance, or poems that sound like the cards on the field."""

from __future__ import annotations

import random
from collections.abc import Collection

from referee.cards.kana import common_prefix
from referee.cards.poems import POEMS
from referee.sentence import Sentence


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
