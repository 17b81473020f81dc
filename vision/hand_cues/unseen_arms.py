"""How much of the arms at a card looks like the floor: holes in the map of what lies over the field.

Skin may be as bright as the floor it lies over. A hand is then seen by its edges and its shade only, and its
fingers may hang together with the other player's hand alone: who is who is followed from picture to picture
through what both have in common (`vision.hands.player_map`), so that they pass for the other's.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.departures.departure import View
from vision.field.slots import Slot
from vision.hands.frame_map import FAR, NEAR


def unseen_mm2(slot: Slot, views: Iterable[View]) -> float:
    """Return the largest area around a card, in one of some views, that arms surround without being seen.

    Parameters
    ----------
    slot : the card's place.
    views : the pictures in question.
    """
    return max((_holes_mm2(slot, view) for view in views), default=0.0)


def _holes_mm2(slot: Slot, view: View) -> float:
    players = view.over.players
    arms = (players > 0).astype(np.uint8)
    outlines, _ = cv2.findContours(arms, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(arms)
    cv2.drawContours(filled, outlines, -1, 1, cv2.FILLED)
    count, holes = cv2.connectedComponents(filled & ~arms & 1, connectivity=4)
    beside = [cv2.dilate((players == one).astype(np.uint8), np.ones((3, 3), np.uint8)) for one in (NEAR, FAR)]
    between = np.array([all(side[holes == hole].any() for side in beside) for hole in range(count)])
    between[0] = False
    around_mm = 150.0  # of a card: a hand's length
    around = view.map_around(slot, around_mm)
    cell_mm = 1 / view.over.scale / slot.px_per_mm
    return float(np.count_nonzero(between[holes[around]])) * cell_mm**2
