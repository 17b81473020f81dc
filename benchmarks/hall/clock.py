"""How well a mat knows the hall's clock: over loopback, and over a way that delays by chance."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

from benchmarks.hall.floor import percentile, servers
from benchmarks.phone.poor_network import Network, Proxy
from desk.hall.clock import HallClock, answer_clock
from desk.hall.link import Link
from desk.hall.ticket import Ticket

_PORT = 24322
_ASKED_S = 20.0
_EVERY_S = 0.1
_WAYS = {
    "loopback": Network(),
    "20 ms of jitter": Network(delay_ms=5.0, jitter_ms=20.0),
}


def measure_clock(_: int) -> dict[str, Any]:
    """Return the error of the offset and what was stated, by kind of way.

    Reader and mat run on one machine and one clock, so the true offset is 0.
    """
    figures: dict[str, Any] = {}
    with servers(1, 1, _PORT) as hall:
        for name, network in _WAYS.items():
            with Proxy(hall.plan.client_port, network) as proxy:
                mat = hall.ticket("mat-01")
                if network != Network():
                    mat = replace(mat, servers=(f"tls://127.0.0.1:{proxy.port}",))
                errors, stated, half = asyncio.run(_ask(hall.ticket("reader"), mat))
            figures[f"{name}: error p50, ms"] = round(percentile(errors, 0.5), 3)
            figures[f"{name}: error p99, ms"] = round(percentile(errors, 0.99), 3)
            figures[f"{name}: stated, ms"] = round(percentile(half, 0.5), 3)
            figures[f"{name}: within"] = f"{stated} of {len(errors)}"
    return figures


async def _ask(reader: Ticket, mat: Ticket) -> tuple[list[float], int, list[float]]:
    reading, joined = Link(reader), Link(mat)
    reading.open()
    joined.open()
    await answer_clock(reading, "s")
    await reading.joined()
    await joined.joined()
    clock = HallClock(joined)
    asking = asyncio.create_task(clock.run())
    errors, half, within = list[float](), list[float](), 0
    ends_s = time.monotonic() + _ASKED_S
    while time.monotonic() < ends_s:
        await asyncio.sleep(_EVERY_S)
        if clock.is_known:
            now_ns = time.perf_counter_ns()
            laid = clock.laid_onto(now_ns)
            errors.append(abs(laid.t_ns - now_ns) / 1e6)
            half.append(laid.t_unc_ns / 1e6)
            within += abs(laid.t_ns - now_ns) <= laid.t_unc_ns
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    await reading.close()
    await joined.close()
    return errors, within, half
