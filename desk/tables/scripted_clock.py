"""The clock of a simulated hall: it runs at real time or faster, and stands still when the pictures do."""

from __future__ import annotations

import threading
from collections.abc import Callable

from desk.log.clocks import Clock, match_clock

_LATE_NS = 100_000_000
"""When pictures come later than this, the hall's time slows down rather than running away from them."""


class HallClock:
    """Simulated nanoseconds, tied to the pictures that were shown.

    Attributes
    ----------
    speed : simulated seconds per real second.
    late_ns : by how much the picture shown last came too late, in real time.

    Parameters
    ----------
    interval_ns : simulated time between pictures; the clock runs no further than this past the latest one.
    real : the real clock; `sleep` : waits for real seconds and returns early when the hall closes.
    """

    def __init__(
        self, speed: float, interval_ns: int, sleep: Callable[[float], object], real: Clock = match_clock
    ) -> None:
        self.speed = speed
        self.late_ns = 0
        self._interval_ns = interval_ns
        self._sleep = sleep
        self._real = real
        self._lock = threading.Lock()
        self._shown_ns = 0
        self._anchor_ns = 0
        self._anchor_real_ns = real()

    def __call__(self) -> int:
        """Return the hall's time."""
        with self._lock:
            elapsed_ns = round((self._real() - self._anchor_real_ns) * self.speed)
            return min(self._anchor_ns + elapsed_ns, self._shown_ns + self._interval_ns)

    def show(self, t_ns: int) -> None:
        """Wait until the hall's time is `t_ns`, the instant of the next picture."""
        due_ns = self._anchor_real_ns + round((t_ns - self._anchor_ns) / self.speed)
        wait_ns = due_ns - self._real()
        if wait_ns > 0:
            self._sleep(wait_ns / 1e9)
        with self._lock:
            self.late_ns = max(0, -wait_ns)
            if self.late_ns > _LATE_NS:
                self._anchor_ns, self._anchor_real_ns = t_ns, self._real()
            self._shown_ns = t_ns

    def go_on(self) -> None:
        """Start again after the hall stood still, without making up for the time."""
        with self._lock:
            self._anchor_ns, self._anchor_real_ns = self._shown_ns, self._real()
