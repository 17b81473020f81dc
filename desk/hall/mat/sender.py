"""Sends a mat's events to the hall: each match in order, without gaps, and again after any failure.

Each batch carries the stream's sequence number of the previous one, without which JetStream refuses it. After
any loss (an answer, a mark, a server), one query restores the state: what is the hall's last batch of this
match? So an id that JetStream has seen before, even a forged one, can neither hide nor duplicate an event.
"""

import asyncio
import sqlite3
import sys
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nats.errors import Error
from nats.js.errors import APIError

from desk.errors import DeskError, EventLogError
from desk.hall.link import Link
from desk.hall.messages import (
    EXPECTED_HEADER,
    ID_HEADER,
    OUT_OF_ORDER,
    EventBatch,
    MessageError,
    pack,
    unpack,
)
from desk.hall.store import latest
from desk.hall.subjects import events_of
from desk.log import database
from desk.log.event_log import EventLog, LogEntry
from referee.complaint import sentence_of
from referee.sentence import Sentence

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

    `mat`: this mat's name; marks under another name are ignored. `marks`: of each match, in the order in
    which they were added.
    """

    def __init__(self, folder: Path, mat: str) -> None:
        self._folder, self._mat = folder, mat
        self._logs: dict[str, EventLog] = {}
        self._played: str | None = None
        self._at_rest: set[str] = set()
        with self._noting():
            folder.mkdir(parents=True, exist_ok=True)
            self._notes = database.connect(folder / f"{mat}-{_MARKS}", "mode=rwc")
            # a mark lost in a power failure costs only a query, so writes need not wait for the disk
            self._notes.execute("PRAGMA synchronous = OFF")
            self._notes.execute("PRAGMA journal_mode = MEMORY")
            self._notes.executescript(_SCHEMA)
            rows = self._notes.execute("SELECT match, seq, sequence FROM mark ORDER BY joined")
            self.marks = {match: Mark(seq, sequence) for match, seq, sequence in rows}

    def join(self, match: str) -> None:
        events_of(self._mat, match)
        with self._noting():
            joined = self._notes.execute("SELECT COALESCE(MAX(joined), 0) + 1 FROM mark").fetchone()[0]
            self._notes.execute("INSERT OR IGNORE INTO mark VALUES (?, ?, 0, 0)", (match, joined))
        self.marks.setdefault(match, Mark())
        self._played = match
        self._at_rest.discard(match)

    def unrested(self) -> list[str]:
        return [match for match in self.marks if match not in self._at_rest]

    def confirm(self, match: str, mark: Mark) -> None:
        with self._noting():
            self._notes.execute(
                "UPDATE mark SET seq = ?, sequence = ? WHERE match = ?", (mark.seq, mark.sequence, match)
            )
        self.marks[match] = mark
        self._at_rest.discard(match)

    def unsent(self, match: str) -> int:
        """Return the number of unconfirmed entries of a match; 0 if its log no longer exists."""
        log = self._log(match)
        return 0 if log is None else max(0, log.newest_seq() - self.marks.get(match, Mark()).seq)

    def batch(self, match: str) -> tuple[LogEntry, ...]:
        """Return the next entries to send, whole steps of the rules; empty if there are none."""
        log = self._log(match)
        if log is None:
            return ()
        found: list[LogEntry] = []
        whole = 0
        for entry in log.entries(self.marks.get(match, Mark()).seq):
            # the entries of a step share an instant, and two steps never do
            if found and entry.t_ns != found[-1].t_ns:
                whole = len(found)
            if whole and len(found) >= MANY:
                return tuple(found[:whole])
            found.append(entry)
        return tuple(found)

    def entry(self, match: str, seq: int) -> LogEntry | None:
        log = self._log(match)
        return None if log is None else next((each for each in log.entries(seq - 1) if each.seq == seq), None)

    def _noting(self) -> AbstractContextManager[None]:
        return DeskError.wrapping(
            "what was sent to the hall cannot be noted in {folder}: {why}",
            sqlite3.Error,
            OSError,
            folder=self._folder,
        )

    def rest(self, match: str) -> None:
        """Close the log of a match without unsent entries, unless it is running."""
        if match != self._played:
            self._at_rest.add(match)
            self._close(match)

    def close(self) -> None:
        for match in list(self._logs):
            self._close(match)
        self._notes.close()

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


STREAM: Final = "EVENTS"
_ANSWER_S: Final = 2.0
_AGAIN_S: Final = 0.25
_LATER_S: Final = 2.0
_PACE_S: Final = 0.03
"""Time between full batches: an hour of play (2,500 entries) takes 3 s, which leaves room for others."""
_LATEST: Final = 8
"""Number of latest matches to compare, about a day's: servers write to their disks within minutes, so older
ones are safe."""


class AnotherLogError(DeskError):
    """The hall's events of this match differ from its log."""


class Sender:
    """Sends the entries of an outbox while `run` is running.

    `outbox`: used only in the loop of `run`.

    `problem`: why nothing is sent although there is a link; None if all is well. `sent`: number of batches
    that the hall accepted.
    """

    def __init__(self, link: Link, outbox: Outbox) -> None:
        self.problem: str | None = None
        self.sent = self._salt = self._compared = 0
        self._link, self._outbox, self._mat = link, outbox, link.ticket.user
        self._awake = asyncio.Event()
        self._given_up: set[str] = set()
        link.when_joined(self.wake)

    def wake(self) -> None:
        """Check at once whether there is something to send."""
        self._awake.set()

    @property
    def unsent(self) -> int:
        """Number of entries of all matches that the hall has not confirmed."""
        return sum(self._outbox.unsent(match) for match in self._outbox.unrested())

    async def run(self) -> None:
        while True:
            await self._link.joined()
            self._awake.clear()
            try:
                # after each new connection: the hall may have lost batches in a power failure
                if (joins := self._link.joins) != self._compared:
                    for match in list(self._outbox.marks)[-_LATEST:]:
                        await self._ask(match)
                    self._compared = joins
                for match in self._outbox.unrested():
                    await self._send_all(match)
                if not self._given_up:
                    self.problem = None
                await self._awake.wait()
            except (Error, OSError, TimeoutError, DeskError) as error:
                if isinstance(error, APIError | DeskError):  # the link reports all other errors
                    self._tell(sentence_of(error))
                await asyncio.sleep(_LATER_S if isinstance(error, DeskError) else _AGAIN_S)

    async def _send_all(self, match: str) -> None:
        while match not in self._given_up and (entries := self._outbox.batch(match)):
            batch = EventBatch(self._mat, match, entries)
            headers = {
                ID_HEADER: batch.message_id + (f"/{self._salt}" if self._salt else ""),
                EXPECTED_HEADER: str(self._outbox.marks.get(match, Mark()).sequence),
            }
            try:
                answer = await self._link.keep(events_of(self._mat, match), pack(batch), headers, _ANSWER_S)
            except APIError as error:
                if error.err_code != OUT_OF_ORDER:
                    raise
                await self._ask(match)
                continue
            if answer.duplicate:
                # the id is known already: from our own batch whose answer was lost, or from a forged one
                await self._ask(match)
                self._salt += self._outbox.marks.get(match, Mark()).seq < entries[-1].seq
                continue
            self.sent += 1
            self._outbox.confirm(match, Mark(entries[-1].seq, answer.seq))
            if len(entries) >= MANY:
                await asyncio.sleep(_PACE_S)
        if match not in self._given_up:
            self._outbox.rest(match)

    async def _ask(self, match: str) -> None:
        """Set the mark to the hall's last batch."""
        found = await latest(self._link, STREAM, events_of(self._mat, match))
        if found is None:
            self._outbox.confirm(match, Mark())
            return
        if found.problem is not None:
            # somebody else's message: it is skipped, here as at the board, and what it may hide is sent again
            self._outbox.confirm(match, Mark(self._outbox.marks.get(match, Mark()).seq, found.seq))
            return
        try:
            self._outbox.confirm(match, Mark(self._last_seq(match, found.data), found.seq))
        except (AnotherLogError, MessageError) as error:
            self._given_up.add(match)
            why = sentence_of(error)
            self._tell(Sentence("match {match}: {why}; it is no longer sent", match=match, why=why))
        # the answer may have come from a server that lags behind the others: give it time
        await asyncio.sleep(_AGAIN_S / 10)

    def _last_seq(self, match: str, data: bytes) -> int:
        """Return the number of the last entry in the hall's last batch, which must match the log."""
        batch = unpack(data)
        if not isinstance(batch, EventBatch) or (batch.mat, batch.match) != (self._mat, match):
            raise AnotherLogError("the hall stores something else under its name")
        last = batch.entries[-1]
        if self._outbox.entry(match, last.seq) != last:
            raise AnotherLogError(
                "the hall stores another entry {number}; does another machine use this ticket?",
                number=last.seq,
            )
        return last.seq

    def _tell(self, problem: str) -> None:
        if problem != self.problem:
            sys.stderr.write(f"shinpan: hall: {problem}\n")
        self.problem = problem
