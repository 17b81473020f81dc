"""The event log: one match is one SQLite file to which events are only ever appended.

The file is in WAL mode with `synchronous=FULL`: when `append` returns, the events are on the disk, and a
process that is killed afterwards loses none of them. Triggers refuse every change to what was written. One
desk at a time may write to it (`desk.log.log_lock`); every other process may read.
The log stores payloads unchanged; `desk.log.event_codec` knows their types and upgrades old versions.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from calibration.files import json_text, storage
from desk.errors import EventLogError
from desk.log import database
from desk.log.log_file import (
    NEVER_CHANGES,
    UnbegunLogError,
    check_beginning,
    check_header,
    connect,
    make,
    open_to_read,
    publish,
    without_events,
)
from desk.log.log_lock import LogLock
from referee.complaint import sentence_of
from referee.sentence import Sentence


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One event as the log stores it."""

    seq: int  # place in the log, 1, 2, 3, ... without gaps.
    t_ns: int  # instant on the match clock
    wall: str  # wall time in ISO 8601 with the offset from UTC, for people only
    # who said it, such as `eye`, `reader`, `operator`, `desk` (`desk.karuta.engine.engine.Origin`)
    origin: str
    # kind, version: name of the event, and version of its payload's format
    kind: str
    version: int
    payload: Mapping[str, Any]  # the event's fields, as JSON


class RawEntry(NamedTuple):
    """One event as its row in the file: `text` is the payload's JSON, None if it was not asked for."""

    seq: int
    wall: str
    origin: str
    kind: str
    version: int
    text: str | None


_columns = attrgetter(*LogEntry.__slots__)


class UnfitEventError(EventLogError):
    """An event that no log can hold, on whatever disk."""


class EventLog:
    """A match log that is open for appending. Make one with `create` or `open`.

    One thread at a time may use it; any number of other processes may read the file meanwhile.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: LogLock | None = None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock
        self._last_seq = _newest(connection)

    @classmethod
    def create(cls, path: Path, *, durable: bool = True) -> EventLog:
        """Create the log of a new match.

        Raises EventLogError if the file exists already (a log is never overwritten) or cannot be created.

        `durable`: False waits for no disk: a power cut may take the latest events, or a file made just
        before. For a copy that can be made anew from where it ends.
        """
        if path.exists():
            raise EventLogError(_exists(path))
        made = path.with_name(f".shinpan-{os.getpid()}-{threading.get_ident()}.part")
        with EventLogError.wrapping(
            "cannot create the match log {path}: {why}", sqlite3.Error, OSError, path=path
        ):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                make(made, durable=durable)
                publish(made, path)
                if durable:
                    storage.sync_folder(path.parent)
            except FileExistsError:
                raise EventLogError(_exists(path)) from None
            finally:
                database.remove(made)
        return cls.open(path, durable=durable)

    @classmethod
    def open(cls, path: Path, *, durable: bool = True) -> EventLog:
        """Open the log of an earlier match, to read or continue it; `durable` as in `create`.

        Raises EventLogError if there is no such file, it is no match log, a newer shinpan wrote it, or
        another desk has it open (`desk.log.log_lock.OpenElsewhereError`).
        """
        if not path.is_file():
            raise EventLogError(_missing(path))
        with EventLogError.wrapping("cannot write to the match log {path}: {why}", OSError, path=path):
            lock = LogLock.take(path)
        try:
            log = cls._checked(path, partial(connect, durable=durable))
        except BaseException:
            lock.release()
            raise
        log._lock = lock
        return log

    @classmethod
    def read(cls, path: Path) -> EventLog:
        """Open the log of an earlier match for reading, also on read-only media.

        Raises EventLogError if there is no such file, it is no match log or holds no event
        (`desk.log.log_file.UnbegunLogError`), a newer shinpan wrote it, or it cannot be read there.
        """
        log = cls._checked(path, open_to_read)
        if not log.last_seq:
            log.close()
            raise UnbegunLogError(without_events(path))
        return log

    @classmethod
    def _checked(cls, path: Path, opener: Callable[[Path], sqlite3.Connection]) -> EventLog:
        if not path.is_file():
            raise EventLogError(_missing(path))
        check_beginning(path)
        connection = opener(path)
        try:
            with EventLogError.wrapping(
                "{path} cannot be read as a match log: {why}",
                sqlite3.Error,
                UnicodeDecodeError,
                TypeError,
                path=path,
            ):
                check_header(path, connection)
                return cls(path, connection)
        except EventLogError:
            connection.close()
            raise

    @property
    def last_seq(self) -> int:
        return self._last_seq

    def newest_seq(self) -> int:
        """Return the number of the latest event in the file, to which another connection may append."""
        return _newest(self._connection)

    def append(self, entries: Sequence[LogEntry]) -> None:
        """Append events, all or none, and return when they are on the disk.

        Raises UnfitEventError if no log can hold them: a number or a text that SQLite has no room for, or
        they do not follow. Raises EventLogError if they could not be stored: the disk is full, or another
        process writes to the same log.

        `entries`: the events, numbered from `last_seq + 1`.
        """
        try:
            rows = [(*_columns(entry)[:-1], to_json(entry.payload)) for entry in entries]
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        except (ValueError, OverflowError, RecursionError) as error:  # also of signs that UTF-8 has not
            raise UnfitEventError(
                "event {number} cannot be logged: {why}", number=entries[0].seq, why=sentence_of(error)
            ) from error
        except sqlite3.IntegrityError as error:
            raise UnfitEventError(
                "event {number} does not follow what {path} holds ({why}); does another process "
                "write to the same match?",
                number=rows[0][0],
                path=self.path,
                why=sentence_of(error),
            ) from error
        except sqlite3.DatabaseError as error:
            raise EventLogError(
                "could not write to the match log {path}: {why}", path=self.path, why=sentence_of(error)
            ) from error
        self._last_seq += len(rows)

    def entries(
        self,
        after_seq: int = 0,
        kinds: Sequence[str] = (),
        damaged: Callable[[int, Exception], None] | None = None,
    ) -> Iterator[LogEntry]:
        """Iterate over the events after number `after_seq`, oldest first; over `kinds` only, if given.

        Raises EventLogError if an event cannot be read and nobody is there to receive it.

        `damaged`: receives the number of each event of any kind that cannot be read, and why; it is passed
        over. Where the file itself is damaged, that is the number after the last one that came, and nothing
        follows.
        """
        seq = after_seq
        try:
            rows = self._connection.execute(
                "SELECT seq, t_ns, wall, origin, kind, version, payload FROM event"
                " WHERE seq > ? AND (? = '[]' OR kind IN (SELECT value FROM json_each(?))"
                " OR (? AND CASE WHEN json_valid(payload) THEN json_type(payload) <> 'object' ELSE 1 END))"
                " ORDER BY seq",
                (after_seq, *2 * [json.dumps(kinds)], damaged is not None),
            )
            if damaged is None:
                yield from map(_entry, rows)
                return
            for row in rows:
                seq = row[0]
                try:
                    entry = _entry(row)
                except (ValueError, TypeError) as error:
                    damaged(seq, error)
                    continue
                yield entry
        except (sqlite3.Error, ValueError, TypeError) as error:
            if damaged is None:
                raise EventLogError(
                    "{path} is damaged: {why}", path=self.path, why=sentence_of(error)
                ) from error
            damaged(seq + 1, error)

    def raw(self, kinds: Collection[str], without: Collection[str] = ()) -> Iterator[RawEntry]:
        """Iterate over the events, oldest first, with unparsed payloads of some kinds only.

        This is faster than `entries`, for reading a thousand logs.
        """
        with EventLogError.wrapping(
            "{path} is damaged: {why}", sqlite3.Error, UnicodeDecodeError, path=self.path
        ):
            rows = self._connection.execute(
                "SELECT seq, wall, origin, kind, version, CASE WHEN kind IN (SELECT value FROM json_each(?))"
                " THEN payload END FROM event WHERE kind NOT IN (SELECT value FROM json_each(?))"
                " ORDER BY seq",
                (json.dumps(sorted(kinds)), json.dumps(sorted(without))),
            )
            yield from map(RawEntry._make, rows)

    def check(self) -> None:
        """Raise EventLogError if SQLite's integrity check fails."""
        with EventLogError.wrapping(
            "{path} is damaged: {why}", sqlite3.Error, UnicodeDecodeError, path=self.path
        ):
            told = self._connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if told != "ok":
            raise EventLogError("{path} is damaged: {told}", path=self.path, told=told)

    def rewrite(self, change: Callable[[Any], Any]) -> None:
        """Change payloads, for the forgetting of a person alone; nothing of the old ones stays in the file.

        Raises EventLogError if it cannot be done: the disk is full, or another process reads the log just
        now.
        """
        changed = [
            (to_json(after), entry.seq)
            for entry in self.entries()
            if (after := change(entry.payload)) != entry.payload
        ]
        with EventLogError.wrapping(
            "could not write to the match log {path}: {why}", sqlite3.DatabaseError, path=self.path
        ):
            self._connection.execute("PRAGMA secure_delete = ON")
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.execute("DROP TRIGGER IF EXISTS event_never_changes")
                self._connection.executemany("UPDATE event SET payload = ? WHERE seq = ?", changed)
                self._connection.execute(NEVER_CHANGES)
            self._connection.execute("VACUUM")
            busy, *_ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise EventLogError("another program reads {path}: end it, and do this once more", path=self.path)

    def checkpoint(self) -> None:
        """Move what was appended into the log's own file, so that a copy of it alone holds it.

        Everything appended is on the disk already, so nothing is lost if this fails.
        """
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def close(self) -> None:
        """Close the file. Everything appended is on the disk already."""
        self._connection.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> EventLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def new_log(path: Path, entries: Sequence[LogEntry]) -> EventLog:
    """Create a log with these events and return it, open.

    Raises EventLogError if the file exists already, or the events cannot be stored; then no part of it is
    left behind.
    """
    log = EventLog.create(path)
    try:
        log.append(entries)
    except EventLogError:
        log.close()
        database.remove(path)
        raise
    # says in the file that it is whole; whoever opens it to write has WAL again
    with suppress(sqlite3.Error):
        log._connection.execute("PRAGMA journal_mode = DELETE")
    return log


def to_json(payload: Mapping[str, Any]) -> str:
    """Return the canonical JSON text of a payload: keys sorted, no NaN or infinity."""
    text = json.dumps(payload, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    # SQLite's text cannot hold a lone surrogate; JSON can escape it
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _newest(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT COALESCE(MAX(seq), 0) FROM event").fetchone()[0])


def _exists(path: Path) -> Sentence:
    return Sentence("{path} exists already, and a match log is never overwritten; name a new file", path=path)


def _missing(path: Path) -> Sentence:
    return Sentence("expected the file of a match log, but there is none at {path}", path=path)


def _entry(row: tuple[Any, ...]) -> LogEntry:
    if tuple(map(type, row)) != (int, int, str, str, str, int, str):
        raise TypeError(f"event {row[0]} holds another type than was written")
    seq, t_ns, wall, origin, kind, version, payload = row
    return LogEntry(seq, t_ns, wall, origin, kind, version, json_text.parse(payload))
