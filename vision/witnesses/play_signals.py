"""Signals that two cameras of one field share before anything is known of either: light and motion."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.clocks.clock_offset import light_steps, offset_from_flash, offset_from_motion
from calibration.clocks.latency import Offset
from calibration.failure import FailedEstimation
from vision.frames.frame import Frame


class PlaySignals:
    """Records for each frame how bright its parts are, and how much has moved since the last one."""

    def __init__(self) -> None:
        self.t_ns: list[int] = []
        self._tiles: list[NDArray[np.float64]] = []
        self._moved: list[tuple[int, float]] = []
        self._recent: deque[tuple[int, NDArray[np.float32]]] = deque()

    def feed(self, frame: Frame) -> None:
        height, width = frame.gray.shape
        width_px = 160
        size = width_px, max(1, round(height * width_px / width))
        small = cv2.resize(frame.gray, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        tile_grid = (6, 8)
        rows, columns = tile_grid
        self._tiles.append(
            np.asarray(cv2.resize(small, (columns, rows), interpolation=cv2.INTER_AREA), np.float64).ravel()
        )
        # neither a change of light is motion, nor bands of rippling lamps
        middle = np.maximum(np.median(small, axis=1, keepdims=True), 1.0)
        even = np.asarray(small / middle * 100, np.float32)
        self._recent.append((frame.t_ns, even))
        lag_ns = 33_000_000  # interval between compared pictures, at any frame rate
        while len(self._recent) > 2 and frame.t_ns - self._recent[1][0] >= lag_ns:
            self._recent.popleft()
        earlier_ns, earlier = self._recent[0]
        if earlier_ns < frame.t_ns:
            # Change of brightness, hundredths, that noise and compression cause in such a small picture
            # without motion.
            steady_hundredths = 6.0
            changed = float(np.maximum(np.abs(even - earlier) - steady_hundredths, 0).mean())
            middle_ns = (frame.t_ns + earlier_ns) // 2
            self._moved.append((middle_ns, changed / (frame.t_ns - earlier_ns) * lag_ns))
        self.t_ns.append(frame.t_ns)

    @property
    def motion(self) -> tuple[list[int], list[float]]:
        """Instants, nanoseconds, and how much moved at each."""
        return [t_ns for t_ns, _ in self._moved], [moved for _, moved in self._moved]

    def offset_of(self, second: PlaySignals) -> Offset | FailedEstimation:
        """Return by how much the second camera's clock is ahead: by a flash, else by the play.

        If both fail, the answer gives both reasons.
        """
        steps = [light_steps(each.t_ns, np.array(each._tiles)) for each in (self, second)]
        flash = offset_from_flash(*steps)
        play = offset_from_motion(self.motion, second.motion)
        if not isinstance(flash, Offset):
            if isinstance(play, Offset):
                return play
            return FailedEstimation(f"{flash.reason}; {play.reason}", flash.hint)
        # if each camera saw a lamp of its own, the play contradicts the flash
        if isinstance(play, Offset) and abs(play.mean_ns - flash.mean_ns) > 3 * (play.unc_ns + flash.unc_ns):
            return play
        return flash
