"""The entries of a mat's logs that the hall has not confirmed yet.

The log is a transactional outbox: an event is one row, so it is stored and queued for sending in one
transaction. A small file next to the logs holds marks: how far the hall has confirmed each match. A mark is
written after the hall's confirmation, so entries may be sent twice but are never skipped; if the file of
marks is lost, that costs one query per match (`desk.hall.mat.sender`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from desk.errors import DeskError, EventLogError
from desk.hall.subjects import events_of
from desk.log import database
from desk.log.event_log import EventLog, LogEntry

_MARKS = "hall-marks.db"
MANY = 40
"""Most entries in a batch, unless one step has more: a field of fifty cards has 20 kB, a message 1 MiB."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS mark (
    match    TEXT PRIMARY KEY,
    joined   INTEGER NOT NULL,
    seq      INTEGER NOT NULL,
    sequence INTEGER NOT NULL
) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Mark:
    """The latest confirmed entry of a match: `seq` in the log; its batch has `sequence` in the stream."""

    seq: int = 0
    sequence: int = 0


class Outbox:
    """The unsent entries of all matches that were played in this hall. For use in one thread.

    `mat`: this mat's name; marks under another name are ignored.
    """

    def __init__(self, folder: Path, mat: str) -> None:
        self._folder = folder
        self._mat = mat
        self._logs: dict[str, EventLog] = {}
        self._played: str | None = None
        self._at_rest: set[str] = set()
        with _noting(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._marks = database.connect(folder / f"{mat}-{_MARKS}", "mode=rwc")
            # a mark lost in a power failure costs only a query, so writes need not wait for the disk
            self._marks.execute("PRAGMA synchronous = OFF")
            self._marks.execute("PRAGMA journal_mode = MEMORY")
            self._marks.executescript(_SCHEMA)
            rows = self._marks.execute("SELECT match, seq, sequence FROM mark ORDER BY joined")
            self._known = {match: Mark(seq, sequence) for match, seq, sequence in rows}

    def join(self, match: str) -> None:
        """Add a running match, to send all of its entries."""
        events_of(self._mat, match)
        with _noting(self._folder):
            joined = self._marks.execute("SELECT COALESCE(MAX(joined), 0) + 1 FROM mark").fetchone()[0]
            self._marks.execute("INSERT OR IGNORE INTO mark VALUES (?, ?, 0, 0)", (match, joined))
        self._known.setdefault(match, Mark())
        self._played = match
        self._at_rest.discard(match)

    def matches(self) -> list[str]:
        """Return the added matches in that order."""
        return list(self._known)

    def unrested(self) -> list[str]:
        """Return the matches that may have unsent entries."""
        return [match for match in self._known if match not in self._at_rest]

    def mark(self, match: str) -> Mark:
        return self._known.get(match, Mark())

    def confirm(self, match: str, mark: Mark) -> None:
        """Store the mark of the hall's confirmation."""
        with _noting(self._folder):
            self._marks.execute(
                "UPDATE mark SET seq = ?, sequence = ? WHERE match = ?", (mark.seq, mark.sequence, match)
            )
        self._known[match] = mark
        self._at_rest.discard(match)

    def unsent(self, match: str) -> int:
        """Return the number of unconfirmed entries of a match; 0 if its log no longer exists."""
        log = self._log(match)
        return 0 if log is None else max(0, log.newest_seq() - self.mark(match).seq)

    def batch(self, match: str) -> tuple[LogEntry, ...]:
        """Return the next entries to send, whole steps of the rules; empty if there are none."""
        log = self._log(match)
        if log is None:
            return ()
        found: list[LogEntry] = []
        whole = 0
        for entry in log.entries(self.mark(match).seq):
            # the entries of a step share an instant, and two steps never do
            if found and entry.t_ns != found[-1].t_ns:
                whole = len(found)
            if whole and len(found) >= MANY:
                return tuple(found[:whole])
            found.append(entry)
        return tuple(found)

    def entry(self, match: str, seq: int) -> LogEntry | None:
        """Return an entry of a match's log, None if there is none."""
        log = self._log(match)
        return None if log is None else next((each for each in log.entries(seq - 1) if each.seq == seq), None)

    def rest(self, match: str) -> None:
        """Close the log of a match without unsent entries, unless it is running."""
        if match != self._played:
            self._at_rest.add(match)
            self._close(match)

    def close(self) -> None:
        for match in list(self._logs):
            self._close(match)
        self._marks.close()

    def _close(self, match: str) -> None:
        log = self._logs.pop(match, None)
        if log is not None:
            log.close()

    def _log(self, match: str) -> EventLog | None:
        """Return the log of a match, on a connection besides the desk's own."""
        if match not in self._logs:
            try:
                self._logs[match] = EventLog.read(self._folder / f"{match}.sqlite")
            except EventLogError:
                return None
        return self._logs[match]


@contextmanager
def _noting(folder: Path) -> Iterator[None]:
    with DeskError.wrapping(
        "what was sent to the hall cannot be noted in {folder}: {why}", sqlite3.Error, OSError, folder=folder
    ):
        yield
