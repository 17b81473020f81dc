"""One mat: what the eye sees and the reader reads goes to the engine, in the order in which it happened."""

from __future__ import annotations

from collections.abc import Iterable

from desk.engine import Engine, Origin
from referee.facts import FieldSettled, PoemStarted
from referee.karuta.events import MemoriseEnded, MemoriseStarted, PoemFinished
from referee.karuta.state import Phase
from vision.frames import Frame
from vision.match_watcher import MatchWatcher, PoemSeen, WatchEvent


class Mat:
    """The eye and the engine of one match.

    Attributes
    ----------
    engine : the one writer of the match.
    watcher : the eye.
    latest : the poem that was seen last, with its layout in the picture; None before the first.
    """

    def __init__(self, engine: Engine, watcher: MatchWatcher | None = None) -> None:
        self.engine = engine
        self.watcher = watcher or MatchWatcher()
        self.latest: PoemSeen | None = None

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.engine.state.phase is Phase.ENDED

    def open_match(self, t_ns: int) -> bool:
        """Begin the match once the field was seen, without time to memorise; tell whether it has begun."""
        if self.engine.state.phase is Phase.SET_UP and len(self.engine.state.home):
            self.engine.submit(MemoriseStarted(t_ns), Origin.DESK)
            self.engine.submit(MemoriseEnded(), Origin.DESK)
        return self.engine.state.phase is not Phase.SET_UP

    def hear(self, start: PoemStarted) -> None:
        """Take note of a poem's first sound."""
        self._tell(self.watcher.poem_started(start))
        self.engine.submit(start, Origin.READER)

    def see(self, frame: Frame) -> None:
        """Look at the next picture."""
        self._tell(self.watcher.feed(frame))

    def close(self) -> None:
        """End with the pictures: what was seen of an open poem counts."""
        self._tell(self.watcher.close())

    def _tell(self, events: Iterable[WatchEvent]) -> None:
        for event in events:
            if isinstance(event, FieldSettled):
                self.engine.submit(event, Origin.EYE)
            else:
                self._tell_poem(event)

    def _tell_poem(self, seen: PoemSeen) -> None:
        self.latest = seen
        state = self.engine.state
        if state.phase is not Phase.READING or state.poem != seen.start.poem:
            return  # it was declared void, or ruled on by a person, while it was still being watched
        for fact in seen.facts:
            self.engine.submit(fact, Origin.EYE)
        self.engine.submit(PoemFinished(), Origin.EYE)
