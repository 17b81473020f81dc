"""A hand that comes to rest on a card soon after the other player's hand pressed it, or a card pushed it.

The card has moved already, so its motion does not tell whether this hand touched it, too. Fingers that pass
over a card move on; fingers that come to rest on it may have touched it, since their player went for it as
well.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.contact.approach import Hands
from vision.departures.departure import Departure, View
from vision.field.slots import Slot
from vision.hands.frame_map import NEAR
from vision.imaging.outline_distance import outside_px


def rests_ns(
    slot: Slot, departure: Departure, hands: Hands, player: int, from_ns: float
) -> tuple[int, int] | None:
    """Return when a player's fingers are seen to rest on a card, from and to, nanoseconds; None if never.

    Parameters
    ----------
    slot : where the card lies.
    departure : the pictures around the beginning of its motion.
    hands : the players' maps of the poem.
    player : `NEAR` or `FAR`.
    from_ns : when the card was moved.
    """
    looked_ns, since_ns, before = 0, 0, None
    soon_ns = 300_000_000  # a hand that comes to rest later is on its way back
    look_ns = 30_000_000  # time between the maps that are examined
    least_ns = 80_000_000  # a passing hand has moved on by then
    still_mm = 6.0  # from one map to the next: 0.2 m/s
    for view in hands.kept_views(departure, from_ns, from_ns + soon_ns + least_ns + look_ns):
        t_ns = view.t_ns
        if t_ns - looked_ns < look_ns:
            continue
        looked_ns = t_ns
        tips_mm = _tips_mm(slot, view, hands, player)
        if tips_mm is None or before is None or float(np.hypot(*(tips_mm - before))) > still_mm:
            since_ns = t_ns
        elif t_ns - since_ns >= least_ns:
            return since_ns, t_ns
        before = tips_mm
    return None


def _tips_mm(slot: Slot, view: View, hands: Hands, player: int) -> NDArray[np.float64] | None:
    """Return the centre of the fingers that lie over a card, (2,) millimetres.

    None if there are none, or if their hand reaches beyond the card.
    """
    cells = hands.cells(view, player)
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
