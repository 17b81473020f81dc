"""Measure how long a thread may work between two frames without being late for the next."""

from __future__ import annotations

import time


class SpareTime:
    """Counts the CPU time, frame by frame, of the thread that creates it."""

    def __init__(self) -> None:
        self._began_ns = time.thread_time_ns()
        self._frame_ns: int | None = None
        self._late_ns = 0

    def frame_begins(self, t_ns: int) -> None:
        """Note that the work for the frame at `t_ns` begins.

        Call it for every frame, even if nothing is worked ahead: what earlier frames took is settled here.
        """
        now_ns = time.thread_time_ns()
        if self._frame_ns is not None:
            self._late_ns = max(0, self._late_ns + now_ns - self._began_ns - (t_ns - self._frame_ns))
        self._began_ns, self._frame_ns = now_ns, t_ns

    def ends_ns(self, step_ns: int) -> int:
        """Return the thread's CPU time at which to stop before the next frame, `step_ns` later.

        Time overrun in earlier frames is subtracted.
        """
        busy_share = 0.9  # of the time between frames, including the work for the frames themselves
        return self._began_ns + round(busy_share * step_ns) - self._late_ns
