"""A mat's match as the board's page sees it: read out of its copy, and anew when that has grown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from desk.errors import DeskError
from desk.karuta.house.history import match_in
from desk.karuta.house.panel_port import MatchPort
from desk.panel.match.port import (
    Caption,
    Command,
    CommandResult,
    EventSeen,
    Health,
    Refusal,
    Snapshot,
)

_PACE_S: Final = 0.5
"""To read a match anew takes some 50 ms; nobody looks faster."""


class CopiedMatch:
    """A match to look at; `desk.panel.match.port.Port` without commands.

    Parameters
    ----------
    path : of its copy.
    last_seq : tells how far the copy has come.

    Raises
    ------
    DeskError
        If the copy cannot be understood.
    """

    def __init__(self, path: Path, last_seq: Callable[[], int]) -> None:
        self._path, self._last_seq = path, last_seq
        self._port = match_in(path, strict=False)
        self._read_seq = self._port.last_seq
        self._waiting: set[asyncio.Event] = set()

    def grown(self) -> None:
        """Tell who looks that the copy has grown."""
        for waiting in self._waiting:
            waiting.set()

    def state(self) -> Snapshot:
        """Return the match as the copy has it."""
        return self._read().state()

    def health(self) -> Health:
        """Return nothing but the instant of the latest entry: the mat's health is on the floor's page."""
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
        """Refuse: a match is commanded at its mat."""
        return CommandResult(refusal=Refusal.NOT_NOW)

    def evidence(self, ruling_seq: int) -> Path | None:
        """Return the replay of a ruling, None where it was not fetched."""
        return self._read().evidence(ruling_seq)

    def evidence_name(self, ruling_seq: int) -> str | None:
        """Return the file's name of a ruling's replay, None where the mat keeps none."""
        return self._read().evidence_name(ruling_seq)

    @property
    def evidence_folder(self) -> Path:
        """Where replays that were fetched lie."""
        return self._path.with_suffix(".evidence")

    def evidence_was_deleted(self) -> bool:
        """Tell whether the pictures were deleted here on purpose."""
        return self._port.evidence_was_deleted()

    async def clip(self, ruling_seq: int, caption: Caption) -> Path | None:
        """Return the replay as a film."""
        return await self._read().clip(ruling_seq, caption)

    def preview(self) -> bytes | None:
        """Return nothing: no live picture leaves a mat."""
        return None

    def _read(self) -> MatchPort:
        latest = self._last_seq()
        if latest > self._read_seq:
            self._read_seq = latest
            with suppress(DeskError):  # what was understood stays on the page
                self._port = match_in(self._path, strict=False)
        return self._port
