"""Work for a side process; it imports nothing slow."""

import os
import time
from pathlib import Path

from desk.errors import DeskError


def number() -> int:
    return os.getpid()


def wait_for(folder: Path, name: str = "go") -> int:
    """Note the call, wait for a file, and return the process's number."""
    with (folder / "calls").open("a", encoding="utf-8") as calls:
        calls.write(f"{name}\n")
    while not (folder / name).exists():
        time.sleep(0.01)
    return os.getpid()


def refuse(text: str) -> None:
    raise DeskError(text)


def crash() -> None:
    os._exit(3)


def hold(size: int) -> int:
    """Ask for memory without touching it."""
    return len(bytearray(size))


def standing() -> tuple[int, str]:
    """Return the process's niceness, and how willingly the system ends it."""
    return os.nice(0), Path("/proc/self/oom_score_adj").read_text("ascii").strip()
