"""How many commands a machine may give: a bucket that fills again."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

COMMANDS_PER_S, BURST = 20.0, 60
"""Nobody taps faster than ten times a second, and a browser that plays sound reports a few times a second."""
_MOST_HOSTS = 1024


class Allowance:
    """The commands that each machine has left.

    Parameters
    ----------
    now_s : the clock by which the buckets fill.
    """

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def takes(self, host: str) -> bool:
        """Take one command off a machine's allowance; False where nothing is left of it."""
        now_s = self._now_s()
        left, since_s = self._left.pop(host, (float(BURST), now_s))
        left = min(BURST, left + (now_s - since_s) * COMMANDS_PER_S)
        self._left[host] = (left - 1 if left >= 1 else left), now_s
        if len(self._left) > _MOST_HOSTS:
            self._left.popitem(last=False)
        return left >= 1
