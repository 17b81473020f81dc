"""What may have happened unseen between two frames that are farther apart than a film's usually are.

A card that is touched moves, and a card that lies as it lay was not touched: a hole in a film hides only what
happened to cards that left their places in it. Such a card tells by itself whose hand it was where only one
hand was near enough: a hand has to come from where it was seen before the hole to the card, and from there to
where it is seen afterwards.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.field.slots import Slot
from vision.hands.frame_map import NEAR, SIDES, FrameMap
from vision.imaging.outline_distance import outside_px

FASTEST_MM_PER_MS = 10.0
"""The fastest blows of trained hands are measured at 8 to 10 m/s; a sweep over cards is no faster."""
TURNING_MM_PER_MS = FASTEST_MM_PER_MS / 2
"""A hand that is out of view before and afterwards turned back at the card: braked and sped up evenly, it is
half as fast on the way as where it is fastest.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Hole:
    """Two frames between which others are missing: their instants, and what lay over the field in them."""

    from_ns: int
    to_ns: int
    before: FrameMap
    after: FrameMap

    def may_have_come(self, player: int, slot: Slot) -> bool:
        """Tell whether a player's hand may have been at a card within the hole.

        Parameters
        ----------
        player : `NEAR` or `FAR`.
        slot : where the card lay.
        """
        ways_mm = [_distance_mm(over, player, slot) for over in (self.before, self.after)]
        lasted_ms = (self.to_ns - self.from_ns) / 1e6
        if sum(ways_mm) <= TURNING_MM_PER_MS * lasted_ms:
            return True
        is_seen = any(bool(_cells_of(over, player)[0].size) for over in (self.before, self.after))
        return is_seen and sum(ways_mm) <= FASTEST_MM_PER_MS * lasted_ms

    def players_at(self, slot: Slot) -> set[int]:
        """Return the players whose hands may have been at a card within the hole."""
        return {player for player in SIDES if self.may_have_come(player, slot)}

    def covers(self, still_ns: int, gone_ns: int) -> bool:
        """Tell whether a card may have left within the hole.

        Parameters
        ----------
        still_ns, gone_ns : when it was last seen in place, and first seen elsewhere.
        """
        return still_ns <= self.from_ns and self.to_ns <= gone_ns


class Steps:
    """Learns how far apart a film's frames usually are, and tells where some are missing."""

    def __init__(self) -> None:
        kept_steps = 31
        self._steps_ns: deque[int] = deque(maxlen=kept_steps)

    def note(self, step_ns: int) -> None:
        """Take note of the time between two frames."""
        self._steps_ns.append(step_ns)

    def are_missing(self, step_ns: int) -> bool:
        """Tell whether others are missing between two frames that are so far apart."""
        few_steps = 3
        known = len(self._steps_ns) >= few_steps
        slowest_ns = 42_000_000  # a camera's usual step, 24 a second, before a film has shown its own
        usual_ns = float(np.median(self._steps_ns)) if known else slowest_ns
        missing_steps = 1.5  # times the usual step between frames: at least one more was to come
        return step_ns > missing_steps * usual_ns


def _distance_mm(over: FrameMap, player: int, slot: Slot) -> float:
    """Return how far a player's nearest hand may be from a card, 0 where it lies over it.

    A hand that is not seen comes in from the player's own edge of the picture, or from one of its sides. Of
    arms that have met it is not known whose is where.
    """
    height, width = over.shape_px[:2]
    corners = slot.corners_px
    own_edge = height - corners[:, 1].max() if player == NEAR else corners[:, 1].min()
    found_px = [own_edge, corners[:, 0].min(), width - corners[:, 0].max()]
    rows, columns = _cells_of(over, player)
    if len(rows):
        cell_px = 1 / over.scale
        found_px.append(float(outside_px(over.middles_px(rows, columns), corners).min()) - cell_px)
    return max(0.0, float(min(found_px))) / slot.px_per_mm


def _cells_of(over: FrameMap, player: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows and columns of the map that a player's hands may lie in."""
    rows, columns = np.nonzero((over.players == player) | (over.met_ns > 0))
    return rows, columns
