"""Reading a match log in its place, also on read-only media, where SQLite cannot write beside it."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path

from desk.errors import EventLogError
from desk.log.database import beside, connect, copy_files
from desk.log.log_lock import is_written_elsewhere
from referee.complaint import sentence_of
from referee.sentence import Sentence


def open_to_read(path: Path) -> sqlite3.Connection:
    """Return a connection that can read the whole log, also on read-only media.

    The latest events may be in a file beside the log (SQLite's write-ahead log, `-wal`), and SQLite writes
    its index in a third file (`-shm`). If SQLite may not write there, a log without a `-wal` file is opened
    as immutable, and a log with one is read from a copy. So is a log on a network drive to which another
    computer may be writing: the two could not share the index. Raises EventLogError if the file is no
    database, or can neither be read in its place nor copied.
    """
    ahead = beside(path, "-wal")
    try:
        if is_written_elsewhere(path):
            return _copied(path)
        if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
            # OperationalError: for example, the disk is full
            with suppress(sqlite3.OperationalError):
                return _tried(path, "mode=rw")
        if not ahead.is_file() or not ahead.stat().st_size:
            return _tried(path, "mode=ro&immutable=1")
        if beside(path, "-shm").is_file():
            with suppress(sqlite3.OperationalError):
                return _tried(path, "mode=ro")
        return _copied(path)
    except (OSError, sqlite3.OperationalError) as error:
        files = f"it and {ahead.name}" if ahead.is_file() else "it"
        raise EventLogError(
            "cannot read the match log {path} where it lies ({why}): copy {files} to a folder "
            "that you may write to, and open the copy",
            path=path,
            why=sentence_of(error),
            files=files,
        ) from error
    except sqlite3.DatabaseError as error:
        raise EventLogError("{path} is not a match log: {why}", path=path, why=sentence_of(error)) from error


def copy_as_it_is(path: Path, target: Path) -> None:
    """Copy all that a database holds at this moment into a new file; the old ones are not changed.

    Raises sqlite3.DatabaseError, OSError if it cannot be read.
    """
    ahead = beside(path, "-wal")
    unwritten = not ahead.is_file() or not ahead.stat().st_size
    try:
        # whoever may only read neither deletes a `-wal` nor writes it back
        with (
            closing(_tried(path, "mode=ro&immutable=1" if unwritten else "mode=ro")) as source,
            closing(connect(target, "mode=rwc")) as made,
        ):
            source.backup(made)
    except sqlite3.OperationalError:
        copy_files(path, target)


def _tried(path: Path, how: str) -> sqlite3.Connection:
    connection = connect(path, how)
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    except UnicodeDecodeError as error:  # SQLite's message quotes unreadable bytes
        connection.close()
        raise sqlite3.DatabaseError(Sentence("it is damaged")) from error
    return connection


def _copied(path: Path) -> sqlite3.Connection:
    memory = connect(None)
    with tempfile.TemporaryDirectory(prefix="shinpan-") as folder:
        copy = Path(folder) / path.name
        copy_files(path, copy)
        with closing(_tried(copy, "mode=rw")) as connection:
            connection.backup(memory)
    return memory
