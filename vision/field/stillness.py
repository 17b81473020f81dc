"""Tell whether anything moves over the table: the cheapest look at every frame.

A frame is sampled at quarter size, smoothed, and compared with the frame a tenth of a second earlier, after
the common change of brightness (flicker, auto-exposure) is removed. The camera's noise is measured on the
way, so no threshold depends on the camera. At rest, a glance at most frames is enough
(`vision.sources.glance`).
"""

from collections import deque
from collections.abc import Sequence
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Frame, Gray
from vision.sources.glance import Calm

LAG_NS = 100_000_000  # in less time slow hands move too little to be seen against the noise
_NOISE_NS = 15_000_000  # how long the camera's noise is valid: it changes with the light
_MIN_THRESHOLD = 6.0  # gray levels; compression of a still picture changes that much
SETTLE_NS = 50_000_000
"""Rest needed in addition to the meter's own tenth of a second: hands turn round faster than this."""
RESTING_FRAMES = 8  # pictures of a field at rest that are read together


class StillnessMeter:
    """Tells how long nothing has moved.

    `still_since_ns`: since when nothing has moved; None while something moves or before the first lag.
    `last_moving_ns`: the latest instant at which something moved; None before any.
    """

    def __init__(self) -> None:
        self._region: tuple[slice, slice] | None = None
        self.still_since_ns: int | None = None
        self.last_moving_ns: int | None = None
        self._past: deque[tuple[int, NDArray[np.uint8], float]] = deque()
        self._noise: deque[float] = deque(maxlen=64)
        self._noise_at_ns, self._threshold = -_NOISE_NS, _MIN_THRESHOLD
        self._calm = Calm()

    def feed(self, frame: Frame) -> bool:
        """Look at the next frame; return True if something moved within the last tenth of a second.

        Of a frame that was only glanced at, the whole is decoded unless the glance shows what rested a moment
        ago.
        """
        glance = frame.glance
        rested = self.still_since_ns is not None
        if glance is not None and rested and self._calm.holds(glance, frame.t_ns):
            return False
        small = _sample(frame.gray if self._region is None else frame.gray[self._region], frame.gray.shape[1])
        # a few samples are enough for the mean brightness, at a tenth of the cost
        level = float(cv2.mean(small[::4, ::4])[0])
        moving = False
        if self._past:
            moving = self._differs(frame.t_ns, small, level)
            if moving:
                self.last_moving_ns = frame.t_ns
                self.still_since_ns = None
            elif self.still_since_ns is None and frame.t_ns - self._past[0][0] >= LAG_NS // 2:
                self.still_since_ns = frame.t_ns
        self._past.append((frame.t_ns, small, level))
        while len(self._past) > 1 and frame.t_ns - self._past[1][0] >= LAG_NS:
            self._past.popleft()
        if glance is not None and self.still_since_ns is not None:
            self._calm.note(glance, frame.t_ns)
        return moving

    def rests_at_a_glance(self, t_ns: int) -> bool:
        """Tell whether nothing moves at `t_ns`, and a glance at the next frame will most likely be enough."""
        return self.still_since_ns is not None and self._calm.is_worth_it(t_ns)

    def look_only_at(self, corners_px: NDArray[np.float64]) -> None:
        """From now on watch only the upright rectangle around `corners_px`, shape (N, 2)."""
        low, high = corners_px.min(axis=0), corners_px.max(axis=0)
        x0, y0 = np.maximum(np.floor(low), 0).astype(int)
        x1, y1 = np.ceil(high).astype(int)
        region = slice(int(y0), int(y1)), slice(int(x0), int(x1))
        if region != self._region:
            self._region = region
            self._past.clear()
            self._calm.look_only_at(region)

    def still_for_ns(self, t_ns: int) -> int:
        """Return for how long nothing has moved at `t_ns`, nanoseconds; 0 while something moves."""
        return 0 if self.still_since_ns is None else t_ns - self.still_since_ns

    def is_at_rest(self, t_ns: int) -> bool:
        """Tell whether nothing has moved for long enough that no hand is about to come back."""
        return self.still_for_ns(t_ns) >= SETTLE_NS

    def at_rest(self, recent: Sequence[Frame]) -> list[Frame]:
        """Return the latest frames in which nothing moved; only the last frame if something moved in all."""
        moved_ns = self.last_moving_ns or 0
        return [frame for frame in recent if frame.t_ns > moved_ns] or list(recent)[-1:]

    def _differs(self, t_ns: int, small: NDArray[np.uint8], level: float) -> bool:
        _, past, past_level = self._past[0]
        gain = level / past_level if past_level > 0 else 1.0
        if abs(gain - 1.0) > 0.004:
            past = np.asarray(cv2.convertScaleAbs(past, alpha=gain), np.uint8)
        difference = cv2.absdiff(small, past)
        if t_ns - self._noise_at_ns >= _NOISE_NS:
            self._noise_at_ns = t_ns
            # the median of |difference| of still pixels is 0.67 sigma; most are still even when hands move
            sample = difference[::5, ::5]
            middle = sample.size // 2
            self._noise.append(float(np.partition(sample, middle, axis=None)[middle]) + 0.5)
            noise_factor = 7.0
            self._threshold = max(_MIN_THRESHOLD, noise_factor * median(self._noise) / 0.67)
        _, changed = cv2.threshold(difference, self._threshold, 255, cv2.THRESH_BINARY)
        min_changed = 14  # sampled pixels: about a fingertip of a player who is not yet over the cards
        return cv2.countNonZero(changed) > min_changed


def _sample(gray: Gray, width_px: int) -> NDArray[np.uint8]:
    sample_width_px = 320
    step = max(1, round(width_px / sample_width_px))
    return np.asarray(cv2.blur(np.ascontiguousarray(gray[::step, ::step]), (3, 3)), np.uint8)
