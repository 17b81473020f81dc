"""A match's port for the panel: `desk.panel.match.port.Port` on top of the engine."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from desk.karuta.engine.engine import Engine, Happened, Origin
from desk.karuta.engine.events import CODEC
from desk.karuta.engine.minutes import read_minutes
from desk.karuta.engine.officials import carry_out, origin_of
from desk.karuta.engine.snapshot import snapshot
from desk.karuta.house.poem_names import PoemNames
from desk.log.clocks import Clock
from desk.panel.match.port import Caption, CommandResult, EventSeen, Health, Refusal, Snapshot
from desk.panel.match.requests import Command, NamePoem
from desk.tables.evidence.clip_request import clip_of
from desk.tables.evidence.deletion import was_deleted

_AT_ONCE = 256  # entries sent to a viewer in a row before the loop's other work gets its turn


class MatchPort:
    """The panel's port to a match. All methods run in the thread of the engine's asyncio loop.

    Parameters
    ----------
    health : returns the latest figures and warnings.
    preview : returns the latest picture as JPEG, or None.
    t_ku_ns : returns the beginnings of the ku of the poem being read.
    names : takes officials' names for poems; None for a match that is over.
    is_watched : whether an eye or a reader follows the match.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        clock: Clock,
        evidence_folder: Path,
        health: Callable[[], Health],
        preview: Callable[[], bytes | None] = lambda: None,
        t_ku_ns: Callable[[], Sequence[int]] = tuple,
        names: PoemNames | None = None,
        is_watched: bool = True,
        is_stored: bool = False,
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._evidence_folder = evidence_folder
        self._health = health
        self._preview = preview
        self._t_ku_ns = t_ku_ns
        self._names, self._is_watched, self._is_stored = names, is_watched, is_stored
        self._closed = False
        self._waiting: set[asyncio.Event] = set()

    def close(self) -> None:
        """End every viewer's stream of events."""
        self._closed = True
        for waiting in self._waiting:
            waiting.set()

    def state(self) -> Snapshot:
        takes_names = self._names is not None and self._names.are_taken
        return snapshot(
            self._engine,
            self._t_ku_ns(),
            takes_names=takes_names,
            is_live=self._names is not None,
            is_watched=self._is_watched,
            is_stored=self._is_stored,
        )

    def health(self) -> Health:
        """Return the latest figures and warnings."""
        return self._health()

    async def events(self, after_seq: int) -> AsyncIterator[EventSeen]:
        """Iterate over the log's entries after `after_seq`, without gaps, until the match is closed.

        The listener only wakes this up; the entries come from the log, so that a slow viewer misses nothing.
        """
        changed = asyncio.Event()
        listener = self._engine.news.listen(capacity=1, wake=changed.set)
        self._waiting.add(changed)
        place = after_seq
        try:
            while True:
                changed.clear()
                entries = self._after(place)[:_AT_ONCE]
                for entry in entries:
                    yield _seen(entry)
                    place = entry.seq
                if entries:
                    await asyncio.sleep(0)
                elif self._closed:
                    return
                else:
                    await changed.wait()
        finally:
            self._engine.news.leave(listener)
            self._waiting.discard(changed)

    async def command(self, command: Command) -> CommandResult:
        if isinstance(command.request, NamePoem):
            return await self._name(command.request, origin_of(command))
        return carry_out(self._engine, command, self._clock())

    async def _name(self, asked: NamePoem, origin: Origin) -> CommandResult:
        if self._names is None:
            return CommandResult(refusal=Refusal.NOT_NOW)
        if asked.name == "name_poem":
            return self._names.name(asked.poem, origin)
        return await self._names.correct(asked.poem, origin)

    @property
    def last_seq(self) -> int:
        """Number of the latest entry."""
        return self._engine.history[-1].seq

    def seen_after(self, seq: int) -> list[EventSeen]:
        """Return the log's entries after number `seq`."""
        return [_seen(entry) for entry in self._after(seq)]

    def _after(self, seq: int) -> list[Happened]:
        history = self._engine.history
        return history[bisect_right(history, seq, key=lambda entry: entry.seq) :]

    def evidence(self, ruling_seq: int) -> Path | None:
        name = self.evidence_name(ruling_seq)
        path = None if name is None else self._evidence_folder / name
        return path if path is not None and path.is_file() else None

    def evidence_name(self, ruling_seq: int) -> str | None:
        """Return the file name of a ruling's bundle according to the log, None if it names none."""
        for minute in read_minutes(self._engine.history):
            if ruling_seq in minute.seqs and minute.evidence is not None:
                return minute.evidence
        return None

    def evidence_was_deleted(self) -> bool:
        return was_deleted(self._evidence_folder)

    async def clip(self, ruling_seq: int, caption: Caption) -> Path | None:
        bundle = self.evidence(ruling_seq)
        return None if bundle is None else await clip_of(bundle, caption)

    def preview(self) -> bytes | None:
        return self._preview()


def _seen(entry: Happened) -> EventSeen:
    kind, _, payload = CODEC.encode(entry.event)
    return {
        "seq": entry.seq,
        "kind": kind,
        "origin": entry.origin.value,
        "wall": entry.wall,
        "payload": payload,
    }
