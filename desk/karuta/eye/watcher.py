"""The eye in a thread of its own: it watches a table and reports to a listener."""

import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TypeVar

import cv2

from desk.karuta.evidence.replay import frames_of, span_of
from desk.karuta.eye.equipment import Equipment
from desk.karuta.eye.source_findings import PictureChecks, SourceRate
from desk.tables.evidence.sound import kept_sound
from desk.tables.source_kind import Source
from desk.tables.table import Cue, FirstSound, NoVerse, Said, Table
from desk.tables.watch_thread import WatchThread
from referee.facts import Gap
from vision.field.picture_quality import shows_small_cards
from vision.frames.frame import Frame
from vision.match.endurance import Endurance
from vision.match.evidence_ring import EvidenceRing
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen, WatchEvent
from vision.poem.knock_watch import KnockWatch

T = TypeVar("T")

_PREVIEW_WIDTH_PX = 640
_STALE_S = 0.5  # if no picture has come for this long, the rate is unknown
_POLL_S = 0.02
_RATE_S = 1.0
_SECOND_THOUGHTS_NS = 300_000_000_000
"""How long a camera goes on after the match: whoever takes its end back does so at once (our choice)."""
_COVERED_SHARE = 0.25  # part of the cards; a hand with its sleeve covers fewer


class WatchListener:
    """The listener that the eye reports to. All methods are called in the eye's thread.

    By default no match is played yet.
    """

    @property
    def is_playing(self) -> bool:
        """Whether poems are read: false before the match has begun."""
        return False

    @property
    def stands_still(self) -> bool:
        """Whether the match is paused."""
        return False

    @property
    def is_over(self) -> bool:
        """Whether watching can end."""
        return False

    def said(self) -> Sequence[Said]:
        """Return what the reader began since the last call, without the poems that the table reports."""
        return ()

    def seen(self, events: Sequence[WatchEvent], replay: EvidenceRing | None) -> None:
        """Receive events, and the pictures of the poem that they close."""

    def missed(self, gap: Gap) -> None:
        """Receive a gap: pictures were lost."""

    def hear(self, cue: Cue) -> bool:  # noqa: ARG002
        """Receive a poem's first sound; return False if the match is not ready for it."""
        return False

    def finish(self) -> bool:
        """Learn that the table has no more pictures; return False while officials are still at work."""
        return True

    def failed(self, error: Exception) -> None:
        """Learn that no more pictures come, and why."""


class Watch:
    """Watches a table from `begin` to `end`.

    `listener`: receives the events; to be set before `begin`, and exchanged when a match begins. `beside`:
    second camera and microphone, if there are any. `eye`: has the latest reading of the layout.
    """

    listener: WatchListener

    def __init__(self, table: Table, beside: Equipment | None = None) -> None:
        self.table = table
        self.beside = beside = beside or Equipment()
        self.eye = MatchWatcher(second=beside.witness, known=beside.known)
        self._failures: list[str] = []
        self._endurance = Endurance(self.eye, self._failures)
        self._ring = EvidenceRing()
        self._knocks = KnockWatch()
        self.checks = PictureChecks()
        self._lost: deque[int] = deque([table.dropped], maxlen=6)
        self._recent: deque[Frame] = deque(maxlen=2)
        self._taken_ns: deque[int] = deque(maxlen=512)
        self._waits = False
        self._over_since_ns: int | None = None
        self._thread = WatchThread(
            table,
            self._take,
            over=self._finish,
            failed=lambda error: self.listener.failed(error),  # noqa: PLW0108 (whoever listens by then)
        )
        self._ending = self._thread.ending
        self._between: deque[Callable[[], None]] = deque()

    def begin(self) -> None:
        self.table.go_on()
        self._thread.begin()

    def end(self) -> None:
        """Stop watching and wait until the thread has ended. The table is closed."""
        self._thread.close()
        self.checks.close()
        self.beside.close()

    def between_pictures(self, action: Callable[[], None]) -> None:
        """Run an action in the eye's thread before the next picture, or while it waits."""
        self._between.append(action)

    def ask(self, question: Callable[[MatchWatcher], T]) -> Future[T]:
        """Call `question` with the eye in the eye's thread, and return its future answer."""
        answer: Future[T] = Future()

        def put() -> None:
            try:
                answer.set_result(question(self.eye))
            except Exception as error:  # noqa: BLE001 (raised where the answer is awaited)
                answer.set_exception(error)

        self.between_pictures(put)
        return answer

    @property
    def sees_no_card(self) -> bool:
        """Whether pictures came but no card was read in them, so that nothing can be ruled on."""
        reading = self.eye.reading
        return self.latest is not None and not (reading is not None and reading.layout.is_read)

    @property
    def cards_in_sight(self) -> int | None:
        reading = self.eye.reading
        return None if reading is None else len(reading.layout)

    @property
    def shows_no_more(self) -> bool:
        """Whether a recording waits at its first poem for the match to begin, or has ended."""
        return self._waits or self.has_ended

    @property
    def has_ended(self) -> bool:
        return self.latest is not None and not self._thread.is_alive()

    @property
    def latest(self) -> Frame | None:
        return self._thread.latest

    @property
    def fps(self) -> float | None:
        """Pictures per second over the last second, None while none come."""
        shown_s = list(self._thread.shown_s)
        is_stale = not shown_s or time.perf_counter() - shown_s[-1] > _STALE_S
        return None if is_stale else _rate(shown_s)

    @property
    def source_fps(self) -> float | None:
        """Pictures per second by their own stamps, however slow this machine is; None before any came."""
        return _rate([t_ns / 1e9 for t_ns in tuple(self._taken_ns)])

    def preview(self) -> bytes | None:
        latest = self.latest
        if latest is None:
            return None
        height_px = round(latest.gray.shape[0] * _PREVIEW_WIDTH_PX / latest.gray.shape[1])
        small = cv2.resize(latest.gray, (_PREVIEW_WIDTH_PX, height_px), interpolation=cv2.INTER_AREA)
        done, jpeg = cv2.imencode(".jpg", small)
        return jpeg.tobytes() if done else None

    # --- in the eye's own thread -------------------------------------------------------------------------

    def _take(self, item: Frame | Gap | Cue) -> bool:
        if isinstance(item, Frame):
            for said in self.listener.said():
                self._hear(said)
            self._look(item)
        elif isinstance(item, Gap):
            self.listener.missed(item)
        else:
            self._read(item)
        return self._is_done

    def _finish(self) -> None:
        self._tell(self._tried(self.eye.close, 0 if self.latest is None else self.latest.t_ns))
        while not self._ending.is_set() and not self.listener.finish():
            self._hold()

    @property
    def _is_done(self) -> bool:
        """Whether nothing is to be seen any more. A camera goes on for a while: an end can be taken back."""
        if not self.listener.is_over:
            self._over_since_ns = None
            return False
        t_ns = 0 if self.latest is None else self.latest.t_ns
        self._over_since_ns = t_ns if self._over_since_ns is None else self._over_since_ns
        return self.table.can_wait or t_ns - self._over_since_ns > _SECOND_THOUGHTS_NS

    def _look(self, frame: Frame) -> None:
        if self.table.can_wait:
            self._hold_while(lambda: self.listener.stands_still)
        self._thread.show(frame)
        self._do_between()
        self._taken_ns.append(frame.t_ns)
        self._recent.append(frame)
        self._ring.append(frame)
        self.beside.go_on_to(frame.t_ns)
        knocked = self._knocks.feed(frame)
        if knocked is not None:
            self.listener.missed(knocked)
        self._tell(self._tried(partial(self.eye.feed, frame), frame.t_ns))
        self._check(frame, moved=knocked is not None)

    def _check(self, frame: Frame, *, moved: bool) -> None:
        # in changing light, consecutive pictures differ although nothing hides the field
        is_hidden = self._knocks.is_blind and not self.checks.light_is_unsteady
        covered = is_hidden or self.eye.covered_share > _COVERED_SHARE
        self.checks.feed(frame, moved=moved, covered=covered)
        self._look_if_due()

    def _look_if_due(self) -> None:
        if self.checks.is_due(self.eye.reading):
            table = self.table
            self._lost.append(table.dropped)
            nominal_fps = None if table.nominal_fps is None else table.nominal_fps / table.speed
            lost = self._lost[-1] - self._lost[0]
            rate = SourceRate(self.source_fps, nominal_fps, lost, table.exposure_s, table.automatic)
            self.checks.look(rate, self._recent, self.eye.reading)

    def _hear(self, said: Said) -> None:
        if isinstance(said, FirstSound):
            began = partial(self.eye.verse_began, said.t_ns, said.t_unc_ns)
            self._tell(self._tried(began, said.t_ns, again=True))
        elif isinstance(said, NoVerse):
            self.eye.verse_withdrawn()
        else:
            self._read(said)

    def _read(self, cue: Cue) -> None:
        if self.eye.reading is None and not self.listener.is_playing:
            # a film stands still here until somebody starts, and may never have been at rest before
            self._tell(self._tried(self.eye.read_now, cue.start.t_ns))
        self._hold_while(lambda: not self.listener.is_playing)
        # the poem names the verse that has begun, or else begins now
        self._tell(self._tried(partial(self.eye.poem_named, cue.start), cue.start.t_ns, again=True))
        while not self._ending.is_set() and not self.listener.hear(cue):
            self._hold()
        self.table.go_on()

    def _tried(
        self, look: Callable[[], list[WatchEvent]], t_ns: int, *, again: bool = False
    ) -> list[WatchEvent]:
        events = self._endurance.tried(look, t_ns, again=again)
        while self._failures:
            failure = self._failures.pop()
            sys.stderr.write(f"shinpan: the eye failed, officials decide what it missed: {failure}\n")
        return events

    def _tell(self, events: Sequence[WatchEvent]) -> None:
        if events:
            events = [self._as_proven(event) for event in self.beside.heard(events)]
            seen = next((event for event in events if isinstance(event, PoemSeen)), None)
            self.listener.seen(events, None if seen is None else self._replay_of(seen))

    def _replay_of(self, seen: PoemSeen) -> EvidenceRing | None:
        frames, span_ns = frames_of(self._ring, seen), span_of(seen)
        if frames is not None and span_ns is not None:
            sound = self.beside.sound(*span_ns)
            frames.sound = None if sound is None else kept_sound(sound)
        return frames

    def _as_proven(self, event: WatchEvent) -> WatchEvent:
        """Leave a poem to the officials if its cards were too small or its light wandered.

        Wandering bands of light make resting cards seem to move.
        """
        if not isinstance(event, PoemSeen) or self.table.source is not Source.CAMERA:
            return event
        looked_ns = 2_000_000_000  # how far back changes of the light count
        reasons = []
        if shows_small_cards(event.before):
            reasons.append("small_cards")
        if self.checks.light_wandered_since(event.start.t_ns - looked_ns):
            reasons.append("light_changed")
        return event.left_open(*reasons)

    def _hold_while(self, waiting: Callable[[], bool]) -> None:
        if not waiting():
            return
        self._waits = True
        while waiting() and not self._ending.is_set():
            self._hold()
        self._waits = False
        self.table.go_on()

    def _hold(self) -> None:
        self._do_between()
        if self._recent:
            self._look_if_due()  # so that a card named by a person shows although no pictures come
        self._ending.wait(_POLL_S)

    def _do_between(self) -> None:
        while self._between:
            self._between.popleft()()


def _rate(shown_s: Sequence[float]) -> float | None:
    """Return the pictures per second over the last second or three pictures, None if there were too few."""
    recent = [at_s for at_s in shown_s[-3:] if at_s <= shown_s[-1] - _RATE_S]
    recent += [at_s for at_s in shown_s if at_s > shown_s[-1] - _RATE_S]
    return (len(recent) - 1) / (recent[-1] - recent[0]) if len(recent) > 2 else None
