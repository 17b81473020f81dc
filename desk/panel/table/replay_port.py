"""The port of the replays of a card game's steps."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from desk.panel.match.port import Caption


class ReplayPort(Protocol):
    """The replays of a game; each is identified by the number of the log's event that names it."""

    def evidence(self, seq: int) -> Path | None:
        """Return the path of the bundle that an event names, or None; the file may be deleted."""

    async def clip(self, seq: int, caption: Caption) -> Path | None:
        """Return the film of a bundle; DeskError if the bundle is damaged or deleted."""


class ReplayedPort(Protocol):
    """A running game whose steps have replays."""

    @property
    def replays(self) -> ReplayPort:
        """The pictures of its steps."""
