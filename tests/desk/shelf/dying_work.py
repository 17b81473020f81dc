"""A stand-in for judging in a process; it imports nothing slow."""

import os
from collections.abc import Callable
from pathlib import Path

from desk.errors import DeskError


def die(folder: Path, film: Path, job: object, *, tell: Callable[..., None]) -> None:
    os._exit(3)


def answer(folder: Path, film: Path, job: object, *, tell: Callable[..., None]) -> None:
    """Say which process works, or complain about the job `bad`."""
    tell("judging", 0.5, None)
    raise DeskError("no good" if job == "bad" else str(os.getpid()))
