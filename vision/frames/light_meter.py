"""Measure how steady the light is: its ripple from picture to picture, and its change over two seconds.

Lamps ripple at twice the mains frequency, 100 or 120 times a second. A camera whose rate does not fit shows
that as pictures, or rows of pictures, that are brighter and darker by turns; if the rate nearly fits, as
bands that wander. Whatever moves on the field changes fewer places.
"""

from collections import deque

import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Frame, Glimpse

_SPAN_NS = 1_000_000_000
_KEEP_NS = 500_000_000
_KEPT = 4
_DARK = 1.0  # gray level; darker places have no light that could change


class LightMeter:
    """Measures the light of a source."""

    def __init__(self) -> None:
        self._rows: deque[NDArray[np.float64]] = deque(maxlen=3)
        self._ripples: deque[tuple[int, float]] = deque()
        self._kept: deque[NDArray[np.uint8]] = deque(maxlen=_KEPT)
        self._kept_ns: int | None = None
        self._latest: NDArray[np.uint8] | None = None

    def feed(self, frame: Frame) -> None:
        """Take in the next picture.

        If a frame has a glance, that is used even if the whole picture is decoded, so that only like is
        compared with like.
        """
        picture, t_ns = frame.picture, frame.t_ns
        gray = picture.glance if isinstance(picture, Glimpse) else picture
        rows, columns = 40, 80  # samples along y and x, enough to tell the light
        sample = gray[:: max(1, gray.shape[0] // rows), :: max(1, gray.shape[1] // columns)]
        if self._latest is not None and self._latest.shape != sample.shape:
            self._rows.clear()
            self._kept.clear()
        self._latest = sample
        if self._kept_ns is None or t_ns - self._kept_ns >= _KEEP_NS:
            self._kept.append(sample.copy())
            self._kept_ns = t_ns
        self._rows.append(sample.mean(axis=1))
        if len(self._rows) == 3:
            before, middle, after = self._rows
            bend = np.abs(middle - (before + after) / 2) / np.maximum(middle, _DARK)
            self._ripples.append((t_ns, float(np.median(bend))))
            while self._ripples[0][0] <= t_ns - _SPAN_NS:
                self._ripples.popleft()

    @property
    def ripple(self) -> float:
        """How far the light oscillates about its mean within a second, as a share of it.

        It is exact if a beat lasts three pictures, at most a third too large if it is shorter, and a third of
        the true value if a beat lasts six. Zero until some pictures have come.
        """
        fewest = 8
        if len(self._ripples) < fewest:
            return 0.0
        bends = np.array([bend for _, bend in self._ripples])
        bend_of_a_beat = 1.5  # of a sine's amplitude, three pictures to a beat
        return float(np.sqrt(2 * np.mean(bends**2))) / bend_of_a_beat

    @property
    def change(self) -> float:
        """By how much at least half of the picture became brighter or darker in two seconds, as a share."""
        if self._latest is None or len(self._kept) < _KEPT:
            return 0.0
        before, now = (np.maximum(one.astype(np.float64), _DARK) for one in (self._kept[0], self._latest))
        return float(np.expm1(np.median(np.abs(np.log(now / before)))))

    @property
    def wanders(self) -> bool:
        """Whether the light changes so much that people should mend it; steady halls stay below 0.05."""
        most_change = 0.15
        return self.change > most_change

    @property
    def is_unsteady(self) -> bool:
        """Whether the light ripples or wanders so much that people should mend it."""
        most_ripple = 0.1  # lamps on the mains have 0.25 and more where the rate does not fit
        return self.ripple > most_ripple or self.wanders
