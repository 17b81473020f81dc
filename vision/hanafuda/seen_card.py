"""A card's print as it is seen on the table, in the part that other cards leave visible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.hanafuda.gallery import Floats
from vision.hanafuda.pose import same_places

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
