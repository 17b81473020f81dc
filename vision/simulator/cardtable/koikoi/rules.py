"""The simulator's own small arithmetic of Koi-Koi: a cross-check of the referee that shares nothing with it.

Cards are numbers 0..47 = (month - 1) * 4 + slot - 1. Yaku and points are those of the club's rules of 2008.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

LIGHTS: Final = frozenset({0, 8, 28, 40, 44})
ANIMALS: Final = frozenset({4, 12, 16, 20, 24, 29, 32, 36, 41})
RIBBONS: Final = frozenset({1, 5, 9, 13, 17, 21, 25, 33, 37, 42})
_POETRY: Final = frozenset({1, 5, 9})
_BLUE: Final = frozenset({21, 33, 37})
_BOAR_DEER_BUTTERFLIES: Final = frozenset({20, 24, 36})

DEALS: Final = {2: (8, 8), 3: (7, 6), 4: (5, 6)}  # players to (cards in a hand, cards in the middle)


def month(card: int) -> int:
    """Return the month, 0 for January to 11."""
    return card // 4


def group(card: int) -> int:
    """Return the group in which a captured card is laid: 0 lights, 1 animals, 2 ribbons, 3 chaff."""
    return 0 if card in LIGHTS else 1 if card in ANIMALS else 2 if card in RIBBONS else 3


def matches(card: int, field: Iterable[int]) -> list[int]:
    """Return the field cards of the card's month."""
    return [other for other in field if month(other) == month(card)]


def is_lopsided(cards: Collection[int]) -> bool:
    """Tell whether dealt cards contain four of a month, or four pairs: such deals are not filmed."""
    counts = sorted((len(matches(card, cards)) for card in cards), reverse=True)
    return counts[0] == 4 or (len(cards) == 8 and counts == [2] * 8)


def yaku(pile: Collection[int]) -> dict[str, int]:
    cards = frozenset(pile)
    rows: dict[str, int] = {}
    lights = len(cards & LIGHTS)
    rain_man = 40
    if lights == 5:
        rows["goko"] = 10
    elif lights == 4:
        rows |= {"ame_shiko": 7} if rain_man in cards else {"shiko": 8}
    elif lights == 3 and rain_man not in cards:
        rows["sanko"] = 5
    animals = len(cards & ANIMALS)
    if cards >= _BOAR_DEER_BUTTERFLIES:
        rows["inoshikacho"] = 5 + animals - 3
    elif animals >= 5:
        rows["tane"] = animals - 4
    ribbons = len(cards & RIBBONS)
    if cards >= _POETRY | _BLUE:
        rows["akatan_aotan"] = 10 + ribbons - 6
    elif cards >= _POETRY:
        rows["akatan"] = 5 + ribbons - 3
    elif cards >= _BLUE:
        rows["aotan"] = 5 + ribbons - 3
    elif ribbons >= 5:
        rows["tan"] = ribbons - 4
    sake_cup = 32
    chaff = sum(group(card) == 3 for card in cards) + (sake_cup in cards)
    if chaff >= 10:
        rows["kasu"] = chaff - 9
    if sake_cup in cards:
        if 8 in cards:
            rows["hanamizake"] = 5
        if 28 in cards:
            rows["tsukimizake"] = 5
    return rows


def points(base: int, calls: int) -> int:
    """Return the payout of a stop: each call by anybody doubles it, more than seven points once more."""
    return (base << calls) * (2 if base > 7 else 1)
