"""Tell left hand from right while both hands of a player are over the field: the left one lies left.

A single arm tells nothing: players turn and lean with it, and from above a right arm that reaches to the left
looks like a left arm that does.
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
    """Tells which hands made a poem's contacts; results are kept by picture."""

    def __init__(self) -> None:
        self._arms: dict[tuple[FrameMap, Side], list[_Arm]] = {}

    def hand_at(self, slot: Slot, side: Side, views: Iterable[View], t_ns: float) -> Hand | None:
        """Return which hand of a player touched a card.

        `views`: pictures around the contact, with the players' maps.

        Returns: None if only one hand is over the field, or if the pictures disagree.
        """
        around_ns = 60_000_000
        near_by = (view.over for view in views if abs(view.t_ns - t_ns) < around_ns)
        told = {hand for hand in (self._hand_in(slot, side, over) for over in near_by) if hand is not None}
        return told.pop() if len(told) == 1 else None

    def _hand_in(self, slot: Slot, side: Side, over: FrameMap) -> Hand | None:
        if (over, side) not in self._arms:
            arm_mm = 160.0  # heads that lean over the edge, and resting hands, reach in less far
            self._arms[over, side] = _arms_of(over, side, arm_mm * slot.px_per_mm * over.scale)
        arms = self._arms[over, side]
        if len(arms) < 2:
            return None
        beside_mm = 40.0  # largest distance of a hand from the card it touches
        reach_px = beside_mm * slot.px_per_mm
        at_card = [arm for arm in arms if outside_px(arm.points_px, slot.corners_px).min() < reach_px]
        if len(at_card) != 1:
            return None
        hand = at_card[0]
        others = [arm for arm in arms if arm is not hand]
        apart_mm = 150.0  # wider than a sleeve, since an arm as dark as the table shows as two outlines
        apart_px = apart_mm * slot.px_per_mm
        if all(hand.is_left_of(other, apart_px) for other in others):
            return Hand.LEFT if side is Side.NEAR else Hand.RIGHT
        if all(other.is_left_of(hand, apart_px) for other in others):
            return Hand.RIGHT if side is Side.NEAR else Hand.LEFT
        return None


@dataclass(frozen=True, slots=True, eq=False)
class _Arm:
    points_px: NDArray[np.float64]  # (N, 2), centres of its cells in the frame
    # middle_x, edge_x: horizontal place of the whole arm, and of where it comes in, pixels of the frame
    middle_x: float
    edge_x: float

    def is_left_of(self, other: _Arm, apart_px: float) -> bool:
        return min(other.middle_x - self.middle_x, other.edge_x - self.edge_x) > apart_px


def _arms_of(over: FrameMap, side: Side, least_cells: float) -> list[_Arm]:
    """Return a player's arms that come in from the edge and reach in by at least `least_cells`."""
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
