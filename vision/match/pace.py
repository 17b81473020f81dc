"""How fast a film's play looks: what tells slow motion that was written stretched from real time."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Frame

_LAG_NS = 33_000_000
"""Pictures so far apart are compared: the slowest usual film shows as many a second."""


class PaceMeter:
    """Measures by how much the picture changes within a thirtieth of a second, at most.

    Attributes
    ----------
    peak_px : the largest area that changed, in the film's own pixels.
    """

    def __init__(self) -> None:
        self.peak_px = 0.0
        self._past: deque[tuple[int, NDArray[np.uint8]]] = deque()

    def feed(self, frame: Frame) -> None:
        """Look at the next frame."""
        step = 2
        small = np.asarray(cv2.blur(np.ascontiguousarray(frame.gray[::step, ::step]), (5, 5)), np.uint8)
        self._past.append((frame.t_ns, small))
        while len(self._past) > 2 and frame.t_ns - self._past[1][0] >= _LAG_NS:
            self._past.popleft()
        apart_ns, past = frame.t_ns - self._past[0][0], self._past[0][1]
        if apart_ns < _LAG_NS // 2 or past.shape != small.shape:
            return
        steady_gray = 25  # noise, coding and a shade change less
        _, changed = cv2.threshold(cv2.absdiff(small, past), steady_gray, 255, cv2.THRESH_BINARY)
        area_px = cv2.countNonZero(changed) * step**2 * min(1.0, _LAG_NS / apart_ns)
        self.peak_px = max(self.peak_px, area_px)

    def is_slow(self, card_px: float) -> bool:
        """Tell whether the play looks slower than people play; `card_px` is the area of a card.

        Hands that strike change 5 to 18 cards' areas; filmed 8 times slower 0 to 3.9, 4 times slower 1 to 8
        (20 simulated plays of 5 kinds, 240 pictures a second).
        """
        least_cards = 4.0
        return self.peak_px < least_cards * card_px
