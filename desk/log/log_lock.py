"""Who writes to a log: a file beside it that its desk holds locked, with the address of its page.

The system drops the lock when the desk ends, however it ends, so what lies there after a power cut is never
mistaken for a running desk.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from desk.errors import EventLogError
from desk.log.database import beside
from referee.sentence import Sentence

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_BEHIND = 1 << 30  # Windows locks bytes, and nobody reads these
_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK)


class OpenElsewhereError(EventLogError):
    """Another desk has the log open."""


class LogLock:
    """The right of this process to write to a log. Get it with `take`, and `release` it as often."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor
        self._uses = 1
        self._tell()

    @classmethod
    def take(cls, log: Path) -> LogLock:
        """Take the lock of a log at once, or refuse.

        Raises OpenElsewhereError if another desk holds it; the message says where. Raises OSError if the file
        beside the log cannot be written.
        """
        path = beside(log.resolve(), "-lock")
        with _TAKING:
            held = _HELD.get(path)
            if held is not None:
                held._uses += 1
                return held
            _HELD[path] = lock = cls._taken(log, path)
            return lock

    @classmethod
    def _taken(cls, log: Path, path: Path) -> LogLock:
        while True:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                _lock(descriptor)
            except OSError as error:
                if error.errno in _TAKEN:
                    os.close(descriptor)
                    raise OpenElsewhereError(_already_open(log, _holder(path))) from error
                # a network drive without locks: the desk goes on as if alone
            with suppress(OSError):
                if os.path.samestat(os.fstat(descriptor), path.stat()):
                    return cls(path, descriptor)
            os.close(descriptor)  # the desk that held it has just removed the file

    def release(self) -> None:
        with _TAKING:
            self._uses -= 1
            if self._uses:
                return
            del _HELD[self._path]
            with suppress(OSError):  # Windows removes no file that is open
                self._path.unlink(missing_ok=True)  # first: whoever waits for this very file looks again
            os.close(self._descriptor)
            if sys.platform == "win32":
                with suppress(OSError):
                    self._path.unlink(missing_ok=True)

    def _tell(self) -> None:
        told = json.dumps({"pid": os.getpid(), "computer": platform.node(), "address": _ADDRESS[0]})
        with suppress(OSError):  # a full disk: the lock holds without it
            os.ftruncate(self._descriptor, 0)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, told.encode("utf-8"))


_HELD: dict[Path, LogLock] = {}
_TAKING = Lock()
_ADDRESS: list[str | None] = [None]


def announce(address: str) -> None:
    """Say where this process's page is, for whoever finds one of its logs open."""
    _ADDRESS[0] = address
    for lock in list(_HELD.values()):
        lock._tell()


def is_written_elsewhere(log: Path) -> bool:
    """Tell whether another computer may be writing to a log, whose index in memory this one cannot share."""
    path = beside(log, "-lock")
    return path.is_file() and _holder(path).get("computer") not in (None, platform.node())


def _already_open(log: Path, holder: dict[str, Any]) -> Sentence:
    place = Sentence(" at {address}", address=holder["address"]) if holder.get("address") else ""
    computer, pid = holder.get("computer"), holder.get("pid")
    who: str = Sentence(" (process {pid})", pid=pid) if pid else ""
    if pid and computer not in (None, platform.node()):
        who = Sentence(" (process {pid} on {computer})", pid=pid, computer=computer)
    return Sentence(
        "{log} is already open{place}{who}: go on there, or end that desk first",
        log=log,
        place=place,
        who=who,
    )


def _holder(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        os.lseek(descriptor, _BEHIND, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
