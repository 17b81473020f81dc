"""Reading a match log in its place, also on read-only media, where SQLite cannot write beside it."""

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
    """Return a connection to an existing database; `how` holds SQLite's parameters such as `mode=ro`."""
    # isolation_level None: a transaction begins only if the code says BEGIN
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?{how}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=5.0,
    )
    most_bytes = 16 << 20  # per event; a field of fifty cards takes 20 KB
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, most_bytes)
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """Return a connection that can read the whole log, also on read-only media.

    The latest events may be in a file beside the log (SQLite's write-ahead log, `-wal`), and SQLite writes
    its index in a third file (`-shm`). If SQLite may not write there, a log without a `-wal` file is opened
    as immutable, and a log with one is read from a copy.

    Raises
    ------
    EventLogError
        If the file is no database, or can neither be read in its place nor copied.
    """
    ahead = path.with_name(f"{path.name}-wal")
    try:
        if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
            # OperationalError: for example, the disk is full
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
    except UnicodeDecodeError as error:  # SQLite's message quotes unreadable bytes
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
