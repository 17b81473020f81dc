"""Receives the events of all mats: each entry once, in order, and only under its mat's own name."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from desk.hall.messages import EventBatch, MessageError, unpack
from desk.hall.subjects import match_of
from desk.log.event_log import LogEntry


class RefusedBatchError(MessageError):
    """A batch that names another mat or match than its subject, or skips entries."""


@dataclass(frozen=True, slots=True)
class Taken:
    """New entries of a match, in order; never empty."""

    mat: str
    match: str
    entries: tuple[LogEntry, ...]


class Ledger:
    """The number of the last received event of each match.

    `again`: number of duplicate entries that were skipped.
    """

    def __init__(self) -> None:
        self.again = self.refused = 0
        self._last: defaultdict[tuple[str, str], int] = defaultdict(int)

    def last_seq(self, mat: str, match: str) -> int:
        """Return the number of the last received entry, 0 for none."""
        return self._last.get((mat, match), 0)

    def go_on(self, mat: str, match: str, last_seq: int) -> None:
        """Continue a match whose entries up to `last_seq` are on the disk."""
        self._last[mat, match] = last_seq

    def take(self, subject: str, data: bytes) -> Taken | None:
        """Receive a batch and return its new entries, None if there are none.

        Raises MessageError if it is no batch, names another mat or match, or leaves a gap; after a gap the
        stream must be read again from `last_seq` on.

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
            raise RefusedBatchError(
                "{subject}: expected a batch of events, got {got}", subject=subject, got=type(batch).__name__
            )
        if (batch.mat, batch.match) != (mat, match):
            raise RefusedBatchError(
                "{subject}: the batch says it is {mat}'s match {match}",
                subject=subject,
                mat=batch.mat,
                match=batch.match,
            )
        numbers = [entry.seq for entry in batch.entries]
        last = self._last[mat, match]
        if numbers != list(range(numbers[0], numbers[0] + len(numbers))) or numbers[0] > last + 1:
            raise RefusedBatchError(
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
        self._last[mat, match] = fresh[-1].seq
        return Taken(mat, match, fresh)
