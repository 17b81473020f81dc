"""Find stretches in which a card table was not seen.

Pictures were lost, the camera stalled, something blocked the view, or light or blur let nothing be read.
"""

from __future__ import annotations

from collections import deque
from statistics import median_low

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane.table_plane import TablePlane
from vision.table.glance import QUIET_NS
from vision.table.stillness import MOVED, TableStillness


class TableHoles:
    """Feed it every frame after the stillness; see `feed`."""

    def __init__(self) -> None:
        self._last_ns: int | None = None
        self._rested = False
        pace_pictures = 31  # pictures whose median step is the film's usual one: about a second
        self._paces_ns: deque[int] = deque(maxlen=pace_pictures)
        self._shown: NDArray[np.uint8] | None = None
        self._blocked_ns: int | None = None
        self._plane: TablePlane | None = None
        self._mask: NDArray[np.bool_] | None = None

    def remember(self, small: NDArray[np.uint8]) -> None:
        """Remember a picture of the table as it was just read."""
        self._shown = small.copy()

    def feed(
        self, t_ns: int, stillness: TableStillness, plane: TablePlane | None, width_px: int
    ) -> tuple[int, int] | None:
        """Return the stretch that ends with this frame and in which cards may have moved unseen, or None.

        If the table rests after lost pictures just as it rested before, it was not touched: two equal
        pictures enclose the stretch. What lies still for less than `QUIET_NS` is not examined anyway.

        `t_ns`: instant of the frame. `stillness`: has seen the frame. `plane`: the table's plane, None while
        unknown. `width_px`: width of the frames.
        """
        last_ns, self._last_ns = self._last_ns, t_ns
        rested, self._rested = self._rested, stillness.still_since_ns is not None and not stillness.arms
        if last_ns is None:
            return None
        usual_ns = median_low(self._paces_ns) if self._paces_ns else t_ns - last_ns
        self._paces_ns.append(t_ns - last_ns)
        blocked = self._unblocked(t_ns, last_ns, stillness, plane, width_px)
        if blocked is not None:
            return blocked
        # Steps, relative to the usual one, from which a picture is missing; half a step is the clock's own
        # jitter.
        lacking_steps = 1.5
        is_hole = t_ns - last_ns > max(QUIET_NS, lacking_steps * usual_ns)
        return (last_ns, t_ns) if is_hole and not (rested and self._rested) else None

    def _unblocked(
        self, t_ns: int, last_ns: int, stillness: TableStillness, plane: TablePlane | None, width_px: int
    ) -> tuple[int, int] | None:
        """Return the start and end of a blocked view that has just become free, else None."""
        if self._rested or not self._is_blocked(stillness, plane, width_px):
            since_ns, self._blocked_ns = self._blocked_ns, None
            return None if since_ns is None or t_ns - since_ns <= QUIET_NS else (since_ns, t_ns)
        if self._blocked_ns is None:
            self._blocked_ns = last_ns
        return None

    def _is_blocked(self, stillness: TableStillness, plane: TablePlane | None, width_px: int) -> bool:
        small = stillness.small
        if plane is None or self._shown is None or self._shown.shape != small.shape:
            return False
        if self._mask is None or self._plane is not plane:
            filled = np.zeros(small.shape, np.uint8)
            width, height = plane.size_mm
            corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
            outline = plane.pixels(corners) * small.shape[1] / width_px
            cv2.fillConvexPoly(filled, np.rint(outline).astype(np.int32), 255)
            self._plane, self._mask = plane, filled > 0
        now, shown = small[self._mask].astype(np.float32), self._shown[self._mask].astype(np.float32)
        # Share of the table's area that must differ for the view to count as blocked, if its correlation with
        # the last reading is low as well. The arms of four players who reach in at once cover less (four
        # times 75 mm by 300 mm of a table of 800 mm by 560 mm are a fifth).
        blocked_share = 0.5
        if np.count_nonzero(np.abs(now - shown) > MOVED) <= blocked_share * len(now):
            return False
        # a switched lamp, or a camera that corrects its exposure, leaves the picture's structure unchanged
        spread = float(now.std() * shown.std())
        alike = float(((now - now.mean()) * (shown - shown.mean())).mean()) / spread if spread else 0.0
        return alike < blocked_share


class Unreadable:
    """Times in which nothing can be read, since the light is unsteady or the picture blurred; see `feed`.

    `since_ns`: since when; the first frame counts.
    """

    def __init__(self) -> None:
        self.is_on = False
        self.since_ns = 0
        self._last_ns: int | None = None

    def feed(self, t_ns: int, *, is_on: bool) -> tuple[int, int] | None:
        """Return a stretch in which nothing can be read, both as it begins and as it ends; else None.

        The beginning is told at once: what people say from then on does not concern the table as it lay.

        `is_on`: whether it cannot be read.
        """
        last_ns, self._last_ns = self._last_ns, t_ns
        if last_ns is None:
            self.since_ns = last_ns = t_ns
        if is_on == self.is_on:
            return None
        self.is_on = is_on
        from_ns = last_ns if is_on else self.since_ns
        self.since_ns = t_ns
        return from_ns, t_ns
