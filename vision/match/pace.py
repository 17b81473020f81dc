"""Measure how fast the play in a film looks, to detect slow motion that is stored stretched."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Frame

_LAG_NS = 33_000_000  # interval between compared pictures: a frame of the slowest usual film, 30 a second


class PaceMeter:
    """Measures the largest change of the picture within a thirtieth of a second.

    `peak_px`: the largest area that changed, in square pixels of the film.
    """

    def __init__(self) -> None:
        self.peak_px = 0.0
        self._past: deque[tuple[int, NDArray[np.uint8]]] = deque()

    def feed(self, frame: Frame) -> None:
        step = 2
        small = np.asarray(cv2.blur(np.ascontiguousarray(frame.gray[::step, ::step]), (5, 5)), np.uint8)
        self._past.append((frame.t_ns, small))
        while len(self._past) > 2 and frame.t_ns - self._past[1][0] >= _LAG_NS:
            self._past.popleft()
        apart_ns, past = frame.t_ns - self._past[0][0], self._past[0][1]
        if apart_ns < _LAG_NS // 2 or past.shape != small.shape:
            return
        steady_gray = 25  # gray levels: noise, compression and shade change less
        _, changed = cv2.threshold(cv2.absdiff(small, past), steady_gray, 255, cv2.THRESH_BINARY)
        area_px = cv2.countNonZero(changed) * step**2 * min(1.0, _LAG_NS / apart_ns)
        self.peak_px = max(self.peak_px, area_px)

    def is_slow(self, card_px: float) -> bool:
        """Tell whether the play looks slower than people play; `card_px` is the area of a card.

        Striking hands change an area of 5 to 18 cards; filmed 8 times slower 0 to 3.9, 4 times slower 1 to 8
        (20 simulated plays of 5 kinds, 240 pictures a second).
        """
        least_cards = 4.0
        return self.peak_px < least_cards * card_px
