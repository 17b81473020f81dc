"""How soon `shinpan recite` sounds, and how much memory it and its helpers take.

    uv run python -m benchmarks.recitation.start [-- ARGUMENTS OF RECITE]

Prints the instant of the first sound after the start of this process, the processor time until it was told,
and the memory (proportional set size) of the process and its children. Needs Linux.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import desk.reciter.terminal
from desk.commands.cli import main as shinpan
from recitation.playback.reports import PhraseStarted, Report

_TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Read one poem and leave at its first sound."""
    boot_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.perf_counter_ns()
    began_ns = int(_stat(os.getpid())[19]) * 1_000_000_000 // _TICKS - boot_ns
    told = desk.reciter.terminal.told

    def told_and_measured(report: Report) -> str:
        if isinstance(report, PhraseStarted):
            processes = [os.getpid(), *_children(os.getpid())]
            print(f"first sound after {(report.t_ns - began_ns) / 1e9:.2f} s")
            print(f"processor time {sum(map(_cpu_s, processes)):.2f} s")
            print(f"memory {sum(map(_memory_mib, processes)):.0f} MiB", flush=True)
            os._exit(0)  # what follows the first sound is not measured
        return told(report)

    desk.reciter.terminal.told = told_and_measured
    shinpan(["recite", "--seed", "1", "--poems", "1", *sys.argv[1:]])


def _children(pid: int) -> list[int]:
    found = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return [other for other in found if int(_stat(other)[1]) == pid]


def _cpu_s(pid: int) -> float:
    user, system = _stat(pid)[11:13]
    return (int(user) + int(system)) / _TICKS


def _memory_mib(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _stat(pid: int) -> list[str]:
    """Return the fields of a process's state after its name; a process that has left has a parent of 0."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()
    except OSError:
        return ["X", *["0"] * 40]


if __name__ == "__main__":
    main()
