"""A mat's match for the board's page: read from its copy, and read again when the copy has grown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from desk.errors import DeskError
from desk.karuta.house.history import match_in
from desk.karuta.house.panel_port import MatchPort
from desk.panel.match.port import Caption, CommandResult, EventSeen, Health, Refusal, Snapshot
from desk.panel.match.requests import Command

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
        """Iterate over the entries after `after_seq` as they come."""
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
        """Return the replay of a ruling, None if it was not fetched."""
        return self._read().evidence(ruling_seq)

    def evidence_name(self, ruling_seq: int) -> str | None:
        """Return the file name of a ruling's replay, None if the mat has none."""
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
