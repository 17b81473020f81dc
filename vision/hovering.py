"""Hands that hang over cards: fingers that lie over a card that stays have not come down.

A hand that comes down moves what is below its fingers. So where both hands lie over a card as it sets off,
and beside it a card lies still below the fingers of one of them, it was the other one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from vision.approach import Hands, fingers_over
from vision.departure import Departure, View
from vision.field_model import FieldModel
from vision.over import FAR, NEAR
from vision.strikes import Strike

_REACH_MM = 180.0  # from the middle of a card to that of the farthest below the same fingers
_WHOLE_MM2 = 600.0  # covered by two fingertips: more says no more
_MOST = 1.5  # as many cards


def hovers(
    field: FieldModel, strike: Strike, departure: Departure, strikes: Mapping[int, Strike], hands: Hands
) -> float:
    """Return how many cards lay still below the far player's fingers, less those below the near player's.

    Parameters
    ----------
    field : the resting field.
    strike : the motion of the card that both players' hands are at.
    departure : the pictures around its beginning.
    strikes : the motions of all cards of the poem, by the number of their slots.
    hands : the players' maps of the poem.
    """
    views = _around(hands.views(departure, strike.onset.t_ns), strike.onset.t_ns)
    if not views:
        return 0.0
    still = [
        number
        for number, slot in enumerate(field.slots)
        if number != strike.number
        and float(np.hypot(*(slot.centre_px - field.slots[strike.number].centre_px)))
        < _REACH_MM * field.px_per_mm
        and (number not in strikes or _stays(strikes[number], strike))
    ]
    below = {
        player: sum(
            min(min(fingers_over(number, view, hands, player=player) for view in views) / _WHOLE_MM2, 1.0)
            for number in still
        )
        for player in (NEAR, FAR)
    }
    return min(below[FAR], _MOST) - min(below[NEAR], _MOST)


def _around(views: list[View], t_ns: float) -> list[View]:
    """Return the last picture before an instant and the first one after it."""
    before = [view for view in views if view.t_ns <= t_ns]
    after = [view for view in views if view.t_ns > t_ns]
    return before[-1:] + after[:1]


def _stays(other: Strike, strike: Strike) -> bool:
    """Tell whether another card surely set off later."""
    one, later = strike.onset, other.onset
    apart_ns = later.t_ns - one.t_ns
    return later.earliest_ns >= one.t_ns and apart_ns > float(np.hypot(one.t_unc_ns, later.t_unc_ns))
