"""A match's port for the panel, on top of the engine, and the poems that officials name or correct."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path

from desk.errors import EventLogError
from desk.karuta.engine.correction import correct_poem, latest_poem
from desk.karuta.engine.engine import Engine, Happened, Origin
from desk.karuta.engine.events import CODEC, PoemNamed
from desk.karuta.engine.minutes import read_minutes
from desk.karuta.engine.officials import carry_out, origin_of
from desk.karuta.engine.snapshot import snapshot
from desk.karuta.eye.watcher import Watch
from desk.karuta.readers.reader import Reader
from desk.log.clocks import Clock
from desk.panel.match.port import Caption, CommandResult, EventSeen, Health, Refusal, Snapshot
from desk.panel.match.requests import Command, NamePoem
from desk.tables.evidence.clip_request import clip_of
from desk.tables.evidence.events import was_deleted
from referee.facts import KimarijiCompleted, PoemStarted, Testimony
from referee.karuta.flow.state import Phase
from vision.poem.events import PoemSeen

_AT_ONCE = 256  # entries sent to a viewer in a row before the loop's other work gets its turn
_PATIENCE_S = 2.0  # if the eye does not answer in this time, it is stuck, and its earlier facts are used

Renamed = Callable[[PoemSeen | None, PoemStarted, KimarijiCompleted | None], None]
"""Called for a poem that is refereed anew, with what the eye saw of it under the right name."""


@dataclass(eq=False)
class MatchPort:
    """The panel's port to a match; see `desk.panel.match.port.Port`. It runs in the loop of the engine.

    `health`: returns the latest figures and warnings. `preview`: returns the latest picture as JPEG, or None.
    `t_ku_ns`: returns the beginnings of the ku of the poem being read. `names`: takes officials' names for
    poems; None for a match that is over. `is_watched`: whether an eye or a reader follows the match.
    """

    engine: Engine
    _: KW_ONLY
    clock: Clock
    evidence_folder: Path
    health: Callable[[], Health]
    preview: Callable[[], bytes | None] = lambda: None
    t_ku_ns: Callable[[], Sequence[int]] = tuple
    names: PoemNames | None = None
    is_watched: bool = True
    is_stored: bool = False

    def __post_init__(self) -> None:
        self._closed = False
        self._waiting: set[asyncio.Event] = set()

    def close(self) -> None:
        """End every viewer's stream of events."""
        self._closed = True
        for waiting in self._waiting:
            waiting.set()

    def state(self) -> Snapshot:
        return snapshot(
            self.engine,
            self.t_ku_ns(),
            takes_names=self.names is not None and self.names.reader.takes_names,
            is_live=self.names is not None,
            is_watched=self.is_watched,
            is_stored=self.is_stored,
        )

    async def events(self, after_seq: int) -> AsyncIterator[EventSeen]:
        """Iterate over the log's entries after `after_seq`, without gaps, until the match is closed.

        The listener only wakes this up; the entries come from the log, so that a slow viewer misses nothing.
        """
        changed = asyncio.Event()
        leave = self.engine.news.listen(changed.set)
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
            leave()
            self._waiting.discard(changed)

    async def command(self, command: Command) -> CommandResult:
        asked, names = command.request, self.names
        if not isinstance(asked, NamePoem):
            return carry_out(self.engine, command, self.clock())
        if names is None:
            return CommandResult(refusal=Refusal.NOT_NOW)
        if asked.name == "name_poem":
            return names.name(asked.poem, origin_of(command))
        return await names.correct(asked.poem, origin_of(command))

    @property
    def last_seq(self) -> int:
        return self.engine.history[-1].seq

    def seen_after(self, seq: int) -> list[EventSeen]:
        return [_seen(entry) for entry in self._after(seq)]

    def _after(self, seq: int) -> list[Happened]:
        history = self.engine.history
        return history[bisect_right(history, seq, key=lambda entry: entry.seq) :]

    def evidence(self, ruling_seq: int) -> Path | None:
        name = self.evidence_name(ruling_seq)
        path = None if name is None else self.evidence_folder / name
        return path if path is not None and path.is_file() else None

    def evidence_name(self, ruling_seq: int) -> str | None:
        """Return the file name of a ruling's bundle according to the log, None if it names none."""
        for minute in read_minutes(self.engine.history):
            if ruling_seq in minute.seqs and minute.evidence is not None:
                return minute.evidence
        return None

    def evidence_was_deleted(self) -> bool:
        return was_deleted(self.evidence_folder)

    async def clip(self, ruling_seq: int, caption: Caption) -> Path | None:
        bundle = self.evidence(ruling_seq)
        return None if bundle is None else await clip_of(bundle, caption)


def _seen(entry: Happened) -> EventSeen:
    kind, _, payload = CODEC.encode(entry.event)
    return {
        "seq": entry.seq,
        "kind": kind,
        "origin": entry.origin.value,
        "wall": entry.wall,
        "payload": payload,
    }


@dataclass(eq=False)
class PoemNames:
    """Takes officials' names for poems: the verse that is being read, or a correction of the latest poem.

    `watch`: the eye; None if officials work without one. `renamed`: called after a correction.
    """

    engine: Engine
    reader: Reader
    watch: Watch | None
    clock: Clock
    renamed: Renamed

    def name(self, poem: int, origin: Origin) -> CommandResult:
        state = self.engine.state
        is_named = state.phase is Phase.READING and not self.reader.waits_for_name
        before_or_after = state.phase in (Phase.SET_UP, Phase.MEMORISE, Phase.ENDED)
        if is_named or before_or_after or not self.reader.takes_names:
            return CommandResult(refusal=Refusal.NOT_NOW)
        if poem not in state.unread:
            return CommandResult(refusal=Refusal.READ_ALREADY)
        try:
            named = self.engine.note(PoemNamed(poem), origin)
        except EventLogError:
            return CommandResult(refusal=Refusal.NOT_KEPT)
        self.reader.name(poem, self.clock())
        return CommandResult(seq=named.seq)

    async def correct(self, poem: int, origin: Origin) -> CommandResult:
        """Give the latest poem its right name and referee it anew."""
        was = latest_poem(self.engine)
        if was is None or poem == was.start.poem:
            return CommandResult(refusal=Refusal.NOT_NOW)
        if poem not in self.engine.state.unread:
            return CommandResult(refusal=Refusal.READ_ALREADY)
        cue = self.reader.renamed(poem)
        start = replace(was.start, poem=poem) if cue is None else cue.start
        seen = await self._seen_anew(start)
        if latest_poem(self.engine) != was:  # the match went on meanwhile
            return CommandResult(refusal=Refusal.NO_SUCH_EVENT)
        decided = None if cue is None else cue.decided(self.engine.state.unread)
        facts: Sequence[Testimony] = was.seen if seen is None else seen.facts
        try:
            sounds = (start,) if decided is None else (start, decided)
            seq = correct_poem(self.engine, was, sounds, facts, origin)
        except EventLogError:
            return CommandResult(refusal=Refusal.NOT_KEPT)
        self.renamed(seen, start, decided)
        return CommandResult(seq=seq)

    async def _seen_anew(self, start: PoemStarted) -> PoemSeen | None:
        """Return what the eye saw of the latest poem under another name; None if it does not answer."""
        if self.watch is None:
            return None
        answer = self.watch.ask(lambda eye: eye.poem_renamed(start))
        try:
            events = await asyncio.wait_for(asyncio.wrap_future(answer), _PATIENCE_S)
        except TimeoutError:
            return None
        return next((event for event in events if isinstance(event, PoemSeen)), None)
