"""Whether a hall loses, doubles or delays anything, whatever breaks; with real servers on loopback.

`uv run --extra hall python -m benchmarks.hall [ROW ...] [--json OUT]`

`bursts`: 100 mats make a step of the rules at the same instant, again and again. `leader`, `single`: a server
is killed (SIGKILL) in the middle. `absent`: one mat has no link for an hour's play. `tournament`: from the
draw to the winner, against a second count. `crashes`: desks, board, reader and server are killed at many
moments (`SHINPAN_CRASHES`: how often, 200; `SHINPAN_CRASH_CYCLE`: once in so many seconds, 10;
`SHINPAN_CRASH_SEED`: other moments, 62).
"""

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.command import write_json
from benchmarks.hall.crashes import kill_again_and_again
from benchmarks.hall.floor import Arrivals, Floor, Schedule, percentile, servers
from benchmarks.hall.tournament import play_tournament

BURSTS = Schedule(mats=100, bursts=25, every_s=1.0)
FAILURE = Schedule(mats=30, bursts=40, every_s=0.5)
ABSENT = Schedule(mats=60, bursts=30, every_s=0.7, absent="mat-001", absent_until=15, backlog=3000)
_PORT = 24222
_KILLED_AT_S, _DOWN_S = 5.1, 3.0


def bursts(nodes: int) -> dict[str, Any]:
    """Return what 100 mats' synchronised steps cost."""
    arrivals = _run(BURSTS, nodes)
    # what idle links cost in the second between two bursts is in it
    spent = {f"CPU a burst, {who}, ms": round(s / BURSTS.bursts * 1e3) for who, s in arrivals.cpu_s.items()}
    return _figures(BURSTS, arrivals) | spent


def killed(nodes: int) -> dict[str, Any]:
    """Return what the loss of a server costs: the leader of three, or the only one."""
    arrivals = _run(FAILURE, nodes, kill=True)
    figures = _figures(FAILURE, arrivals)
    killed_ns = arrivals.begins_ns + round(_KILLED_AT_S * 1e9)
    arrived = [
        (written + delay - killed_ns) / 1e9
        for written, delay in zip(arrivals.written_ns, arrivals.delay_ns, strict=True)
        if written + delay > killed_ns and delay > 1e9
    ]
    # the last entry that came more than a second late: from then on the board was right again
    figures["board right after the kill, s"] = round(max(arrived, default=0.0), 2)
    return figures


def absent(_: int) -> dict[str, Any]:
    """Return what a mat costs the others that comes back after an hour of play."""
    arrivals = _run(ABSENT, 1)
    figures = _figures(ABSENT, arrivals)
    back_ns = arrivals.begins_ns + round(ABSENT.absent_until * ABSENT.every_s * 1e9)
    rows = list(zip(arrivals.mat, arrivals.written_ns, arrivals.delay_ns, strict=True))
    caught_up = [
        written + delay - back_ns
        for mat, written, delay in rows
        if mat == ABSENT.absent and written < back_ns
    ]
    figures["caught up after, s"] = round(max(caught_up, default=0) / 1e9, 2)
    for name, wanted in (("before", False), ("after", True)):
        delays = [
            delay / 1e6
            for mat, written, delay in rows
            if mat != ABSENT.absent and (written >= back_ns - 10**8) is wanted
        ]
        figures[f"p99 of the others {name}, ms"] = round(percentile(delays, 0.99), 1)
    return figures


def _run(schedule: Schedule, nodes: int, *, kill: bool = False) -> Arrivals:
    with servers(nodes, max(100, schedule.mats), _PORT) as hall:
        floor = Floor(hall, schedule)
        floor.begin()
        if kill:
            leader = hall.leader()
            floor.wait_until(_KILLED_AT_S)
            leader.kill()
            time.sleep(_DOWN_S)
            leader.start()
        return floor.end()


def _figures(schedule: Schedule, arrivals: Arrivals) -> dict[str, Any]:
    delays = arrivals.delays_ms(schedule.absent)
    return {
        "mats": schedule.mats,
        "events": schedule.entries,
        "lost": schedule.entries - len(arrivals.delay_ns),
        "doubled": arrivals.doubled,
        "refused": arrivals.refused,
        "p50, ms": round(percentile(delays, 0.5), 1),
        "p99, ms": round(percentile(delays, 0.99), 1),
        "load": round(os.getloadavg()[0], 1),
    }


ROWS = {
    "bursts": (bursts, 1),
    "bursts3": (bursts, 3),
    "leader": (killed, 3),
    "single": (killed, 1),
    "absent": (absent, 1),
    "tournament": (play_tournament, 1),
    "crashes": (kill_again_and_again, 1),
}


def main() -> int:
    """Print the figures of the rows that were asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"any of {', '.join(ROWS)} (default: all)")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there, too")
    arguments = parser.parse_args()
    unknown = [row for row in arguments.rows if row not in ROWS]
    if unknown:
        parser.error(f"expected any of {', '.join(ROWS)}, got {unknown[0]!r}")
    figures: dict[str, Any] = {}
    for name in arguments.rows or ROWS:
        measure, nodes = ROWS[name]
        figures[name] = measure(nodes)
        told = ", ".join(f"{what} {value}" for what, value in figures[name].items())
        sys.stdout.write(f"{name} ({nodes} server{'s' * (nodes > 1)}): {told}\n")
        sys.stdout.flush()
    write_json(arguments.json, figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
