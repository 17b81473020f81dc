"""Detect cards that vanish faster than a hand can cover them: they have left their places.

A block of a card is recognised or not as a whole. So an edge that just reaches a row or a column of blocks
hides all of them at once, however slow it is; that alone proves nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.field.slots import BLOCKS


def has_vanished(before: NDArray[np.bool_] | None, after: NDArray[np.bool_] | None, step_ns: int) -> bool:
    """Tell whether a card was lost from sight faster than a hand can have covered it.

    `before`, `after`: (B,), the blocks that showed its face in two pictures; None if it was not looked at and
    lay there fully visible. `step_ns`: the time between the two pictures.
    """
    whole = np.ones(BLOCKS, np.bool_).ravel()
    before, after = (whole if shown is None else shown for shown in (before, after))
    lost = (before & ~after).reshape(BLOCKS)
    rows, columns = np.count_nonzero(lost.any(axis=1)), np.count_nonzero(lost.any(axis=0))
    card_mm = 62.0  # between its width and its height
    lost_mm = np.count_nonzero(lost) / lost.size * card_mm
    fastest_mm_per_ms = 3.5  # speed of the edge of a hand that comes over a card
    return bool(min(rows, columns) > 1 and lost_mm > fastest_mm_per_ms * step_ns / 1e6)
