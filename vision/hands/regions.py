"""The connected regions of what lies over the field, and the edge from which each one comes in."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.hands.frame_map import FAR, NEAR, NOBODY, STRANGER


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """The connected regions of a mask; there are R regions, and number 0 is the field itself."""

    number: NDArray[np.int32]  # (h, w), the region of each pixel
    joined: NDArray[np.uint8]  # (h, w), the mask with its smallest gaps closed
    owner: NDArray[np.uint8]  # (R,), the player from whose edge alone a region comes in, else `NOBODY`
    # (R,), whether it reaches neither edge, or holds arms of both players or of a stranger
    contested: NDArray[np.bool_]
    # (R,), whether it reaches both edges, or has swallowed a part that was the other player's
    meets: NDArray[np.bool_]
    through: NDArray[np.bool_]
    strange: NDArray[np.bool_]  # (R,), whether a stranger's arm is in it
    sizes: NDArray[np.int32]  # (R,), pixels

    @classmethod
    def of(cls, mask: NDArray[np.uint8], min_area: int, before: NDArray[np.uint8]) -> Regions:
        """Cut a mask into its regions; those below `min_area` pixels belong to nobody.

        `before` is the players' map of the previous frame, without regions that reached both edges. It tells
        the owner of a hand whose sleeve looks like the floor: that hand reaches no edge, and is still its
        player's after the other player's arm has met it.
        """
        joined = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
        _, found, stats, _ = cv2.connectedComponentsWithStats(joined)
        number = np.asarray(found, np.int32)
        top, tall, area = stats[:, cv2.CC_STAT_TOP], stats[:, cv2.CC_STAT_HEIGHT], stats[:, cv2.CC_STAT_AREA]
        counts = area >= min_area
        counts[0] = False
        at_top, at_bottom = top <= 1, top + tall >= mask.shape[0] - 1
        alone, through = counts & (at_top != at_bottom), np.asarray(counts & at_top & at_bottom)
        owner = np.where(alone, np.where(at_top, FAR, NEAR), NOBODY).astype(np.uint8)
        swallowed_regions = 5  # a part of a hand as large as this many fingertips
        swallowed = _swallowed(number, owner, before, swallowed_regions * min_area)
        # a player's arm that a stranger's has met keeps its own cells
        strange = counts & (np.bincount(number[before == STRANGER], minlength=len(owner)) >= min_area)
        owner[swallowed | strange] = NOBODY
        return cls(
            number,
            joined,
            owner,
            np.asarray((counts & ~alone) | swallowed | strange),
            np.asarray(through | swallowed),
            through,
            np.asarray(strange),
            np.asarray(area, np.int32),
        )

    def without(self, labels: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Tell which regions hold no labelled pixel, (R,)."""
        return np.asarray(np.bincount(self.number.ravel(), (labels > 0).ravel(), len(self.owner)) == 0)

    def largest_meeting(self) -> NDArray[np.bool_]:
        """Return the largest region that reaches both edges, (h, w)."""
        return np.asarray(self.number == (self.sizes * self.meets).argmax())

    def met_since(self, before_ns: NDArray[np.int64], t_ns: int) -> NDArray[np.int64]:
        """Return since when each pixel's region has held arms of both players, (h, w); 0 if it does not."""
        since_ns = np.zeros(self.number.shape, np.int64)
        for region in np.flatnonzero(self.meets):
            inside = self.number == region
            earlier = before_ns[inside]
            met = earlier > 0
            since_ns[inside] = earlier[met].min() if met.any() else t_ns
        return since_ns


def _swallowed(
    number: NDArray[np.int32], owner: NDArray[np.uint8], before: NDArray[np.uint8], least: int
) -> NDArray[np.bool_]:
    """Tell which regions of one player hold most of a part that was the other player's; (R,).

    Parameters
    ----------
    number, owner : see `Regions`.
    before : (h, w), the owner of each pixel in the previous frame.
    least : smallest part, pixels, that is no splinter.
    """
    found = np.zeros(len(owner), np.bool_)
    for player, other in ((NEAR, FAR), (FAR, NEAR)):
        if not (owner == other).any():
            continue
        was = before == player
        if np.count_nonzero(was) < least:
            continue
        count, part = cv2.connectedComponents(was.astype(np.uint8))
        # how much of each part lies in each region now
        pairs = np.bincount(part[was] * len(owner) + number[was], minlength=count * len(owner))
        inside = pairs.reshape(count, len(owner))
        total = inside.sum(axis=1, keepdims=True)
        # of a part that was a player's: least share in the other's region, and most share still in his own
        held_share, left_share = 0.6, 0.1
        lost = (total >= least) & (inside[:, owner == player].sum(axis=1, keepdims=True) < left_share * total)
        found |= ((inside > held_share * total) & lost).any(axis=0) & (owner == other)
    return found
