"""Cards that touch each other: those of a row lie a millimetre or two apart, and one drives the next."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

import numpy as np

from vision.field.slots import Slot
from vision.imaging.outline_distance import outside_px


def row_of(slots: Sequence[Slot], number: int, among: Collection[int]) -> list[int]:
    """Return a card and those of `among` that touch it, directly or through others, nearest first."""
    row = [number]
    for one in row:
        row += [other for other in among if other not in row and are_touching(slots[one], slots[other])]
    return row


@lru_cache(maxsize=4096)  # the same rows are asked for often
def are_touching(one: Slot, other: Slot) -> bool:
    """Tell whether two cards lie edge to edge."""
    middles_px = other.centre_px - one.centre_px
    farthest_mm = 100.0  # between centres: more than a card's diagonal
    if float(middles_px @ middles_px) > (farthest_mm * one.px_per_mm) ** 2:
        return False
    apart_px = np.concatenate(
        [outside_px(one.corners_px, other.corners_px), outside_px(other.corners_px, one.corners_px)]
    )
    # within this gap, a card that is pushed reaches the next one in a few milliseconds
    touching_mm = 6.0
    return float(apart_px.min()) < touching_mm * one.px_per_mm
