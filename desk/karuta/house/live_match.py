"""A running match: the eye, the reader and the officials around one engine.

The eye has a thread of its own (`desk.karuta.eye.watcher`); the engine, the reader and the panel run in the
asyncio loop. A table that can wait stops while the match is paused, and at the next poem while a ruling waits
for a person.
"""

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from desk.errors import EventLogError
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import EvidenceKept, PoemSuggested
from desk.karuta.engine.mat import Mat
from desk.karuta.engine.minutes import read_minutes
from desk.karuta.evidence.replay import bundle_of, span_of
from desk.karuta.eye.watcher import Watch, WatchListener
from desk.karuta.house.health import MatchHealth
from desk.karuta.house.panel_port import MatchPort, PoemNames
from desk.karuta.readers.reader import JokaOver, JokaSounds, Reader, ReadOn, Sound
from desk.log.clocks import Clock, match_clock
from desk.machine.side_process import return_memory
from desk.panel.match.port import HallLink
from desk.tables.evidence.sound import kept_sound
from desk.tables.table import Cue, Said
from referee.facts import UNSURE, Gap, KimarijiCompleted, PoemStarted
from referee.karuta.flow.events import JokaFinished, Tick
from referee.karuta.flow.follow_ups import ReadJoka, ReadPoem, WakeAt
from referee.karuta.flow.state import Phase
from vision.match.endurance import error_line
from vision.match.evidence_ring import Bundle, EvidenceRing
from vision.poem.events import PoemSeen, WatchEvent

T = TypeVar("T")

PATIENCE_S = 20.0  # how long a ruling waits for a person at the panel before an attendant looks
_TICK_S = 0.1
_KU = 5
_LIKELY = 0.5
"""If the ear finds a poem less likely than this once it has heard more, an official says which one it was.

Of 119 verses of four synthetic readers it named 4 wrongly at first; all 4 fell below within three seconds,
and so did 3 of the 115 right ones (`python -m benchmarks.recitation.crossing`).
"""
_BEFORE_PLAY = (Phase.SET_UP, Phase.MEMORISE)


class Attendant(Protocol):
    """Decides instead of absent officials, such as the official of a simulated match."""

    def learn(self, cue: Cue) -> None:
        """Learn the truth about the poem that begins."""

    def attend(self) -> None:
        """Decide a ruling that waits for a person."""

    def before_poem(self) -> None:
        """Clear the way for the next poem."""


class LiveMatch(WatchListener):
    """A running match. `begin` and all methods but those of `WatchListener` run in the loop.

    `mat`: submits the eye's facts to the engine. `watch`: the eye; None if officials work without one.
    `reader`: reads the poems, or follows a person who reads; by default they come with the pictures.
    `attendant`: decides instead of people, after `patience_s`. `opens_itself`: whether the match begins by
    itself once the field was seen. `hall_link`: returns the state of the link to the hall. `keeps_sound`:
    whether replays keep what the microphone heard, or else what the reader said.
    """

    def __init__(
        self,
        engine: Engine,
        watch: Watch | None,
        evidence_folder: Path,
        *,
        reader: Reader | None = None,
        attendant: Attendant | None = None,
        patience_s: float = PATIENCE_S,
        opens_itself: bool = False,
        hall_link: Callable[[], HallLink] | None = None,
        keeps_sound: bool = True,
    ) -> None:
        self.engine = engine
        self.mat = Mat(engine)
        self.watch = watch
        self._evidence_folder = evidence_folder
        self.reader: Reader = reader or Reader()
        self._attendant = attendant
        self._patience_s = patience_s
        self._opens_itself = opens_itself
        self._keeps_sound = keeps_sound
        self._clock: Clock = match_clock if watch is None else watch.table.clock
        self._health = MatchHealth(engine, watch, self.reader, self._clock, hall_link)
        self.port = MatchPort(
            engine,
            clock=self._clock,
            evidence_folder=evidence_folder,
            health=self._health.told,
            preview=(lambda: None) if watch is None else watch.preview,
            t_ku_ns=lambda: self._t_ku_ns,
            names=PoemNames(engine, self.reader, watch, self._clock, self._renamed),
            is_watched=watch is not None or reader is not None,
        )
        self._replay: EvidenceRing | None = None
        self._t_ku_ns: Sequence[int] = ()
        self._decided: KimarijiCompleted | None = None
        self._doubted_ns: int | None = None
        self._said: list[Said] = []
        self._said_lock = threading.Lock()
        self._wake_at_ns: list[int] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._waits_since_s: float | None = None
        self._closed = False
        self._owed: Gap | None = None
        self._poem_ns = 0
        self._resumes_at = 0

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin in the loop that owns the engine; the eye reports to this match from now on."""
        return_memory()
        self._loop = loop
        self.engine.news.listen(self._follow)
        self._resumes_at = len(self.engine.history)
        state = self.engine.state
        if state.phase is Phase.JOKA:  # an interrupted match: ask the reader again
            self.reader.follow(ReadJoka(), state.unread)
        elif state.asked:
            self.reader.follow(ReadPoem(), state.unread)
        self._spawn(self._keep_time())
        if self.watch is not None:
            self.watch.listener = self

    async def end(self) -> None:
        self._closed = True
        if self.watch is not None:
            await asyncio.to_thread(self.watch.end)
        self.reader.close()
        for task in self._tasks:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*self._tasks, return_exceptions=True)
        self.port.close()

    @property
    def failure(self) -> Exception | None:
        return self._health.failure

    # --- in the eye's thread (desk.karuta.eye.watcher.WatchListener) ----------------------------------------

    @property
    def is_playing(self) -> bool:
        return self.engine.state.phase not in _BEFORE_PLAY

    @property
    def stands_still(self) -> bool:
        return self.engine.state.paused

    @property
    def is_over(self) -> bool:
        return self.mat.is_over

    def said(self) -> Sequence[Said]:
        with self._said_lock:
            said, self._said = self._said, []
            return said

    def seen(self, events: Sequence[WatchEvent], replay: EvidenceRing | None) -> None:
        self._on_loop(self._kept, partial(self._tell, events, replay))

    def missed(self, gap: Gap) -> None:
        """Submit a gap to the engine: rulings on anything within it wait for a person."""
        self._on_loop(self._kept, partial(self.engine.submit, gap, Origin.EYE), gap)

    def hear(self, cue: Cue) -> bool:
        """Submit a poem's first sound to the engine; return False while the match has to wait."""
        return self._on_loop(self._hear, cue)

    def finish(self) -> bool:
        return self._on_loop(self._finish)

    def failed(self, error: Exception) -> None:
        self._health.failure = error
        sys.stderr.write(f"shinpan: the eye has stopped: {error_line(error)}\n")

    def _on_loop(self, function: Callable[..., T], *arguments: object) -> T:
        async def call() -> T:
            return function(*arguments)

        assert self._loop is not None, "begin() comes first"
        return asyncio.run_coroutine_threadsafe(call(), self._loop).result()

    # --- on the loop, which owns the engine --------------------------------------------------------------

    def _kept(self, action: Callable[[], object], missed: Gap | None = None) -> bool:
        """Run an action that writes to the log; if the log cannot store it, warn and return False.

        What was not stored has not happened. The time of the loss is submitted as a gap as soon as the log
        works again, so that rulings on it wait for a person: `missed`, or since the latest poem began.
        """
        try:
            if self._owed is not None:
                self.engine.submit(self._owed, Origin.EYE)
                self._owed = None
            action()
        except EventLogError as error:
            if not self._health.unkept:
                sys.stderr.write(f"shinpan: {error}\n")
            self._health.unkept = True
            lost = missed or Gap(self._poem_ns, max(self._clock(), self._poem_ns + 1), "not_kept")
            owed = self._owed or lost
            self._owed = Gap(
                min(owed.t_from_ns, lost.t_from_ns), max(owed.t_to_ns, lost.t_to_ns), lost.reason
            )
            return False
        self._health.unkept = False
        return True

    def _tell(self, events: Sequence[WatchEvent], replay: EvidenceRing | None) -> None:
        self.mat.tell(events)
        if self._opens_itself:
            self.mat.open_match(self._clock())
        seen = next((event for event in events if isinstance(event, PoemSeen)), None)
        if seen is not None and self.mat.seen is seen:
            self._t_ku_ns = ()
            self._replay = replay if replay is None else self._with_sound(replay, seen)
            self._keep_replay(seen)

    def _with_sound(self, replay: EvidenceRing, seen: PoemSeen) -> EvidenceRing:
        if not self._keeps_sound:
            replay.sound = None
        elif replay.sound is None and (span_ns := span_of(seen)) is not None:
            heard = self.reader.sound(*span_ns)
            replay.sound = None if heard is None else kept_sound(heard)
        return replay

    def _keep_replay(self, seen: PoemSeen) -> None:
        if self._replay is not None:
            ruling = read_minutes(self.engine.history)[-1].seq
            self._spawn(self._keep(partial(bundle_of, self._replay, seen, self._decided), ruling))

    def _renamed(self, seen: PoemSeen | None, start: PoemStarted, decided: KimarijiCompleted | None) -> None:
        """Take in that the latest poem was refereed anew under its right name."""
        self._decided = decided
        self._poem_ns = start.t_ns
        if seen is not None:
            self.mat.seen = seen
            self._keep_replay(seen)

    def _hear(self, cue: Cue) -> bool:
        assert self.watch is not None, "only the eye's thread hears cues"
        if self.watch.table.can_wait and not self._closed and self._has_to_wait():
            return False
        self._waits_since_s = None
        if self._attendant is not None:
            self._attendant.learn(cue)
            self._attendant.attend()
            self._attendant.before_poem()
        self._t_ku_ns = cue.t_ku_ns
        self._poem_ns = cue.start.t_ns
        self._decided = cue.decided(self.engine.state.unread | {cue.start.poem})
        self._kept(partial(self.mat.hear, cue.start, *([] if self._decided is None else [self._decided])))
        if self.watch.sees_no_card:
            self._leave_to_officials()
        return True

    def _leave_to_officials(self) -> None:
        unseen = Gap(self._poem_ns, max(self._clock(), self._poem_ns + 1), "no_card_read")
        self._kept(partial(self.mat.leave_to_officials, unseen), unseen)

    def _finish(self) -> bool:
        if self.engine.state.phase is Phase.READING:  # the poem began before anything was seen
            self._leave_to_officials()
        if not self._closed and self._has_to_wait():
            return False
        if self._attendant is not None:
            self._attendant.attend()
            self._attendant.before_poem()
        return True

    def _has_to_wait(self) -> bool:
        """Tell whether officials are at work; if there is an attendant, only for `patience_s` per ruling."""
        state = self.engine.state
        if state.paused:
            return True
        if state.phase is not Phase.RULING:
            return False
        now_s = time.monotonic()
        self._waits_since_s = self._waits_since_s or now_s
        return self._attendant is None or now_s - self._waits_since_s < self._patience_s

    def _follow(self) -> None:
        """Pass new log entries to the reader, and note when to wake the rules."""
        for happened in self.engine.history[self._resumes_at :]:
            if isinstance(happened.event, WakeAt):
                self._wake_at_ns.append(happened.event.t_ns)
            self.reader.follow(happened.event, self.engine.state.unread)
        self._resumes_at = len(self.engine.history)

    async def _keep_time(self) -> None:
        while not self._closed:
            await asyncio.sleep(_TICK_S)
            self.pass_time()

    def pass_time(self) -> None:
        """Wake the rules, take in the reader's sounds, and watch for hidden cards."""
        now_ns = self._clock()
        self._health.look_for_hidden_cards(now_ns, is_playing=self.is_playing)
        if any(t_ns <= now_ns for t_ns in self._wake_at_ns):
            due = [t_ns for t_ns in self._wake_at_ns if t_ns <= now_ns]
            if self._kept(partial(self.engine.submit, Tick(now_ns), Origin.DESK)):
                self._wake_at_ns = [t_ns for t_ns in self._wake_at_ns if t_ns not in due]
        for sound in self.reader.sounds():
            self._take(sound)

    def _take(self, sound: Sound) -> None:
        match sound:
            case JokaSounds():
                # the second half is read twice but shown once
                self._t_ku_ns = (*self._t_ku_ns, *sound.t_ku_ns)[:_KU]
            case JokaOver():
                self._kept(partial(self.engine.submit, JokaFinished(), Origin.READER))
            case PoemSuggested():
                self._kept(partial(self.engine.note, sound, Origin.READER))
            case ReadOn(cue=cue):
                self._read_on(cue)
            case _:
                with self._said_lock:
                    self._said.append(sound)

    def _read_on(self, cue: Cue) -> None:
        state = self.engine.state
        if state.phase is not Phase.READING or state.poem != cue.start.poem:
            return
        self._t_ku_ns = cue.t_ku_ns
        if cue.start.confidence < _LIKELY and self._doubted_ns != cue.start.t_ns:
            self._doubted_ns = cue.start.t_ns
            self._kept(partial(self.mat.hear, Gap(cue.start.t_ns, cue.start.t_ns, UNSURE)))
        if self._decided is None or self._decided.poem != cue.start.poem:
            self._decided = cue.decided(state.unread | {cue.start.poem})
            if self._decided is not None:
                self._kept(partial(self.mat.hear, self._decided))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        assert self._loop is not None, "begin() comes first"
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _keep(self, replay: Callable[[], Bundle], ruling: int) -> None:
        try:
            path = await asyncio.to_thread(lambda: replay().write(self._evidence_folder))
            self.engine.note(EvidenceKept(ruling, path.name), Origin.DESK)
        except (OSError, EventLogError) as error:
            if not self._health.evidence_lost:
                sys.stderr.write(f"shinpan: no replay is kept: {error}\n")
            self._health.evidence_lost = True
        else:
            self._health.evidence_lost = False
