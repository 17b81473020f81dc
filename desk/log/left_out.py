"""What of a log cannot be read, or is impossible: it is left out, and people are told of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from desk.errors import DeskError
from desk.log.event_codec import EventCodec
from desk.log.event_log import EventLog, LogEntry
from referee.complaint import sentence_of
from referee.sentence import Sentence

_MOST_TOLD: Final = 3
"""Entries that are told one by one: of what follows from the first of them, a number is enough."""


class LeftOut:
    """The entries of a log that are left out, and what is told of them."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._noted: dict[int, Sentence] = {}

    def note(self, seq: int, why: Exception) -> None:
        """Note an entry that is left out."""
        self._noted[seq] = sentence_of(why).replacing(str(self._log.path), self.name)

    def __contains__(self, seq: int) -> bool:
        return seq in self._noted

    def readable(self, codec: EventCodec) -> Iterator[tuple[LogEntry, Any]]:
        """Iterate over the entries that can be read, each with its event; note the others."""
        for entry in self._log.entries(damaged=self.note):
            try:
                event = codec.decode(entry.kind, entry.version, entry.payload)
            except DeskError as error:
                self.note(entry.seq, error)
            else:
                yield entry, event

    @property
    def name(self) -> str:
        """Name of the log's file."""
        return self._log.path.name

    @property
    def problems(self) -> list[Sentence]:
        """What people are told."""
        told = [
            Sentence("Entry {number} of {name} is left out: {why}", number=seq, name=self.name, why=why)
            for seq, why in list(self._noted.items())[:_MOST_TOLD]
        ]
        if others := list(self._noted)[_MOST_TOLD:]:
            told.append(
                Sentence(
                    "{count} more entries of {name} are left out, from number {number} on",
                    count=len(others),
                    name=self.name,
                    number=others[0],
                )
            )
        return told
