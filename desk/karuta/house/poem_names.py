"""Officials naming poems: the verse that is being read, or a correction of the latest poem."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from desk.errors import EventLogError
from desk.karuta.engine.correction import correct_poem, latest_poem
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import PoemNamed
from desk.karuta.eye.watcher import Watch
from desk.karuta.readers.reader import Reader
from desk.log.clocks import Clock
from desk.panel.match.port import CommandResult, Refusal
from referee.facts import KimarijiCompleted, PoemStarted, Testimony
from referee.karuta.flow.state import Phase
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen

_PATIENCE_S = 2.0  # if the eye does not answer in this time, it is stuck, and its earlier facts are used

Renamed = Callable[[PoemSeen | None, PoemStarted, KimarijiCompleted | None], None]
"""Called for a poem that is refereed anew, with what the eye saw of it under the right name."""


class PoemNames:
    """Takes officials' names for poems.

    `engine`, `reader`, `watch`: the match, its reader and its eye; None for the eye if officials work without
    one. `renamed`: called after a correction.
    """

    def __init__(
        self, engine: Engine, reader: Reader, watch: Watch | None, clock: Clock, renamed: Renamed
    ) -> None:
        self._engine = engine
        self._reader = reader
        self._watch = watch
        self._clock = clock
        self._renamed = renamed

    @property
    def are_taken(self) -> bool:
        """Whether a person reads, so that officials may name the poems."""
        return self._reader.takes_names

    def name(self, poem: int, origin: Origin) -> CommandResult:
        """Name the verse that is being read."""
        state = self._engine.state
        is_named = state.phase is Phase.READING and not self._reader.waits_for_name
        before_or_after = state.phase in (Phase.SET_UP, Phase.MEMORISE, Phase.ENDED)
        if is_named or before_or_after or not self._reader.takes_names:
            return CommandResult(refusal=Refusal.NOT_NOW)
        if poem not in state.unread:
            return CommandResult(refusal=Refusal.READ_ALREADY)
        try:
            named = self._engine.note(PoemNamed(poem), origin)
        except EventLogError:
            return CommandResult(refusal=Refusal.NOT_KEPT)
        self._reader.name(poem, self._clock())
        return CommandResult(seq=named.seq)

    async def correct(self, poem: int, origin: Origin) -> CommandResult:
        """Give the latest poem its right name and referee it anew."""
        was = latest_poem(self._engine)
        if was is None or poem == was.start.poem:
            return CommandResult(refusal=Refusal.NOT_NOW)
        if poem not in self._engine.state.unread:
            return CommandResult(refusal=Refusal.READ_ALREADY)
        cue = self._reader.renamed(poem)
        start = replace(was.start, poem=poem) if cue is None else cue.start
        seen = await self._seen_anew(start)
        if latest_poem(self._engine) != was:  # the match went on meanwhile
            return CommandResult(refusal=Refusal.NO_SUCH_EVENT)
        decided = None if cue is None else cue.decided(self._engine.state.unread)
        facts: Sequence[Testimony] = was.seen if seen is None else seen.facts
        try:
            sounds = (start,) if decided is None else (start, decided)
            seq = correct_poem(self._engine, was, sounds, facts, origin)
        except EventLogError:
            return CommandResult(refusal=Refusal.NOT_KEPT)
        self._renamed(seen, start, decided)
        return CommandResult(seq=seq)

    async def _seen_anew(self, start: PoemStarted) -> PoemSeen | None:
        """Return what the eye saw of the latest poem under another name; None if it does not answer."""
        if self._watch is None:
            return None
        answer = self._watch.ask(partial(_renamed, start))
        try:
            return await asyncio.wait_for(asyncio.wrap_future(answer), _PATIENCE_S)
        except TimeoutError:
            return None


def _renamed(start: PoemStarted, eye: MatchWatcher) -> PoemSeen | None:
    return next((event for event in eye.poem_renamed(start) if isinstance(event, PoemSeen)), None)
