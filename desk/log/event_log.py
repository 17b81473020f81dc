"""The event log: one match is one SQLite file to which events are only ever appended.

The file is in WAL mode with `synchronous=FULL`: when `append` returns, the events are on the disk, and a
process that is killed afterwards loses none of them. Triggers refuse every change to what was written.
The log stores payloads unchanged; `desk.log.event_codec` knows their types and upgrades old versions.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NamedTuple

from calibration.files import json_text
from desk.errors import EventLogError
from desk.log.read_only_log import open_to_read, opened

APPLICATION_ID = 0x5348504E
"""The letters SHPN in the SQLite header; they distinguish a match log from any other database."""
SCHEMA_VERSION = 1

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
CREATE TRIGGER event_never_changes BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'an event that was logged is never changed'); END;
CREATE TRIGGER event_never_leaves BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'an event that was logged is never deleted'); END;
CREATE TRIGGER event_comes_last BEFORE INSERT ON event
WHEN NEW.seq IS NOT (SELECT COALESCE(MAX(seq), 0) + 1 FROM event)
BEGIN SELECT RAISE(ABORT, 'events are numbered without gaps and only appended'); END;
"""


class UnbegunLogError(EventLogError):
    """The desk was stopped while it created the file, which never held an event."""


class NewerLogError(EventLogError):
    """A newer shinpan wrote the log."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One event as the log stores it.

    Attributes
    ----------
    seq : place in the log, 1, 2, 3, ... without gaps.
    t_ns : instant on the match clock.
    wall : wall time in ISO 8601 with the offset from UTC, for people only.
    origin : who said it, such as `eye`, `reader`, `operator`, `desk` (`desk.karuta.engine.engine.Origin`).
    kind, version : name of the event, and version of its payload's format.
    payload : the event's fields, as JSON.
    """

    seq: int
    t_ns: int
    wall: str
    origin: str
    kind: str
    version: int
    payload: Mapping[str, Any]


class RawEntry(NamedTuple):
    """One event as its row in the file: `text` is the payload's JSON, None if it was not asked for."""

    seq: int
    wall: str
    origin: str
    kind: str
    version: int
    text: str | None


class EventLog:
    """A match log that is open for appending. Make one with `create` or `open`.

    One thread at a time may use it; any number of other processes may read the file meanwhile.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._last_seq: int = connection.execute("SELECT COALESCE(MAX(seq), 0) FROM event").fetchone()[0]

    @classmethod
    def create(cls, path: Path, *, durable: bool = True) -> EventLog:
        """Create the log of a new match.

        Parameters
        ----------
        path : where there is no file yet.
        durable : False waits for no disk: a power cut may take the latest events, or a file made just before.
            For a copy that can be made anew from where it ends.

        Raises
        ------
        EventLogError
            If the file exists already (a log is never overwritten) or cannot be created.
        """
        if path.exists():
            raise EventLogError(
                f"{path} exists already, and a match log is never overwritten; name a new file"
            )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.open("xb").close()
        except OSError as error:
            raise EventLogError(f"cannot create the match log {path}: {error.strerror}") from error
        try:
            connection = _connect(path, "FULL" if durable else "OFF")
            try:
                connection.executescript(
                    f"BEGIN; {_SCHEMA} PRAGMA application_id = {APPLICATION_ID};"
                    f"PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
                )
                if not durable:
                    connection.execute("PRAGMA synchronous = NORMAL")
                return cls(path, connection)
            except sqlite3.Error:
                connection.close()
                raise
        except (sqlite3.Error, EventLogError) as error:
            remove_log(path)
            raise EventLogError(f"cannot create the match log {path}: {error}") from error

    @classmethod
    def open(cls, path: Path, *, durable: bool = True) -> EventLog:
        """Open the log of an earlier match, to read or continue it; `durable` as in `create`.

        Raises
        ------
        EventLogError
            If there is no such file, it is no match log, or a newer shinpan wrote it.
        """
        return cls._checked(path, partial(_connect, synchronous="FULL" if durable else "NORMAL"))

    @classmethod
    def read(cls, path: Path) -> EventLog:
        """Open the log of an earlier match for reading, also on read-only media.

        Raises
        ------
        EventLogError
            As for `open`, or if the file cannot be read in its place.
        """
        return cls._checked(path, open_to_read)

    @classmethod
    def _checked(cls, path: Path, connect: Callable[[Path], sqlite3.Connection]) -> EventLog:
        if not path.is_file():
            raise EventLogError(f"expected the file of a match log, but there is none at {path}")
        _check_beginning(path)
        connection = connect(path)
        try:
            _check_header(path, connection)
            return cls(path, connection)
        except EventLogError:
            connection.close()
            raise
        except (sqlite3.Error, UnicodeDecodeError, TypeError) as error:
            connection.close()
            raise EventLogError(f"{path} cannot be read as a match log: {error}") from error

    @property
    def last_seq(self) -> int:
        """Number of the latest event, 0 in an empty log."""
        return self._last_seq

    def newest_seq(self) -> int:
        """Return the number of the latest event in the file, to which another connection may append."""
        newest: int = self._connection.execute("SELECT COALESCE(MAX(seq), 0) FROM event").fetchone()[0]
        return newest

    def append(self, entries: Sequence[LogEntry]) -> None:
        """Append events, all or none, and return when they are on the disk.

        Parameters
        ----------
        entries : the events, numbered from `last_seq + 1`.

        Raises
        ------
        EventLogError
            If they could not be stored: the disk is full, or another process writes to the same log.
        """
        rows = [
            (
                entry.seq,
                entry.t_ns,
                entry.wall,
                entry.origin,
                entry.kind,
                entry.version,
                to_json(entry.payload),
            )
            for entry in entries
        ]
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        except sqlite3.IntegrityError as error:
            raise EventLogError(
                f"event {rows[0][0]} does not follow what {self.path} holds ({error}); "
                "does another process write to the same match?"
            ) from error
        except sqlite3.DatabaseError as error:
            raise EventLogError(f"could not write to the match log {self.path}: {error}") from error
        self._last_seq += len(rows)

    def entries(self, after_seq: int = 0, kinds: Sequence[str] = ()) -> Iterator[LogEntry]:
        """Iterate over the events after number `after_seq`, oldest first; over `kinds` only, if given."""
        try:
            rows = self._connection.execute(
                "SELECT seq, t_ns, wall, origin, kind, version, payload FROM event"
                " WHERE seq > ? AND (? = '[]' OR kind IN (SELECT value FROM json_each(?))) ORDER BY seq",
                (after_seq, *2 * [json.dumps(kinds)]),
            )
            yield from map(_entry, rows)
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise EventLogError(f"{self.path} is damaged: {error}") from error

    def raw(self, kinds: Collection[str], without: Collection[str] = ()) -> Iterator[RawEntry]:
        """Iterate over the events, oldest first, with unparsed payloads of some kinds only.

        This is faster than `entries`, for reading a thousand logs.

        Parameters
        ----------
        kinds : kinds whose payloads are wanted.
        without : kinds whose events are left out.
        """
        try:
            rows = self._connection.execute(
                "SELECT seq, wall, origin, kind, version, CASE WHEN kind IN (SELECT value FROM json_each(?))"
                " THEN payload END FROM event WHERE kind NOT IN (SELECT value FROM json_each(?))"
                " ORDER BY seq",
                (json.dumps(sorted(kinds)), json.dumps(sorted(without))),
            )
            yield from map(RawEntry._make, rows)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise EventLogError(f"{self.path} is damaged: {error}") from error

    def check(self) -> None:
        """Raise EventLogError if SQLite's integrity check fails."""
        try:
            told = self._connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise EventLogError(f"{self.path} is damaged: {error}") from error
        if told != "ok":
            raise EventLogError(f"{self.path} is damaged: {told}")

    def close(self) -> None:
        """Close the file. Everything appended is on the disk already."""
        self._connection.close()

    def __enter__(self) -> EventLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def new_log(path: Path, entries: Sequence[LogEntry]) -> EventLog:
    """Create a log with these events and return it, open.

    Raises
    ------
    EventLogError
        If the file exists already, or the events cannot be stored; then no part of it is left behind.
    """
    log = EventLog.create(path)
    try:
        log.append(entries)
    except EventLogError:
        log.close()
        remove_log(path)
        raise
    return log


def to_json(payload: Mapping[str, Any]) -> str:
    """Return the canonical JSON text of a payload: keys sorted, no NaN or infinity."""
    text = json.dumps(payload, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    # SQLite's text cannot hold a lone surrogate; JSON can escape it
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def log_version(path: Path) -> tuple[tuple[int, int], ...]:
    """Return what changes with every event in a log: time and size of its file and of the one beside it."""
    found = []
    for file in (path, _beside(path, "-wal")):  # SQLite's write-ahead log, which goes when the log is closed
        with suppress(OSError):
            told = file.stat()
            found.append((told.st_mtime_ns, told.st_size))
    return tuple(found)


def remove_log(path: Path) -> None:
    """Remove a log that could not be made, with SQLite's files beside it."""
    for file in (path, _beside(path, "-wal"), _beside(path, "-shm"), _beside(path, "-journal")):
        with suppress(OSError):
            file.unlink(missing_ok=True)


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(f"{path.name}{ending}")


def _connect(path: Path, synchronous: Literal["FULL", "NORMAL", "OFF"]) -> sqlite3.Connection:
    connection = opened(path, "mode=rw")
    try:
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        connection.close()
        raise EventLogError(f"cannot write to the match log {path}: {error}") from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        connection.close()
        raise EventLogError(f"{path} is not a match log: {error}") from error
    return connection


def _check_beginning(path: Path) -> None:
    """Refuse a file whose beginning is lost: SQLite would delete the events in the file beside it."""
    magic = b"SQLite format 3\0"
    try:
        with path.open("rb") as file:
            begins = file.read(len(magic))
    except OSError as error:
        raise EventLogError(f"cannot read the match log {path}: {error.strerror}") from error
    if begins not in {magic, b""}:
        raise EventLogError(f"{path} is not a match log: file is not a database")


def _check_header(path: Path, connection: sqlite3.Connection) -> None:
    application_id = connection.execute("PRAGMA application_id").fetchone()[0]
    if not application_id and not connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
        raise UnbegunLogError(
            f"{path} was never begun, it holds nothing: delete it, and begin the match anew"
        )
    if application_id != APPLICATION_ID:
        raise EventLogError(f"{path} is not a match log: shinpan did not write this database")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA_VERSION:
        raise NewerLogError(
            f"{path} was written by a newer shinpan (log version {version}); this one reads up to version "
            f"{SCHEMA_VERSION}: update shinpan"
        )


def _entry(row: tuple[Any, ...]) -> LogEntry:
    if tuple(map(type, row)) != (int, int, str, str, str, int, str):
        raise TypeError(f"event {row[0]} holds another type than was written")
    seq, t_ns, wall, origin, kind, version, payload = row
    return LogEntry(seq, t_ns, wall, origin, kind, version, json_text.parse(payload))
