"""A reading for its followers: what was read, what is being read, and what may be shown now.

Players see the page too, so a poem is shown only after its first half has been read to the end.
"""

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from desk.log.clocks import Clock
from desk.panel.reciter.port import (
    NO_LISTENER,
    NO_SOUND,
    READER_FAILED,
    SOUND_LOST,
    Block,
    KimarijiChanged,
    ReadingNow,
)
from recitation.playback.player import Player
from recitation.playback.reports import (
    ASKED_FOR,
    Act,
    Failed,
    Memorising,
    Opened,
    PhraseStarted,
    Report,
    SoundBack,
    SoundBlock,
    SoundLost,
    State,
    StateChanged,
    Underran,
)
from recitation.playback.sound_out import Heard, Listened
from recitation.reading.phrase import JOKA, Half
from recitation.reading.plan import sample_to_ns
from recitation.reading.practice import Step
from referee.cards.kimariji import kimariji, shrunk_by

_LATEST_CHANGES = 12
_MOST_BLOCKS = 30


@dataclass
class ReciteSession:
    """One reading, from its first report to its end; for the page's port see `desk.panel.reciter.port`."""

    player: Player  # carries out commands
    steps: Sequence[Step]
    streamed: bool = False
    now_ns: Clock = time.perf_counter_ns

    def __post_init__(self) -> None:
        self._lock = Lock()
        self._state, self._step = State.WAITING, 0
        self._begun: list[PhraseStarted] = []
        self._was_paused = False  # since the latest phrase began, so that it ends later than reported
        self._memorise_ends_ns: int | None = None
        self._underruns = 0
        self._volume = 1.0
        self._problem = self._why = ""
        self._is_listened: bool | None = None
        self._listeners: list[deque[Block]] = []

    def take(self, report: Report) -> None:
        with self._lock:
            match report:
                case StateChanged():
                    self._state, self._step = report.state, report.step
                    self._was_paused |= report.state is State.PAUSED
                case PhraseStarted():
                    self._begun.append(report)
                    self._was_paused = False
                case Memorising(ends_ns=ends_ns):
                    self._memorise_ends_ns = ends_ns
                case Underran(count=count):
                    self._underruns = count
                case Opened(silent=text) if text not in {"", ASKED_FOR}:
                    self._problem, self._why = NO_SOUND, text
                case Failed(text=text):
                    self._problem, self._why = READER_FAILED, text
                case SoundLost(has_no_listener=has_no_listener):
                    self._problem = NO_LISTENER if has_no_listener else SOUND_LOST
                case Opened() | SoundBack():
                    self._problem = self._why = ""
                case SoundBlock():
                    for waiting in self._listeners:
                        waiting.append(report)
                    self._look_for_listeners()
                case _:
                    pass

    def do(self, name: str, value: float = 0.0) -> bool:
        """Carry out a command of the page; return False if a reciter does not know it."""
        try:
            act = Act(name)
        except ValueError:
            return False
        if act is Act.VOLUME:
            self._volume = min(max(value, 0.0), 1.0)
        self.player.do(act, value)
        return True

    def heard(self, sample: int, t_ns: int, unc_ns: int, underruns: int) -> None:
        self.player.send(Heard(sample, t_ns, unc_ns, underruns))

    def listen(self) -> deque[Block]:
        """Return a queue that receives blocks of sound from now on; if it is full, the oldest are dropped."""
        waiting: deque[Block] = deque(maxlen=_MOST_BLOCKS)
        with self._lock:
            self._listeners.append(waiting)
            self._look_for_listeners()
        return waiting

    def unlisten(self, waiting: deque[Block]) -> None:
        with self._lock:
            self._listeners = [own for own in self._listeners if own is not waiting]
            self._look_for_listeners()

    def _look_for_listeners(self) -> None:
        """Tell the player whether somebody takes the sound: a queue that is full is not read any more."""
        is_listened = any(len(waiting) < _MOST_BLOCKS for waiting in self._listeners)
        if is_listened is not self._is_listened:
            self._is_listened = is_listened
            self.player.send(Listened(is_listened))

    def now(self) -> ReadingNow:
        now_ns = self.now_ns()
        with self._lock:
            told = self._read_poems(now_ns)
            sounding = self._begun[-1] if self._begun and self._state is State.READING else None
            is_on = sounding is not None and (self._was_paused or now_ns < _ends_ns(sounding))
            current = sounding if is_on else None
            return {
                "state": str(self._state),
                "step": self._step,
                "steps": len(self.steps),
                "half": str(current.phrase.half) if current is not None else None,
                "is_joka": current is not None and current.phrase.poem == JOKA,
                "read": told,
                "poems": len(self.order()),
                "changes": self._changes(told)[-_LATEST_CHANGES:],
                "memorise_ends_ns": self._memorise_ends_ns if self._state is State.MEMORISING else None,
                "underruns": self._underruns,
                "volume": self._volume,
                "problem": self._problem,
                "why": self._why,
                "streamed": self.streamed,
            }

    def order(self) -> tuple[int, ...]:
        """Return the poems of this reading in their order, for reviewing the game."""
        return tuple(
            dict.fromkeys(phrase.poem for step in self.steps for phrase in step if phrase.poem != JOKA)
        )

    def _read_poems(self, now_ns: int) -> list[int]:
        """Return the poems whose first half (or whose only half) has been read to its end, in order."""
        has_kami = {begun.phrase.poem for begun in self._begun if begun.phrase.half is Half.KAMI}
        ended = [begun for begun in self._begun if self._has_ended(begun, now_ns)]
        told = dict.fromkeys(
            begun.phrase.poem
            for begun in ended
            if begun.phrase.half is Half.KAMI or begun.phrase.poem not in has_kami
        )
        return [poem for poem in told if poem != JOKA]

    def _has_ended(self, begun: PhraseStarted, now_ns: int) -> bool:
        if begun is not self._begun[-1]:
            return True
        return now_ns >= _ends_ns(begun) and not (
            self._was_paused and self._state in {State.READING, State.PAUSED}
        )

    def _changes(self, told: Sequence[int]) -> list[KimarijiChanged]:
        unread = set(self.order())
        found: list[KimarijiChanged] = []
        for poem in told:
            found += [
                {"poem": one.poem, "before": one.before, "now": one.now, "since": one.since}
                for one in shrunk_by(poem, unread)
            ]
            unread.discard(poem)
        return found

    def kimariji_of(self, poem: int) -> str:
        """Return the kimariji of a poem at the time when it was read."""
        told = self._read_poems(self.now_ns())
        read_before = told[: told.index(poem)] if poem in told else told
        return kimariji(poem, set(self.order()) - set(read_before) | {poem})


def _ends_ns(begun: PhraseStarted) -> int:
    return begun.t_ns + sample_to_ns(begun.samples)
