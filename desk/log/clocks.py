"""The desk's two clocks, injected wherever time is needed.

The match clock counts nanoseconds and never jumps; every instant that matters is on it. Wall time is noted
once per event, for people.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], int]
"""Returns nanoseconds on the match clock."""
WallClock = Callable[[], str]
"""Returns wall time in ISO 8601 with the offset from UTC."""

match_clock: Clock = time.perf_counter_ns


def wall_clock() -> str:
    """Return the wall time of this machine, to the millisecond."""
    return datetime.now(UTC).astimezone().isoformat(timespec="milliseconds")
