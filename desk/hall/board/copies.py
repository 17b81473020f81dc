"""Copies of the match logs of all mats, as far as the hall has received them."""

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from calibration.files.folders import listed
from desk.errors import DeskError, EventLogError
from desk.hall.messages import EventBatch, MessageError, unpack
from desk.hall.subjects import match_of
from desk.karuta.house.history import listed_match, match_in
from desk.karuta.house.panel_port import MatchPort
from desk.log import database
from desk.log.event_log import EventLog, LogEntry, UnfitEventError
from desk.log.log_file import UnbegunLogError
from desk.panel.house.port import MatchListed
from desk.panel.match.port import Caption, CommandResult, EventSeen, Health, Refusal, Snapshot
from desk.panel.match.requests import Command
from referee.complaint import sentence_of


class Ledger:
    """Receives each entry of a match once, in order, and only under its mat's own name.

    `last`: number of the last received event of each mat and match. `again`: number of duplicate entries that
    were skipped, `refused` of refused batches.
    """

    def __init__(self) -> None:
        self.again = self.refused = 0
        self.last = Counter[tuple[str, str]]()

    def take(self, subject: str, data: bytes) -> tuple[LogEntry, ...]:
        """Receive a batch and return its new entries.

        Raises MessageError if it is no batch, names another mat or match, or leaves a gap; after a gap the
        stream must be read again from the last entry on.

        `subject`: subject of the message, whose mat has signed it (`desk.hall.signature`).
        """
        try:
            return self._take(subject, data)
        except MessageError:
            self.refused += 1
            raise

    def _take(self, subject: str, data: bytes) -> tuple[LogEntry, ...]:
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
        self.last[mat, match] = max(last, numbers[-1])
        return fresh


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

    def take(self, subject: str, data: bytes) -> tuple[LogEntry, ...]:
        """Store a batch and return its new entries.

        Raises MessageError as `Ledger.take`, or if no log can hold the entries. Raises EventLogError if the
        file of the copy is damaged. Raises OSError if it could not be stored (the disk is full), so that it
        must be taken again.
        """
        mat, match = match_of(subject)
        log = self._log(mat, match)
        taken = self.ledger.take(subject, data)
        try:
            if taken:
                log.append(taken)
        except EventLogError as error:
            self.ledger.last[mat, match] = log.last_seq  # what was stored counts
            if isinstance(error, UnfitEventError):
                raise MessageError(sentence_of(error)) from error
            raise OSError(str(error)) from error
        return taken

    def last_seq(self, mat: str, match: str) -> int:
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


_PACE_S: Final = 0.5  # shortest time between two readings of a match, each of which takes about 50 ms


class CopiedMatch:
    """A read-only match: a `desk.panel.match.port.Port` that refuses commands.

    Raises DeskError if the copy cannot be understood.

    `last_seq`: returns the number of the copy's latest entry.
    """

    def __init__(self, path: Path, last_seq: Callable[[], int]) -> None:
        self._path, self._last_seq = path, last_seq
        self._port = match_in(path)
        self._read_seq = self._port.last_seq
        self._waiting: set[asyncio.Event] = set()

    def grown(self) -> None:
        """Wake the viewers: the copy has grown."""
        for waiting in self._waiting:
            waiting.set()

    def state(self) -> Snapshot:
        return self._read().state()

    def health(self) -> Health:
        """Return only the instant of the latest entry: the floor's page shows the mat's health."""
        return self._port.health()

    async def events(self, after_seq: int) -> AsyncIterator[EventSeen]:
        changed = asyncio.Event()
        self._waiting.add(changed)
        seen = after_seq
        try:
            while True:
                changed.clear()
                if self._read().last_seq > seen:
                    for event in self._read().seen_after(seen):
                        yield event
                        seen = event["seq"]
                await changed.wait()
                await asyncio.sleep(_PACE_S)
        finally:
            self._waiting.discard(changed)

    async def command(self, command: Command) -> CommandResult:  # noqa: ARG002 (the port's shape)
        """Refuse: only the mat itself takes commands."""
        return CommandResult(refusal=Refusal.NOT_NOW)

    def evidence(self, ruling_seq: int) -> Path | None:
        return self._read().evidence(ruling_seq)

    def evidence_name(self, ruling_seq: int) -> str | None:
        return self._read().evidence_name(ruling_seq)

    @property
    def evidence_folder(self) -> Path:
        return self._path.with_suffix(".evidence")

    def evidence_was_deleted(self) -> bool:
        """Tell whether the pictures were deleted on this machine on purpose."""
        return self._port.evidence_was_deleted()

    async def clip(self, ruling_seq: int, caption: Caption) -> Path | None:
        return await self._read().clip(ruling_seq, caption)

    def preview(self) -> bytes | None:
        """Return None: live pictures do not leave the mat."""
        return None

    def _read(self) -> MatchPort:
        latest = self._last_seq()
        if latest > self._read_seq:
            self._read_seq = latest
            with suppress(DeskError):  # the page keeps the last readable state
                self._port = match_in(self._path)
        return self._port
