"""Rate limit of commands per client: a token bucket."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

COMMANDS_PER_S, BURST = 20.0, 60
"""Rate and burst: people tap ten times a second at most; a browser that plays sound reports a few times."""
_MOST_HOSTS = 1024


class Allowance:
    """The commands that each client has left. `now_s`: clock that refills the buckets."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def takes(self, host: str) -> bool:
        """Take one command off a client's allowance; False if none is left."""
        now_s = self._now_s()
        left, since_s = self._left.pop(host, (float(BURST), now_s))
        left = min(BURST, left + (now_s - since_s) * COMMANDS_PER_S)
        self._left[host] = (left - 1 if left >= 1 else left), now_s
        if len(self._left) > _MOST_HOSTS:
            self._left.popitem(last=False)
        return left >= 1
