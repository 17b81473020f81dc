"""Progress on standard error: one line that is rewritten on a terminal, and few lines elsewhere."""

import sys
import time
from collections.abc import Callable


class ProgressLine:
    """The progress line. Call `end` before writing anything else."""

    def __init__(self) -> None:
        self._told_s, self._stage, self._is_open = 0.0, "", False

    def show(self, stage: str, rest: str) -> None:
        """Show a stage and its progress; without a terminal, only now and then."""
        now_s, every_s = time.monotonic(), 10.0
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{stage}: {rest}")
            sys.stderr.flush()
            self._is_open = True
        elif stage != self._stage or now_s - self._told_s >= every_s:
            self._told_s, self._stage = now_s, stage
            sys.stderr.write(f"{stage}: {rest}\n")

    def end(self) -> None:
        if self._is_open:
            sys.stderr.write("\r\x1b[K")
            self._is_open = False


class Counted:
    """Shows how many of `least` items or more are done, and how long the rest takes at this pace."""

    def __init__(self, what: str, least: int = 2, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._what, self._least, self._clock_s = what, least, clock_s
        self._line = ProgressLine()
        self._began_s = clock_s()

    def __call__(self, done: int, total: int) -> None:
        if done == 0:
            self._began_s = self._clock_s()  # an earlier stage of the work is no part of this pace
        if total < self._least:
            return
        if done == total:
            self._line.end()
            return
        spent_s = self._clock_s() - self._began_s
        known = done > 0 and spent_s >= 1.0
        left = time_left(spent_s * (total - done) / done if known else None)
        self._line.show(self._what, f"{done} of {total}{left}")


def time_left(seconds: float | None) -> str:
    """Return the remaining time as text with a comma before it; empty if it is not known."""
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f", {hours} h {minutes:02d} min left"
    return f", {minutes} min {rest:02d} s left" if minutes else f", {rest} s left"
