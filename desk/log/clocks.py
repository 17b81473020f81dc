"""The desk's two clocks; both are passed in wherever time is needed.

The match clock counts nanoseconds and never jumps; all rulings use it. Wall time is logged once per event,
for people only.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], int]  # returns nanoseconds on the match clock
WallClock = Callable[[], str]  # returns wall time in ISO 8601 with the offset from UTC

match_clock: Clock = time.perf_counter_ns


def wall_clock() -> str:
    return datetime.now(UTC).astimezone().isoformat(timespec="milliseconds")


def name_stamp(wall: str) -> str:
    """Return an instant of a `WallClock` for names: letters, digits and `_`, such as `20260104_193000125`."""
    return wall[:23].translate(str.maketrans("T", "_", "-:."))


def instant_of(wall: str) -> datetime:
    """Return the instant of a wall time; one without an offset is taken as this machine's."""
    return datetime.fromisoformat(wall).astimezone(UTC)
