"""One damaged input, given to a command or a page under watch: what it may neither do nor say."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import traceback
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.hostile.files import Target, lay

LONGEST_S, WAITING_S = 10, 60
"""How long an input may compute, and how long it may take on a machine that has other work."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
Problem = tuple[str, str]
"""What kind of problem, and its text."""


class HangError(BaseException):
    """An input took too long; no command may catch it."""


class Watch:
    """Notes what a process opens to write, and where it connects to."""

    def __init__(self, root: Path) -> None:
        self._root = f"{root}{os.sep}"
        self.seen: list[Problem] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, details: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(details[0], str) and (details[2] or 0) & _WRITING:
            path = os.path.realpath(details[0])
            if not path.startswith((self._root, "/dev/")):
                self.seen.append(("escape", path))
        elif event == "socket.connect":
            host = str(details[1][0]) if isinstance(details[1], tuple) else ""
            if host not in {"", "127.0.0.1", "::1", "localhost"}:
                self.seen.append(("connection", host))


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Let what computes or waits too long end with `HangError`."""

    def ring(_signal: int, _frame: object) -> None:
        raise HangError

    timers = (
        (signal.ITIMER_PROF, signal.SIGPROF, LONGEST_S),
        (signal.ITIMER_REAL, signal.SIGALRM, WAITING_S),
    )
    for timer, bell, after_s in timers:
        signal.signal(bell, ring)
        signal.setitimer(timer, after_s)
    try:
        yield
    finally:
        for timer, _, _ in timers:
            signal.setitimer(timer, 0)


def tried(attempt: Callable[[], str]) -> Problem | None:
    """Run one attempt; it returns what it printed as complaint."""
    try:
        with limited():
            said = attempt()
    except HangError:
        return "hang", f"computes longer than {LONGEST_S} s, or takes longer than {WAITING_S} s"
    except BaseException as error:  # noqa: BLE001 (whatever leaves a command is what is looked for)
        place = traceback.extract_tb(error.__traceback__)[-1]
        return "traceback", f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
    if "Traceback" in said:
        return "traceback", said.strip().splitlines()[-1]
    return None


@cache
def _parsers() -> Callable[[str | None], ArgumentParser]:
    """Return what builds the parser of a command, once for each: that takes longer than most inputs."""
    from desk.commands import cli

    return cache(cli.build_parser)


def command(target: Target, data: bytes, folder: Path) -> str:
    """Call the command line with a damaged input, and return what it complained about."""
    from desk.commands import cli

    words = lay(target, data, folder)
    given = data if target.file is None else b""
    out, complaint = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(given), "utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(complaint):
            try:
                with patch.object(cli, "build_parser", _parsers()):
                    code = cli.main(words)
            except SystemExit as left:  # argparse
                code = int(left.code or 0)
    finally:
        sys.stdin = stdin
    if code not in {0, 1, 2}:
        raise AssertionError(f"exit code {code}")
    if code == 2 and len(complaint.getvalue().strip().splitlines()) != 1:
        raise AssertionError(f"expected one line, got {complaint.getvalue()!r}")
    return complaint.getvalue()
