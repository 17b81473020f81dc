"""The one writer of a game at a card table: it logs events of the eye and of people, and updates the game."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Final, Generic

from desk.log.clocks import Clock, WallClock, match_clock, wall_clock
from desk.log.damaged_log import LeftOut
from desk.log.event_codec import EventCodec
from desk.log.event_log import EventLog, LogEntry
from desk.log.fanout import Fanout
from desk.tables.log_follower import Following, G
from desk.tables.recording import Declaration
from desk.tables.table_events import TakenBack, Unseen, instant_ms

PATIENCE_MS: Final = 6000.0
"""How long a word that comes before the table is at rest waits for its turn to be seen."""


class Origin(StrEnum):
    """Who said it."""

    EYE = "eye"
    PLAYER = "player"
    OPERATOR = "operator"
    DESK = "desk"


class TableDesk(ABC, Generic[G]):
    """A running game in its log, with `news` of each number; `left_ms`: where an interrupted one was left."""

    codec: ClassVar[EventCodec]  # the codec of the game's events
    corrections: ClassVar[tuple[type, ...]]
    """Events that can change earlier ones; after them the whole log is read again."""
    words: ClassVar[tuple[type, ...]]
    """Events of people, which can be taken back as corrections can; what lies on the table cannot."""
    unseen: ClassVar[type[Unseen]]  # the event of a stretch in which nobody saw the table

    def __init__(
        self,
        log: EventLog,
        opened: object | None = None,
        *,
        clock: Clock = match_clock,
        wall: WallClock = wall_clock,
    ) -> None:
        self._log, self._clock, self._wall = log, clock, wall
        self._news = Fanout()
        left_out = LeftOut(log)
        self.history: list[tuple[int, Any]] = [
            (entry.seq, event) for entry, event in left_out.readable(self.codec)
        ]
        self.left_ms: float | None = None
        if log.last_seq:
            self.left_ms = max((instant_ms(event) for _, event in self.history), default=0.0)
        elif opened is None:
            raise ValueError("a new game needs its opening")
        else:
            self._store(opened, Origin.DESK)
        self._following: Following[G] = Following(self.read, self.history)
        self._following.failures += left_out.problems

    @staticmethod
    @abstractmethod
    def read(history: Sequence[tuple[int, Any]]) -> G:
        """Return the game of a log; ValueError if the log does not begin with an opening.

        Raises `desk.tables.log_follower.ScribeError` if the scribe fails at an event.
        """

    @property
    def game(self) -> G:
        return self._following.game

    @property
    def evidence_folder(self) -> Path:
        """Where the pictures of the game are kept, beside its log."""
        return self._log.path.with_suffix(".evidence")

    @property
    def failures(self) -> Sequence[str]:
        """What was left out of the log, and the scribe's errors at events that it left out, for people."""
        return self._following.failures

    @property
    def last_seq(self) -> int:
        return self.history[-1][0]

    def tell(self, event: Any, origin: Origin = Origin.EYE) -> int:
        """Log an event, let the game follow it, and return its number; EventLogError if it is not stored."""
        seq = self._store(event, origin)
        rewrites = isinstance(event, (TakenBack, *self.corrections))
        take = self._following.rewrite if rewrites else self._following.follow
        take(seq, event)
        self._news.tell()
        return seq

    @staticmethod
    @abstractmethod
    def word(spoken: Declaration) -> object:
        """Return a declaration of a film's player as an event of the log."""

    def hear(self, spoken: Declaration) -> bool:
        """Log what a film's player says; return False if the rules do not allow it yet."""
        self.tell(self.word(spoken), Origin.PLAYER)
        return True

    def undo(self) -> int | None:
        """Take back the latest word or correction that still counts; None if there is none."""
        kinds = (*self.words, *self.corrections)
        gone = {event.seq for _, event in self.history if isinstance(event, TakenBack)}
        said = (seq for seq, event in reversed(self.history) if seq not in gone and isinstance(event, kinds))
        latest = next(said, None)
        return None if latest is None else self.tell(TakenBack(latest), Origin.OPERATOR)

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every event until the returned function is called."""
        return self._news.listen(wake)

    def _store(self, event: object, origin: Origin) -> int:
        seq = self._log.last_seq + 1
        kind, version, payload = self.codec.encode(event)
        self._log.append([LogEntry(seq, self._clock(), self._wall(), origin.value, kind, version, payload)])
        self.history.append((seq, event))
        return seq


class Attendant:
    """Submits events to the desk; a word that does not fit within `PATIENCE_MS` is left out."""

    def __init__(self, desk: TableDesk[Any], words: Iterable[Declaration] = ()) -> None:
        self._desk, self._words = desk, deque(words)

    @property
    def failures(self) -> Sequence[str]:
        return self._desk.failures

    def seen(self, event: object) -> None:
        """Submit what the eye has seen, after what that implies."""
        implied = self._desk.game.implied(event)
        if implied is not None:
            self._desk.tell(implied, Origin.EYE)
        self._desk.tell(event)

    def at(self, t_ms: float) -> None:
        """Submit the words that are due at `t_ms` on the table's clock."""
        while self._words and self._words[0].t_ms <= t_ms:
            word = self._words[0]
            if not self._desk.hear(word) and t_ms - word.t_ms <= PATIENCE_MS:
                return
            self._words.popleft()
