"""What a thread may work between one frame and the next, so that it is not late for frames to come."""

from __future__ import annotations

import time

_BUSY_SHARE = 0.9  # of the time between frames may be worked, the frames' own work among it


class SpareTime:
    """Counts the CPU time of the thread that it is made in, from frame to frame."""

    def __init__(self) -> None:
        self._busy_since_ns = time.thread_time_ns()
        self._late_ns = 0

    def ends_ns(self, step_ns: int) -> int:
        """Return until which of the thread's CPU times it may work before the next frame, `step_ns` later.

        What was worked too long for earlier frames is taken from this one's time.
        """
        return self._busy_since_ns + round(_BUSY_SHARE * step_ns) - self._late_ns

    def frame_over(self, step_ns: int) -> None:
        """Take note that all is done for a frame that lasts `step_ns`."""
        busy_ns = time.thread_time_ns() - self._busy_since_ns
        self._late_ns = max(0, self._late_ns + busy_ns - step_ns)
        self._busy_since_ns += busy_ns
