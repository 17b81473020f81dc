"""The file of an event log: its tables and its header, how it is made and opened, and what is no log.

A log is read in its place, also on read-only media, where SQLite cannot write beside it.
"""

import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path

from desk.errors import EventLogError
from desk.log import database
from desk.log.log_lock import is_written_elsewhere
from referee.complaint import sentence_of
from referee.sentence import Sentence

APPLICATION_ID = 0x5348504E
"""The letters SHPN in the SQLite header; they distinguish a match log from any other database."""
SCHEMA_VERSION = 1

NEVER_CHANGES = """
CREATE TRIGGER event_never_changes BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'an event that was logged is never changed'); END;
"""
_SCHEMA = """
CREATE TABLE event (
    seq     INTEGER PRIMARY KEY,
    t_ns    INTEGER NOT NULL,
    wall    TEXT    NOT NULL,
    origin  TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    payload TEXT    NOT NULL CHECK (json_valid(payload))
) STRICT;
CREATE TRIGGER event_never_leaves BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'an event that was logged is never deleted'); END;
CREATE TRIGGER event_comes_last BEFORE INSERT ON event
WHEN NEW.seq IS NOT (SELECT COALESCE(MAX(seq), 0) + 1 FROM event)
BEGIN SELECT RAISE(ABORT, 'events are numbered without gaps and only appended'); END;
"""


class UnbegunLogError(EventLogError):
    """The file holds no event: nothing was logged yet, or it was copied without the file beside it."""


class NewerLogError(EventLogError):
    """A newer shinpan wrote the log."""


def without_events(path: Path) -> Sentence:
    ahead = database.beside(path, "-wal")
    return Sentence(
        "{path} holds no event. While a match runs, and after a power cut, its events lie in the file "
        "{name} beside it: if this is a copy, copy that file with it, to {ahead}",
        path=path,
        name=ahead.name,
        ahead=ahead,
    )


def make(path: Path, *, durable: bool) -> None:
    """Make a log without events, all of it in its own file."""
    connection = database.connect(path, "mode=rwc")
    try:
        connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'OFF'}")
        connection.executescript(
            f"BEGIN; {_SCHEMA} {NEVER_CHANGES} PRAGMA application_id = {APPLICATION_ID};"
            f"PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
        )
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


def publish(made: Path, path: Path) -> None:
    """Give a file its name; FileExistsError if that is taken."""
    try:
        os.link(made, path)
    except OSError:  # a disk without links, or the name is taken
        path.open("xb").close()
        made.replace(path)


def connect(path: Path, *, durable: bool) -> sqlite3.Connection:
    """Return a connection that may write to a log; EventLogError if it may not, or the file is none."""
    connection = database.connect(path)
    try:
        if durable:
            connection.execute("PRAGMA synchronous = FULL")
            # macOS holds back what it calls written unless it is asked like this; no other system knows it
            connection.execute("PRAGMA fullfsync = ON")
            connection.execute("PRAGMA checkpoint_fullfsync = ON")
            # pages: a copy of the file alone lacks a few events at most
            connection.execute("PRAGMA wal_autocheckpoint = 8")
        else:
            connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA journal_mode = WAL")
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        connection.close()
        raise EventLogError(
            "cannot write to the match log {path}: {why}"
            if isinstance(error, sqlite3.OperationalError)
            else "{path} is not a match log: {why}",
            path=path,
            why=sentence_of(error),
        ) from error
    return connection


def check_beginning(path: Path) -> None:
    """Refuse a file whose beginning is lost: SQLite would delete the events in the file beside it."""
    magic, ahead = b"SQLite format 3\0", database.beside(path, "-wal")
    with EventLogError.wrapping("cannot read the match log {path}: {why}", OSError, path=path):
        begins = database.raw_bytes(path, len(magic))
        if begins == b"" and ahead.is_file() and ahead.stat().st_size:
            raise EventLogError(
                "{path} is empty, but {ahead} beside it holds events: copy {name} once more from "
                "where it was made, or repair it with shinpan log check --repair",
                path=path,
                ahead=ahead.name,
                name=path.name,
            )
    if begins not in {magic, b"", None}:  # None: this process has it open, and looked at it then
        raise EventLogError("{path} is not a match log: file is not a database", path=path)


def _check_schema(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse what only pretends to be a log: a view that never ends, a trigger that does something else."""
    whole, kinds = " ".join(f"{_SCHEMA} {NEVER_CHANGES}".split()), {}
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        if kind not in {"table", "trigger"} or not sql or f"{' '.join(sql.split())};" not in whole:
            raise EventLogError(
                "{path} is not a match log, or damaged: shinpan does not write its {kind} {name}",
                path=path,
                kind=kind,
                name=name,
            )
        kinds[name] = kind
    if kinds.get("event") != "table":
        raise EventLogError("{path} is not a match log: it has no events", path=path)


def check_header(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse what another program or a newer shinpan wrote, and a file without a header."""
    application_id = connection.execute("PRAGMA application_id").fetchone()[0]
    if not application_id and not connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
        raise UnbegunLogError(without_events(path))
    if application_id != APPLICATION_ID:
        raise EventLogError("{path} is not a match log: shinpan did not write this database", path=path)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version <= SCHEMA_VERSION:
        _check_schema(path, connection)
    else:
        raise NewerLogError(
            "{path} was written by a newer shinpan (log version {version}); this one reads up to "
            "version {known}: update shinpan",
            path=path,
            version=version,
            known=SCHEMA_VERSION,
        )


def open_to_read(path: Path) -> sqlite3.Connection:
    """Return a connection that can read the whole log, also on read-only media.

    The latest events may be in a file beside the log (SQLite's write-ahead log, `-wal`), and SQLite writes
    its index in a third file (`-shm`). If SQLite may not write there, a log without a `-wal` file is opened
    as immutable, and a log with one is read from a copy. So is a log on a network drive to which another
    computer may be writing: the two could not share the index. Raises EventLogError if the file is no
    database, or can neither be read in its place nor copied.
    """
    ahead = database.beside(path, "-wal")
    try:
        if is_written_elsewhere(path):
            return _copied(path)
        if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
            # OperationalError: for example, the disk is full
            with suppress(sqlite3.OperationalError):
                return _tried(path, "mode=rw")
        if not ahead.is_file() or not ahead.stat().st_size:
            return _tried(path, "mode=ro&immutable=1")
        if database.beside(path, "-shm").is_file():
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
    ahead = database.beside(path, "-wal")
    unwritten = not ahead.is_file() or not ahead.stat().st_size
    try:
        # whoever may only read neither deletes a `-wal` nor writes it back
        with (
            closing(_tried(path, "mode=ro&immutable=1" if unwritten else "mode=ro")) as source,
            closing(database.connect(target, "mode=rwc")) as made,
        ):
            source.backup(made)
    except sqlite3.OperationalError:
        database.copy_files(path, target)


def _tried(path: Path, how: str) -> sqlite3.Connection:
    connection = database.connect(path, how)
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        connection.close()
        if isinstance(error, sqlite3.Error):
            raise
        raise sqlite3.DatabaseError(Sentence("it is damaged")) from error  # its message quotes the bytes
    return connection


def _copied(path: Path) -> sqlite3.Connection:
    memory = database.connect(None)
    with tempfile.TemporaryDirectory(prefix="shinpan-") as folder:
        copy = Path(folder) / path.name
        database.copy_files(path, copy)
        with closing(_tried(copy, "mode=rw")) as connection:
            connection.backup(memory)
    return memory
