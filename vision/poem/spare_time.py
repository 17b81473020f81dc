"""What a thread may work between one frame and the next, so that it is not late for frames to come."""

from __future__ import annotations

import time


class SpareTime:
    """Counts the CPU time of the thread that it is made in, from frame to frame."""

    def __init__(self) -> None:
        self._began_ns = time.thread_time_ns()
        self._frame_ns: int | None = None
        self._late_ns = 0

    def frame_begins(self, t_ns: int) -> None:
        """Take note that the work for the frame of the instant `t_ns` begins.

        Frames for which nothing is worked ahead are told as well, for what they took is over with them.
        """
        now_ns = time.thread_time_ns()
        if self._frame_ns is not None:
            self._late_ns = max(0, self._late_ns + now_ns - self._began_ns - (t_ns - self._frame_ns))
        self._began_ns, self._frame_ns = now_ns, t_ns

    def ends_ns(self, step_ns: int) -> int:
        """Return until which of the thread's CPU times it may work before the next frame, `step_ns` later.

        What was worked too long for earlier frames is taken from this one's time.
        """
        busy_share = 0.9  # of the time between frames may be worked, the frames' own work among it
        return self._began_ns + round(busy_share * step_ns) - self._late_ns
