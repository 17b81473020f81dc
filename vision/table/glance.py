"""Find what has come to lie still in one place while something moves elsewhere, each content once."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Gray
from vision.plane.table_plane import VIEW_TO_MM, TablePlane
from vision.plane.zones import Zone
from vision.table.stillness import MOVED, QUIET_NS, TableStillness


class TableGlance:
    """Watches some zones of a table; see `new`."""

    def __init__(self, zones: Sequence[Zone], card_mm: tuple[float, float]) -> None:
        self._zones = zones
        self._card_mm2 = card_mm[0] * card_mm[1]
        self._plane: TablePlane | None = None
        self._mask: NDArray[np.bool_] | None = None
        self._shown: Gray | None = None
        self._looked_ns: NDArray[np.int64] | None = None
        self._latest: NDArray[np.bool_] | None = None

    def remember(self, small: Gray) -> None:
        """Mark everything that is shown as read."""
        self._shown = small.copy()
        self._looked_ns = np.zeros(small.shape, np.int64)
        self._latest = None

    def forget(self) -> None:
        """Return nothing until the table is read again: the light shows everything otherwise."""
        self._shown = None

    def told(self, small: Gray) -> None:
        """Mark the latest returned places as read, since a card was reported there."""
        if self._shown is not None and self._latest is not None:
            self._shown[self._latest] = small[self._latest]

    def new(self, stillness: TableStillness, t_ns: int, plane: TablePlane, width_px: int) -> Gray | None:
        """Return a mask of the view from above where something new lies still, or None.

        `stillness`: has seen the latest frame.
        """
        small = stillness.small
        if self._shown is None or self._looked_ns is None or not self._zones:
            return None
        change = np.abs(small.astype(np.int16) - self._shown)
        # lamps drift, and bright paper with them, so slow changes are followed
        slow = change <= MOVED
        self._shown[slow] = small[slow]
        scale = np.diag([small.shape[1] / width_px] * 2 + [1.0])
        fresh = (change > MOVED) & stillness.quiet(t_ns - QUIET_NS) & self._where(plane, small, scale)
        card_px = self._card_mm2 * (scale[0, 0] * plane.px_per_mm) ** 2
        # what has not moved since it was examined is the same as then
        stirred = fresh & ~stillness.quiet(self._looked_ns)
        min_card = 0.3
        if np.count_nonzero(fresh) < min_card * card_px or not stirred.any():
            return None
        count, parts, stats, _ = cv2.connectedComponentsWithStats(fresh.astype(np.uint8), connectivity=8)
        areas = stats[:, cv2.CC_STAT_AREA] / card_px
        stirs = np.bincount(parts[stirred], minlength=count) / card_px
        # Largest area, in cards, of something new: a card that hides another one, or a pair; not an arm.
        max_card = 2.5
        # Least area, in cards, that has moved since a place was examined: a hand that lets go of a card
        # uncovers some of it.
        min_stirred = 0.15
        sized = [n for n in range(1, count) if min_card < areas[n] < max_card and stirs[n] >= min_stirred]
        if not sized:
            return None
        self._latest = np.isin(parts, sized)
        self._looked_ns[self._latest] = t_ns
        mask = cv2.warpPerspective(
            self._latest.astype(np.uint8) * np.uint8(255),
            scale @ plane.to_px @ VIEW_TO_MM,
            plane.view_size_px,
            flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP,
        )
        # Pixels of the view from above by which a place is widened: a card is a little larger than its
        # change.
        around_px = 7
        return np.asarray(cv2.dilate(mask, np.ones((2 * around_px + 1,) * 2, np.uint8)), np.uint8)

    def _where(self, plane: TablePlane, small: Gray, scale: NDArray[np.float64]) -> NDArray[np.bool_]:
        if self._mask is None or self._plane is not plane:
            filled = np.zeros(small.shape, np.uint8)
            for zone in self._zones:
                left, top, right, bottom = zone.rect
                corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)
                cv2.fillConvexPoly(filled, np.rint(plane.pixels(corners) * scale[0, 0]).astype(np.int32), 255)
            self._plane, self._mask = plane, filled > 0
        return self._mask
