"""What may have happened unseen while frames were lost: nobody's hand comes and goes in so short a time."""

from __future__ import annotations

import numpy as np

from vision.over import FAR, NEAR, Over

_LONG_NS = 60_000_000
_COMES_NS = 80_000_000  # a hand that comes in after one picture and reaches a card is seen in the next


def hides_a_hand(before: Over, after: Over, lost_ns: int) -> bool:
    """Tell whether a hand may have done something unseen between two pictures.

    What one player's arm did alone is seen by what it left, only less exactly when. Where both players' arms
    are over the field, or had the time to come and go, whose hand it was is not known.

    Parameters
    ----------
    before, after : what lay over the field in both pictures.
    lost_ns : the time between them.
    """
    if lost_ns <= _LONG_NS:
        return False
    both = all(bool(np.any(before.players == one) or np.any(after.players == one)) for one in (NEAR, FAR))
    return both or lost_ns > _COMES_NS
