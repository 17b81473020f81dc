"""Reading a match log where it lies: SQLite wants to write beside it, which read-only media do not allow."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from desk.errors import EventLogError


def opened(path: Path, how: str) -> sqlite3.Connection:
    """Return a connection to a database that exists, with SQLite's parameters such as `mode=ro`."""
    # isolation_level None: transactions begin where the code says BEGIN, nowhere else
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?{how}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=5.0,
    )
    most_bytes = 16 << 20  # of one event: a field of fifty cards takes 20 KB
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, most_bytes)
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """Return a connection that can read all that the log holds, also on media that cannot be written.

    What was written last may lie in a file beside the log (SQLite's write-ahead log, `-wal`), and SQLite
    takes notes on it in a third one. Where it may not write, a log without that file cannot change while it
    is read; one with it is read from a copy.

    Raises
    ------
    EventLogError
        Where the file is no database, or lies where it can neither be read nor copied.
    """
    ahead = path.with_name(f"{path.name}-wal")
    try:
        if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
            # OperationalError: the disk is full, say
            with suppress(sqlite3.OperationalError):
                return _tried(path, "mode=rw")
        if not ahead.is_file() or not ahead.stat().st_size:
            return _tried(path, "mode=ro&immutable=1")
        if path.with_name(f"{path.name}-shm").is_file():
            with suppress(sqlite3.OperationalError):
                return _tried(path, "mode=ro")
        return _copied(path, ahead)
    except (OSError, sqlite3.OperationalError) as error:
        files = f"it and {ahead.name}" if ahead.is_file() else "it"
        raise EventLogError(
            f"cannot read the match log {path} where it lies ({error}): copy {files} to a folder "
            "that you may write to, and open the copy"
        ) from error
    except sqlite3.DatabaseError as error:
        raise EventLogError(f"{path} is not a match log: {error}") from error


def _tried(path: Path, how: str) -> sqlite3.Connection:
    connection = opened(path, how)
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    except UnicodeDecodeError as error:  # SQLite quotes what it cannot read
        connection.close()
        raise sqlite3.DatabaseError("it is damaged") from error
    return connection


def _copied(path: Path, ahead: Path) -> sqlite3.Connection:
    memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with tempfile.TemporaryDirectory(prefix="shinpan-") as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        shutil.copyfile(ahead, copy.with_name(ahead.name))
        with closing(_tried(copy, "mode=rw")) as connection:
            connection.backup(memory)
    return memory
