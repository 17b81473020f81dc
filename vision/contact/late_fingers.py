"""Estimate when fingers reach a card that another card pushed before them.

Cards of a row lie a millimetre apart, so the struck card drives the next one before the fingers get there. A
row is heavy and slower than the hand, so the fingers catch up with it. A hand that comes down on cards is
seen deep over each card it touches, and a hand that sweeps into a card at its edge touches it before any
other card does. So if the front of the hand has only just come to a card as it sets off, and another card was
behind it, that card pushed it, and the fingers reach it once their front has gone far enough.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.contact.approach import Hands
from vision.departures.departure import Departure, View
from vision.hand_cues.speed import hand_velocity
from vision.launch.strikes import Strike

REACHED_NS = 25_000_000  # fingers that reach a pushed card at all do so within this time
CAUGHT_UP_UNC_NS = 14_000_000
"""Half width of `caught_up_ns`: a leading thumb is seen earlier, cards that run ahead are reached later."""


def caught_up_ns(
    strike: Strike, pushers: Sequence[Strike], departure: Departure, hands: Hands, player: int
) -> float:
    """Return how long after a pushed card set off a player's fingers reached it, nanoseconds; 0 if at once.

    `pushers` are the cards that may have pushed it.
    """
    pushes_ns = 8e6  # a driven card meets the next one, a millimetre or two ahead, within this time
    if not any(strike.onset.t_ns - one.onset.t_ns < pushes_ns for one in pushers):
        return 0.0
    slot = hands.field.slots[strike.number]
    velocity_px = hand_velocity(slot, departure)
    speed = 0.0 if velocity_px is None else float(np.hypot(*velocity_px)) / slot.px_per_mm
    slowest_mm_per_ms = 0.5  # the path of a slower hand is not known well enough
    if velocity_px is None or speed < slowest_mm_per_ms:
        return 0.0
    way = velocity_px / np.hypot(*velocity_px)
    seen = [(view.t_ns, _front_mm(strike.number, view, hands, player, way)) for view in departure.views]
    shown = [(float(t_ns), front_mm) for t_ns, front_mm in seen if front_mm is not None]
    if len(shown) < 2:
        return 0.0
    front_mm = float(np.interp(strike.onset.t_ns, *np.array(shown).T))
    # How far past a card's rear edge the hand's front is seen as it touches the card, since shade and a thumb
    # lead. Median of some hundred simulated cards that were pushed and then reached.
    ahead_mm = 22.0
    return float(np.clip((ahead_mm - front_mm) / speed * 1e6, 0.0, REACHED_NS))


def _front_mm(number: int, view: View, hands: Hands, player: int, way: NDArray[np.float64]) -> float | None:
    """Return how far a hand's front has come past the rear edge of a card's place, along its path.

    None if no fingers are seen in line with the card.
    """
    slot = hands.field.slots[number]
    aside = np.array([-way[1], way[0]])
    points_mm = (hands.cells(view, player).points_px - slot.centre_px) / slot.px_per_mm
    corners_mm = (slot.corners_px - slot.centre_px) / slot.px_per_mm
    across_mm, along_mm = points_mm @ aside, points_mm @ way
    least_mm, most_mm = (corners_mm @ aside).min(), (corners_mm @ aside).max()
    inside = hands.ends(view, player) & (across_mm > least_mm) & (across_mm < most_mm)
    around_mm = 150.0  # a hand whose front is farther away does not belong to this card
    inside &= np.abs(points_mm).max(axis=1, initial=0.0) < around_mm
    return float(along_mm[inside].max() - (corners_mm @ way).min()) if inside.any() else None
