"""Have the hands left the field? Asked while a poem is open, before its facts are final."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Gray
from vision.hands import Over
from vision.slots import sight_of
from vision.touches import PoemWatcher

_MIN_ARM_CELLS = 6  # of the small map: about two fingers' width of a tip


class Clearance:
    """The field as it rested, to tell arms that reach in from cards that left or lie elsewhere.

    Parameters
    ----------
    watcher : the poem's watcher, whose resting cards and floor are used.
    outline_px : corners of the field in the picture, shape (4, 2).
    """

    def __init__(self, watcher: PoemWatcher, outline_px: NDArray[np.float64]) -> None:
        self._grid = watcher.grid
        scale = watcher.map.scale
        width, height = watcher.map.size
        inside = np.zeros((height, width), np.uint8)
        outline = np.rint(outline_px * scale).astype(np.int32)
        self._inside = np.asarray(cv2.fillConvexPoly(inside, outline, 1), np.bool_)

    def cards_in_place(self, gray: Gray) -> list[bool]:
        """Tell for each slot whether its card's face is still seen where it lay, in part at least."""
        looks = self._grid.look(gray)
        return [sight_of(looks, number, 0).seen > 0 for number in range(len(self._grid.slots))]

    def hands_over_field(self, over: Over) -> bool:
        """Tell whether something that reaches in from outside the picture lies over the field."""
        arms = _from_outside(over.mask)
        return int(np.count_nonzero(arms & self._inside)) > _MIN_ARM_CELLS


def _from_outside(mask: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the regions of a mask that touch the picture's edge."""
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, regions = cv2.connectedComponents(joined)
    at_edge = np.zeros(count, np.bool_)
    for edge in (regions[:2], regions[-2:], regions[:, :2], regions[:, -2:]):
        at_edge[np.unique(edge)] = True
    at_edge[0] = False
    return np.asarray(at_edge[regions], np.bool_)
