"""Left or right: told where both hands of a player are over the field, for then the left one lies left.

How a single arm comes in tells nothing: players turn and lean with it, and from above a right arm that
reaches to the left looks like a left arm that reaches to the left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.facts import Hand
from referee.sides import Side
from vision.departures.departure import View
from vision.field.slots import Slot
from vision.hands.frame_map import FAR, NEAR, FrameMap
from vision.imaging.outline_distance import outside_px


class HandSides:
    """Tells the hands of a poem's contacts; what it finds in a picture is kept."""

    def __init__(self) -> None:
        self._arms: dict[tuple[FrameMap, Side], list[_Arm]] = {}

    def hand_at(self, slot: Slot, side: Side, views: Iterable[View], t_ns: float) -> Hand | None:
        """Return which hand of a player touched a card.

        Parameters
        ----------
        slot : where the card lay.
        side : the player.
        views : pictures around the contact, with the players' maps.
        t_ns : the contact.

        Returns
        -------
        Hand or None
            None where only one hand is over the field, or where the pictures do not agree.
        """
        around_ns = 60_000_000
        near_by = (view.over for view in views if abs(view.t_ns - t_ns) < around_ns)
        told = {hand for hand in (self._hand_in(slot, side, over) for over in near_by) if hand is not None}
        return told.pop() if len(told) == 1 else None

    def _hand_in(self, slot: Slot, side: Side, over: FrameMap) -> Hand | None:
        if (over, side) not in self._arms:
            arm_mm = 160.0  # heads that lean over the edge, and hands that rest there, reach in less far
            self._arms[over, side] = _arms_of(over, side, arm_mm * slot.px_per_mm * over.scale)
        arms = self._arms[over, side]
        if len(arms) < 2:
            return None
        beside_mm = 40.0  # between the hand and the card it touches
        reach_px = beside_mm * slot.px_per_mm
        at_card = [arm for arm in arms if outside_px(arm.points_px, slot.corners_px).min() < reach_px]
        if len(at_card) != 1:
            return None
        hand = at_card[0]
        others = [arm for arm in arms if arm is not hand]
        apart_mm = 150.0  # wider than a sleeve: an arm as dark as the table shows as two outlines
        apart_px = apart_mm * slot.px_per_mm
        if all(hand.is_left_of(other, apart_px) for other in others):
            return Hand.LEFT if side is Side.NEAR else Hand.RIGHT
        if all(other.is_left_of(hand, apart_px) for other in others):
            return Hand.RIGHT if side is Side.NEAR else Hand.LEFT
        return None


@dataclass(frozen=True, slots=True, eq=False)
class _Arm:
    """An arm over the field.

    Attributes
    ----------
    points_px : (N, 2), its cells' middles in the frame.
    middle_x, edge_x : where it lies in the frame from left to right, as a whole and where it comes in.
    """

    points_px: NDArray[np.float64]
    middle_x: float
    edge_x: float

    def is_left_of(self, other: _Arm, apart_px: float) -> bool:
        return min(other.middle_x - self.middle_x, other.edge_x - self.edge_x) > apart_px


def _arms_of(over: FrameMap, side: Side, least_cells: float) -> list[_Arm]:
    """Return a player's arms that come in from the edge and reach in by at least so many cells."""
    own = (over.players == (NEAR if side is Side.NEAR else FAR)).astype(np.uint8)
    count, number, boxes, _ = cv2.connectedComponentsWithStats(own)
    arms = []
    edge_cells = 2
    for one in range(1, count):
        if boxes[one, cv2.CC_STAT_HEIGHT] < least_cells:
            continue
        rows, columns = np.nonzero(number == one)
        from_edge = len(own) - 1 - rows if side is Side.NEAR else rows
        at_edge = from_edge < edge_cells
        if at_edge.any():
            points_px = over.middles_px(rows, columns)
            x_px = points_px[:, 0]
            arms.append(_Arm(points_px, float(x_px.mean()), float(x_px[at_edge].mean())))
    return arms
