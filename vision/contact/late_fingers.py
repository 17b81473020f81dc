"""Fingers that reach a card after it set off: of the hand that drove it along, or of the other player.

Cards of a row lie a millimetre apart, so the struck card drives the next one before the fingers get there. A
row is heavy and slower than the hand, so the fingers catch up with it. A hand that comes down on cards is
seen deep over each card it touches, and a hand that sweeps into a card at its edge touches it before any
other card does. So if the front of the hand has only just come to a card as it sets off, and another card was
behind it, that card pushed it, and the fingers reach it once their front has gone far enough.

Whether the other player's hand touched a card that was pressed or pushed, its motion does not tell. Fingers
that pass over it move on; fingers that come to rest on it may have touched it.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.contact.approach import Hands
from vision.departures.departure import Departure, View
from vision.hand_cues.speed import hand_velocity
from vision.hands.frame_map import NEAR
from vision.imaging.outline_distance import outside_px
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


def rests_ns(strike: Strike, departure: Departure, hands: Hands, player: int) -> tuple[int, int] | None:
    """Return when a player's fingers are seen to rest on a card soon after it moved, from and to, ns."""
    looked_ns, since_ns, before, from_ns = 0, 0, None, strike.onset.t_ns
    soon_ns = 300_000_000  # a hand that comes to rest later is on its way back
    look_ns = 30_000_000  # time between the maps that are examined
    least_ns = 80_000_000  # a passing hand has moved on by then
    still_mm = 6.0  # from one map to the next: 0.2 m/s
    for view in hands.kept_views(departure, from_ns, from_ns + soon_ns + least_ns + look_ns):
        t_ns = view.t_ns
        if t_ns - looked_ns < look_ns:
            continue
        looked_ns = t_ns
        tips_mm = _tips_mm(strike.number, view, hands, player)
        if tips_mm is None or before is None or float(np.hypot(*(tips_mm - before))) > still_mm:
            since_ns = t_ns
        elif t_ns - since_ns >= least_ns:
            return since_ns, t_ns
        before = tips_mm
    return None


def _tips_mm(number: int, view: View, hands: Hands, player: int) -> NDArray[np.float64] | None:
    """Return the centre of the fingers that lie over a card, (2,) millimetres.

    None if there are none, or if their hand reaches beyond the card.
    """
    slot, cells = hands.field.slots[number], hands.cells(view, player)
    if not len(cells.rows):
        return None
    cell_mm = 1 / hands.scale / slot.px_per_mm
    inside = outside_px(cells.points_px, slot.corners_px) / slot.px_per_mm < cell_mm / 2
    inside &= hands.ends(view, player)
    fingers_mm2 = 400.0  # of the card, below a fingertip and more
    if np.count_nonzero(inside) * cell_mm**2 < fingers_mm2:
        return None
    _, parts = cv2.connectedComponents((hands.players(view) == player).astype(np.uint8))
    part = parts[cells.rows, cells.columns]
    y_px = cells.points_px[np.isin(part, part[inside]), 1]
    beyond_px = slot.centre_px[1] - y_px.min() if player == NEAR else y_px.max() - slot.centre_px[1]
    beyond_mm = 70.0  # from the card's centre: a hand that reaches farther rests elsewhere
    if beyond_px > beyond_mm * slot.px_per_mm:
        return None
    return np.asarray(cells.points_px[inside].mean(axis=0) / slot.px_per_mm)
