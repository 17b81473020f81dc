"""Fingers that came to rest on a card just before it went with the other player's hand.

They may have pressed it first, and stay where it lay. Those that hang there for longer prove nothing, nor
does a hand that moves: it still comes, or sweeps.
"""

from __future__ import annotations

import numpy as np

from vision.contact.approach import Hands
from vision.contact.card_case import CardCase
from vision.imaging.outline_distance import outside_px


def has_landed(case: CardCase, hands: Hands, player: int) -> bool:
    """Tell whether a player's fingers rest on a card as it sets off, and came there lately.

    Parameters
    ----------
    case : the card, and who was near it.
    hands : the players' maps of the poem.
    player : `NEAR` or `FAR`.
    """
    t_ns, approach = case.strike.onset.t_ns, case.approach[player]
    tips_mm = (-55.0, -15.0)  # what fingers cover of a card, as `Approach.gap_at` says it; a palm covers more
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
    step_ns = 40_000_000  # between kept pictures, at most, where anything lies over the field
    # the pictures around its beginning do not reach so far back; what lay over the field is kept for longer
    kept = hands.kept_views(case.departure, from_ns - step_ns, first_ns)
    if not kept or kept[0].t_ns > from_ns:
        return True  # nothing did
    slot, cell_px = hands.field.slots[case.strike.number], 1 / hands.scale
    points = [hands.cells(view, player).points_px for view in kept]
    return any(not np.any(outside_px(each, slot.corners_px) < cell_px / 2) for each in points)
