"""Decide what may have happened unseen where frames are missing from a film.

A card that is touched moves, and a card that lies as before was not touched: a hole in a film hides only what
happened to cards that left their places in it. If only one hand was near enough, the hand at such a card is
still known: it has to come from where it was before the hole to the card, and go from there to where it is
afterwards.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.field.slots import Slot
from vision.hands.frame_map import NEAR, SIDES, FrameMap
from vision.imaging.outline_distance import outside_px


@dataclass(frozen=True, slots=True, eq=False)
class Hole:
    """Two frames with others missing between them: their instants, and what lay over the field in them."""

    from_ns: int
    to_ns: int
    before: FrameMap
    after: FrameMap

    def may_have_come(self, player: int, slot: Slot) -> bool:
        """Tell whether a player's hand may have been at a card during the hole. `player`: `NEAR` or `FAR`."""
        ways_mm = [_distance_mm(over, player, slot) for over in (self.before, self.after)]
        lasted_ms = (self.to_ns - self.from_ns) / 1e6
        # Trained hands strike at 8 to 10 m/s as measured; a sweep over cards is no faster. A hand that is out
        # of view before and after turned back at the card: with even acceleration its mean speed is half its
        # highest.
        fastest_mm_per_ms = 10.0
        if sum(ways_mm) <= fastest_mm_per_ms / 2 * lasted_ms:
            return True
        is_seen = any(bool(_cells_of(over, player)[0].size) for over in (self.before, self.after))
        return is_seen and sum(ways_mm) <= fastest_mm_per_ms * lasted_ms

    def players_at(self, slot: Slot) -> set[int]:
        """Return the players whose hands may have been at a card during the hole."""
        return {player for player in SIDES if self.may_have_come(player, slot)}

    def covers(self, still_ns: int, gone_ns: int) -> bool:
        """Tell whether a card may have left during the hole.

        `still_ns`, `gone_ns`: when it was last seen in place, and first seen elsewhere.
        """
        return still_ns <= self.from_ns and self.to_ns <= gone_ns


class Steps:
    """Learns the usual time between frames, and tells where frames are missing."""

    def __init__(self) -> None:
        kept_steps = 31
        self._steps_ns: deque[int] = deque(maxlen=kept_steps)

    def note(self, step_ns: int) -> None:
        """Note the time between two frames."""
        self._steps_ns.append(step_ns)

    def are_missing(self, step_ns: int) -> bool:
        """Tell whether frames are missing between two that are this far apart."""
        few_steps = 3
        known = len(self._steps_ns) >= few_steps
        slowest_ns = 42_000_000  # a camera's step at 24 fps, before the film has shown its own
        usual_ns = float(np.median(self._steps_ns)) if known else slowest_ns
        missing_steps = 1.5  # usual steps: beyond that at least one frame is missing
        return step_ns > missing_steps * usual_ns


def _distance_mm(over: FrameMap, player: int, slot: Slot) -> float:
    """Return how far a player's nearest hand may be from a card, 0 if it lies over it.

    A hand that is not seen comes in from the player's own edge of the picture, or from a side. Arms that have
    met may be either player's.
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
    """Return the rows and columns of the map in which a player's hands may lie."""
    rows, columns = np.nonzero((over.players == player) | (over.met_ns > 0))
    return rows, columns
