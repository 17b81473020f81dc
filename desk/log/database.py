"""The one door to SQLite's files: what SQLite may have open is never opened by other means.

POSIX drops all locks that a process holds on a file as soon as the process closes any descriptor of it
(https://www.sqlite.org/howtocorrupt.html, section 2.2). A plain `open` and `close` of a running match's log
would let any other process delete its `-wal` file, and with it the events that only that file holds. So all
connections are made here, and bytes are read here, where it is known which files are open.
"""

import errno
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path
from threading import RLock
from urllib.parse import quote
from weakref import WeakSet

from referee.sentence import Sentence

_OPENING = RLock()
"""Held while a connection is made and while bytes are read, so that neither happens during the other."""


class Database(sqlite3.Connection):
    """A connection; the file behind it counts as open until it is closed."""

    file: tuple[int, int] | None = None  # device and number of the file, None in memory

    def close(self) -> None:
        with _OPENING:
            super().close()
            _OPEN.discard(self)


_OPEN: WeakSet[Database] = WeakSet()


def connect(path: Path | None, how: str = "mode=rw", *, timeout_s: float = 5.0) -> Database:
    """Return a connection to a database, or to a new one in memory if `path` is None.

    A transaction begins only at an explicit BEGIN. The connection may be handed from thread to thread.

    `how`: SQLite's parameters of a file's address, such as `mode=ro`. `timeout_s`: how long to wait for
    another process's lock.
    """
    address = ":memory:" if path is None else f"file:{quote(str(path))}?{how}"
    with _OPENING:
        connection = sqlite3.connect(
            address,
            uri=path is not None,
            isolation_level=None,
            check_same_thread=False,
            timeout=timeout_s,
            factory=Database,
        )
        if path is not None:
            with suppress(OSError):
                connection.file = _file(path)
            _OPEN.add(connection)
    most_bytes = 16 << 20  # per event; a field of fifty cards takes 20 KB
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, most_bytes)
    return connection


def is_open(path: Path) -> bool:
    """Tell whether this process has a connection to a file, by whatever name."""
    with _OPENING:
        if not _OPEN:
            return False
        try:
            file = _file(path)
        except OSError:
            return False
        return any(connection.file == file for connection in _OPEN)


def raw_bytes(path: Path, most: int = -1) -> bytes | None:
    """Return the first `most` bytes of a file, all for -1; None while this process has it open.

    Raises OSError if it cannot be read.
    """
    with _OPENING:
        if is_open(path):
            return None
        with path.open("rb") as file:
            return file.read(most)


def is_whole_alone(path: Path) -> bool:
    """Tell whether a database file needs no other: it is not in WAL mode, or this is where it was written."""
    header = raw_bytes(path, 20) or b""  # None: this process has it open
    in_wal_mode = header[18:19] == b"\2"  # https://www.sqlite.org/fileformat.html, 1.3.3
    return not in_wal_mode or any(beside(path, ending).exists() for ending in ("-wal", "-lock"))


def beside(path: Path, ending: str) -> Path:
    """Return the path of the file that SQLite keeps beside a database, such as `-wal`."""
    return path.with_name(f"{path.name}{ending}")


def file_version(path: Path) -> tuple[tuple[int, int], ...]:
    """Return what changes with every write: time and size of a database and of its `-wal`."""
    found = []
    for file in (path, beside(path, "-wal")):
        with suppress(OSError):
            told = file.stat()
            found.append((told.st_mtime_ns, told.st_size))
    return tuple(found)


def remove(path: Path) -> None:
    """Remove a database with SQLite's files beside it, as far as the system lets it."""
    for file in (path, *(beside(path, ending) for ending in ("-wal", "-shm", "-journal"))):
        with suppress(OSError):
            file.unlink(missing_ok=True)


def copy_files(path: Path, target: Path) -> None:
    """Copy a database and its `-wal` byte for byte; again while another computer writes to them.

    Raises OSError if they cannot be copied, keep changing, or are open in this process.
    """
    for _ in range(5):
        version = file_version(path)
        with _OPENING:
            if is_open(path):
                raise OSError(errno.EBUSY, Sentence("this program has it open"), str(path))
            for ending in ("", "-wal"):
                if beside(path, ending).is_file():
                    shutil.copyfile(beside(path, ending), beside(target, ending))
                else:
                    beside(target, ending).unlink(missing_ok=True)
        if file_version(path) == version:
            return
    raise OSError(errno.EAGAIN, Sentence("it changes while it is read"), str(path))


def _file(path: Path) -> tuple[int, int]:
    told = path.stat()
    return told.st_dev, told.st_ino
