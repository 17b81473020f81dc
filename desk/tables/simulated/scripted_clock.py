"""The clock of a simulated table: it runs at real time or faster, and stops when the pictures stop."""

from __future__ import annotations

import threading
from collections.abc import Callable

from desk.log.clocks import Clock, match_clock

_LATE_NS = 100_000_000
"""If pictures come later than this, the clock is set back to them instead of running away."""


class ScriptedClock:
    """Simulated nanoseconds at `speed`, at most an interval past the picture that was shown."""

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
        with self._lock:
            elapsed_ns = round((self._real() - self._anchor_real_ns) * self.speed)
            return min(self._anchor_ns + elapsed_ns, self._shown_ns + self._interval_ns)

    def show(self, t_ns: int) -> None:
        """Wait until the simulated time is `t_ns`, the instant of the next picture."""
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
        """Run on after a stop, without making up for the time."""
        with self._lock:
            self._anchor_ns, self._anchor_real_ns = self._shown_ns, self._real()
