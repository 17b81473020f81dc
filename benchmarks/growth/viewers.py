"""What a match costs by the number of those who look on."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.panel.latency import Server, play, viewers
from benchmarks.panel.viewers import STREAM
from referee.karuta.flow.events import PoemFinished

COUNTS = (0, 25, 50, 100, 200)
POEMS, ROUNDS = 4, 2
READY_WITHIN_S = 60.0
IDLE_S = 0.02
"""A server works less than this in half a second when nothing happens."""


def by_viewers() -> list[dict[str, float]]:
    """Return the server's milliseconds of the processor: per event in all, and until a ruling is in the log.

    The viewers read the stream of events, each as a page does, from a process of their own. Nobody looks on
    in the first point, which is the floor of the others.
    """
    counts: dict[int, list[tuple[float, float]]] = {count: [] for count in COUNTS}
    for _ in range(ROUNDS):
        for count, found in counts.items():
            found.append(_watched(count))
    points: list[dict[str, float]] = [
        {
            "viewers": count,
            "processor": min(processor_ms for processor_ms, _ in found),
            "ruling": min(ruling_ms for _, ruling_ms in found),
        }
        for count, found in counts.items()
    ]
    alone = {f"{key}_alone": points[0][key] for key in ("processor", "ruling")}
    return [{**point, **alone} for point in points]


def _watched(count: int) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            with viewers(STREAM, count):
                _wait_for(server, count)
                before_s = time.process_time()
                play(server, POEMS)
                time.sleep(1.0)  # the last events are still on their way
                used_s = time.process_time() - before_s
        finally:
            server.close()
    rulings_ms = [cost_ms for event, cost_ms in server.costs_ms if isinstance(event, PoemFinished)]
    return 1e3 * used_s / len(server.submitted_ms), median(rulings_ms)


def _wait_for(server: Server, count: int) -> None:
    """Wait until everybody looks on and has been told what happened before.

    Raises TimeoutError if the viewers do not come.
    """
    until_s = time.monotonic() + READY_WITHIN_S
    used_s = IDLE_S
    while server.connections < count or used_s >= IDLE_S:
        if time.monotonic() > until_s:
            raise TimeoutError(
                f"expected {count} viewers within {READY_WITHIN_S:.0f} s, got {server.connections}"
            )
        before_s = time.process_time()
        time.sleep(0.5)
        used_s = time.process_time() - before_s
