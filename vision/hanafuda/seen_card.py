"""A card's print as it is seen on the table, in the part that other cards leave visible."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.hanafuda.gallery import Floats
from vision.hanafuda.pose import SAME_MM, same_places

MIN_VISIBLE: Final = 0.2  # least visible share of a card that is searched for


@dataclass(frozen=True, slots=True, eq=False)
class SeenCard:
    """A card's print on the table."""

    pose: NDArray[np.float64]  # shape (3,), as `vision.hanafuda.pose.Poses`, the card's own upper end up
    best: int  # index of the most similar card of the gallery
    likeness: Floats  # shape (K,), correlation of the visible part with every card of the gallery, -1..1
    visible: float  # share of the card that no other card covers, 0..1


def is_whole(card: SeenCard) -> bool:
    """Tell whether most of a card seems to be visible."""
    return card.visible > 1 - MIN_VISIBLE


def is_same_place(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Tell whether two poses are at one place, with either end up."""
    return bool(same_places(one[None], other[None]).all())


@dataclass(frozen=True, slots=True, eq=False)
class PlacedCard:
    """A card on the table."""

    card: int | None  # index in the gallery, None if its print does not tell
    seen: SeenCard
    covered: bool  # nothing of it is visible; it lay here when it was last seen
    confidence: float  # 0..1
    sure: bool = True  # half of it was visible, or two readings with less agreed
    wholly: bool = False  # half of it was visible where it lies, now or before
    layer: int = 0  # the higher, the later it came to lie here


def still_there(seen: SeenCard, before: Iterable[PlacedCard]) -> PlacedCard | None:
    """Return the card that is seen where it lay before, None if nothing like it lay there."""
    same_rad = 0.15  # two readings of one card's direction differ by less
    # How much less like a card a print may be than like the most similar one, to be still that card in its
    # place.
    most_behind = 0.1
    for card in before:
        turned = float(card.seen.pose[2] - seen.pose[2] + np.pi) % (2 * np.pi) - np.pi
        if card.card is None or _away_mm(card.seen, seen) > SAME_MM or abs(turned) > same_rad:
            continue
        if seen.likeness[card.card] > seen.likeness.max() - most_behind:
            return replace(card, seen=seen, covered=False)
    return None


def is_same(card: PlacedCard, other: PlacedCard) -> bool:
    """Tell whether two readings show one card in one place."""
    return card.card == other.card and is_in_place(card, other)


def is_in_place(card: PlacedCard, other: PlacedCard) -> bool:
    """Tell whether a card lies where another one does."""
    return _away_mm(card.seen, other.seen) < SAME_MM


def is_among(card: PlacedCard, cards: Iterable[PlacedCard]) -> bool:
    return any(card.card == other.card for other in cards)


def numbers_of(cards: Iterable[PlacedCard]) -> list[int]:
    """Return the named cards' indices in the gallery."""
    return [card.card for card in cards if card.card is not None]


def is_sliver(card: PlacedCard) -> bool:
    """Tell whether little or nothing of a card is visible."""
    return card.covered or not card.wholly


def _away_mm(one: SeenCard, other: SeenCard) -> float:
    return float(np.linalg.norm(one.pose[:2] - other.pose[:2]))
