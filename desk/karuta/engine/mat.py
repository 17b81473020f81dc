"""One mat: it passes what the eye saw and the reader read to the engine, as events of the game."""

from collections.abc import Iterable

from desk.karuta.engine.engine import Engine, Origin
from referee.facts import FieldSettled, Gap, KimarijiCompleted, PoemStarted
from referee.karuta.flow.events import MemoriseEnded, MemoriseStarted, PoemFinished
from referee.karuta.flow.state import Phase
from vision.poem.events import PoemSeen, WatchEvent


class Mat:
    """Submits a match's facts to its engine; `seen` is what the eye saw of the latest poem ruled on."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.seen: PoemSeen | None = None

    @property
    def is_over(self) -> bool:
        return self.engine.state.phase is Phase.ENDED

    def open_match(self, t_ns: int) -> bool:
        """Begin the match, without time to memorise, if the field was seen; tell whether it has begun."""
        if self.engine.state.phase is Phase.SET_UP and len(self.engine.state.home):
            self.engine.submit(MemoriseStarted(t_ns), Origin.DESK)
            self.engine.submit(MemoriseEnded(), Origin.DESK)
        return self.engine.state.phase is not Phase.SET_UP

    def hear(self, *sounds: PoemStarted | KimarijiCompleted | Gap) -> None:
        for sound in sounds:
            self.engine.submit(sound, Origin.READER)

    def tell(self, events: Iterable[WatchEvent]) -> None:
        for event in events:
            if isinstance(event, FieldSettled):
                self.engine.submit(event, Origin.EYE)
            else:
                self._tell_poem(event)

    def leave_to_officials(self, unseen: Gap) -> None:
        """End the open poem with a gap, because the eye saw nothing of it."""
        self.engine.submit(unseen, Origin.EYE)
        self.engine.submit(PoemFinished(), Origin.EYE)

    def _tell_poem(self, seen: PoemSeen) -> None:
        state = self.engine.state
        if state.phase is not Phase.READING or state.poem != seen.start.poem:
            return  # a person declared it void, or ruled on it, while the eye still watched it
        self.seen = seen
        for fact in seen.facts:
            self.engine.submit(fact, Origin.EYE)
        self.engine.submit(PoemFinished(), Origin.EYE)
