"""The replays of a card game's steps, for its page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from desk.panel.match.port import Caption
from desk.tables.desk import TableDesk
from desk.tables.evidence.clip_request import clip_of
from desk.tables.evidence.events import EvidenceKept


class Replays:
    """See `desk.panel.table.replay_port.ReplayPort`. `desk`: the game, whose log names the bundles."""

    def __init__(self, desk: TableDesk[Any]) -> None:
        self._desk = desk

    def evidence(self, seq: int) -> Path | None:
        for number, event in self._desk.history:
            if number == seq and isinstance(event, EvidenceKept):
                return self._desk.evidence_folder / event.name
        return None

    async def clip(self, seq: int, caption: Caption) -> Path | None:
        """Return the film of a bundle, made at the first request."""
        bundle = self.evidence(seq)
        return None if bundle is None else await clip_of(bundle, caption)
