"""Copies of the match logs of all mats, as far as the hall has received them."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from calibration.files.folders import listed
from desk.errors import DeskError, EventLogError
from desk.hall.messages import EventBatch, MessageError, unpack
from desk.hall.subjects import match_of
from desk.karuta.house.history import listed_match
from desk.log import database
from desk.log.event_log import EventLog, LogEntry, UnfitEventError
from desk.log.log_file import UnbegunLogError
from desk.panel.house.port import MatchListed
from referee.complaint import sentence_of


@dataclass(frozen=True, slots=True)
class Taken:
    """New entries of a match, in order; never empty."""

    mat: str
    match: str
    entries: tuple[LogEntry, ...]


class Ledger:
    """Receives each entry of a match once, in order, and only under its mat's own name.

    `last`: number of the last received event of each mat and match. `again`: number of duplicate entries that
    were skipped, `refused` of refused batches.
    """

    def __init__(self) -> None:
        self.again = self.refused = 0
        self.last = Counter[tuple[str, str]]()

    def take(self, subject: str, data: bytes) -> Taken | None:
        """Receive a batch and return its new entries, None if there are none.

        Raises MessageError if it is no batch, names another mat or match, or leaves a gap; after a gap the
        stream must be read again from the last entry on.

        `subject`: subject of the message, whose mat has signed it (`desk.hall.signature`).
        """
        try:
            return self._take(subject, data)
        except MessageError:
            self.refused += 1
            raise

    def _take(self, subject: str, data: bytes) -> Taken | None:
        batch = unpack(data)
        mat, match = match_of(subject)
        if not isinstance(batch, EventBatch) or not batch.entries:
            raise MessageError(
                "{subject}: expected a batch of events, got {got}", subject=subject, got=type(batch).__name__
            )
        if (batch.mat, batch.match) != (mat, match):
            raise MessageError(
                "{subject}: the batch says it is {mat}'s match {match}",
                subject=subject,
                mat=batch.mat,
                match=batch.match,
            )
        numbers = [entry.seq for entry in batch.entries]
        last = self.last[mat, match]
        if numbers != list(range(numbers[0], numbers[0] + len(numbers))) or numbers[0] > last + 1:
            raise MessageError(
                "{subject}: entries {first} to {last} do not follow entry {before}",
                subject=subject,
                first=numbers[0],
                last=numbers[-1],
                before=last,
            )
        fresh = tuple(entry for entry in batch.entries if entry.seq > last)
        self.again += len(numbers) - len(fresh)
        if not fresh:
            return None
        self.last[mat, match] = fresh[-1].seq
        return Taken(mat, match, fresh)


_OPEN_AT_ONCE: Final = 128  # more than a hall has mats
_FILES: Final = 4  # a log, SQLite's two files beside it, and its lock
_OTHERS: Final = 128
"""Files and connections that are left to the rest of the board: macOS allows a process 256, Linux 1,024."""


class Copies:
    """The copies of a hall: a folder for each mat with a file for each match.

    No batch waits for the disk: a hundred mats that ruled on the same poem took the board 550 ms, and 1.6 s
    when they began at once (measured). What a power cut takes comes again, since a board reads the whole
    stream when it begins.

    `folder`: folder of the copies; existing ones are continued.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._most = _most_open()
        self._logs: dict[tuple[str, str], EventLog] = {}
        self._listed: dict[Path, tuple[int, MatchListed | None]] = {}
        self.ledger = Ledger()

    def path(self, mat: str, match: str) -> Path:
        """Return the path of the copy of a match, which need not exist."""
        return self._folder / mat / f"{match}.sqlite"

    def listed(self) -> list[tuple[str, MatchListed]]:
        """Return every copied match with its mat, the latest first; reads the copies that have grown."""
        found = [
            (mat.name, match)
            for mat in listed(self._folder)
            for path in (listed(mat, "*.sqlite") if mat.is_dir() else ())
            if (match := self._listed_match(path)) is not None
        ]
        return sorted(found, key=lambda each: each[1]["started_wall"], reverse=True)

    def _listed_match(self, path: Path) -> MatchListed | None:
        seq, match = self._listed.get(path, (-1, None))
        if seq < self.last_seq(path.parent.name, path.stem):
            try:
                with EventLog.read(path) as log:
                    self._listed[path] = log.last_seq, (match := listed_match(log))
            except DeskError:
                return None
        return match

    def take(self, subject: str, data: bytes) -> Taken | None:
        """Store a batch and return its new entries, None if there are none.

        Raises MessageError as `Ledger.take`, or if no log can hold the entries. Raises EventLogError if the
        file of the copy is damaged. Raises OSError if it could not be stored (the disk is full), so that it
        must be taken again.
        """
        mat, match = match_of(subject)
        log = self._log(mat, match)
        taken = self.ledger.take(subject, data)
        if taken is None:
            return None
        try:
            log.append(taken.entries)
        except EventLogError as error:
            self.ledger.last[mat, match] = log.last_seq  # what was stored counts
            if isinstance(error, UnfitEventError):
                raise MessageError(sentence_of(error)) from error
            raise OSError(str(error)) from error
        return taken

    def last_seq(self, mat: str, match: str) -> int:
        """Return the number of the latest entry of a copy, 0 if there is none."""
        return self.ledger.last[mat, match]

    def close(self) -> None:
        for log in self._logs.values():
            log.close()
        self._logs.clear()

    def _log(self, mat: str, match: str) -> EventLog:
        log = self._logs.pop((mat, match), None)
        if log is None:
            while len(self._logs) >= self._most:
                self._logs.pop(next(iter(self._logs))).close()
            log = _opened(self.path(mat, match))
            self.ledger.last[mat, match] = log.last_seq
        self._logs[mat, match] = log  # the most recently used is last
        return log


def _most_open() -> int:
    """Return how many logs may be open at once."""
    if sys.platform == "win32":
        return _OPEN_AT_ONCE
    import resource

    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed < 0:  # no limit
        return _OPEN_AT_ONCE
    return max(1, min(_OPEN_AT_ONCE, (allowed - _OTHERS) // _FILES))


def _opened(path: Path) -> EventLog:
    if path.exists():
        try:
            return EventLog.open(path, durable=False)
        except UnbegunLogError:  # the board was killed while it created the file
            database.remove(path)
    try:
        return EventLog.create(path, durable=False)
    except EventLogError as error:
        raise OSError(str(error)) from error
