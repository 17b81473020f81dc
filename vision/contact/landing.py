"""Fingers that came to rest on a card just before it moved off with the other player's hand.

They may have pressed the card first, and stay where it lay. Fingers that have hung there for longer prove
nothing. Neither does a moving hand: it is still coming, or sweeps.
"""

from __future__ import annotations

import numpy as np

from vision.contact.approach import Hands
from vision.contact.card_case import CardCase
from vision.imaging.outline_distance import outside_px


def has_landed(case: CardCase, hands: Hands, player: int) -> bool:
    """Tell whether a player's fingers rest on a card as it sets off, and have come there only lately.

    Parameters
    ----------
    case : the card, and the hands near it.
    hands : the players' maps of the poem.
    player : `NEAR` or `FAR`.
    """
    t_ns, approach = case.strike.onset.t_ns, case.approach[player]
    tips_mm = (-55.0, -15.0)  # `Approach.gap_at` of fingers that cover a card; of a palm it is less
    least_mm, most_mm = tips_mm
    if not (case.rested(player) and least_mm < approach.gap_before(t_ns) < most_mm):
        return False
    lately_ns = 60_000_000
    from_ns, first_ns = t_ns - lately_ns, float(approach.times_ns[0])
    seen = (approach.times_ns >= from_ns) & (approach.times_ns <= t_ns)
    if bool((approach.gaps_mm[seen] > 0).any()):
        return True
    if first_ns <= from_ns:
        return False
    step_ns = 40_000_000  # longest step between kept maps while anything lies over the field
    # the card's pictures do not reach back that far, but the maps are kept for longer
    kept = hands.kept_views(case.departure, from_ns - step_ns, first_ns)
    if not kept or kept[0].t_ns > from_ns:
        return True  # nothing lay over the field
    slot, cell_px = hands.field.slots[case.strike.number], 1 / hands.scale
    points = [hands.cells(view, player).points_px for view in kept]
    return any(not np.any(outside_px(each, slot.corners_px) < cell_px / 2) for each in points)
