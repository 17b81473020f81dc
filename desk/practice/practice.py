"""A running practice: the eye, the reader and the log around one player.

Three threads meet here: the eye's (`desk.karuta.eye.watcher.WatchListener`), one that listens to the reader,
and the page's. One lock guards what they share; code that holds it never waits for a thread or for the book.
"""

import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Final

from desk.errors import DeskError
from desk.karuta.engine.engine import Origin
from desk.karuta.eye.watcher import Watch, WatchListener
from desk.karuta.readers.loudspeaker_reader import RecitedPoem
from desk.karuta.readers.reader import Reader
from desk.log.clocks import WallClock, wall_clock
from desk.log.event_log import EventLog
from desk.panel.practice.view import AttemptShown, PracticeNow
from desk.practice.attempt import attempt_at, slow_attempts
from desk.practice.events import Attempt, PracticeEnded, PracticeOpened, ReadingBegun, Record
from desk.practice.plan import Plan
from desk.tables.camera_table import CameraTable
from desk.tables.source_kind import Source
from desk.tables.table import Cue, Said
from recitation.reading.plan import sample_to_ns
from referee.cards.poems import POEMS
from referee.facts import FieldSettled, Gap, KimarijiCompleted
from referee.karuta.flow.events import Pause, Resume
from referee.karuta.flow.follow_ups import MatchEnded, ReadPoem
from referee.layout import Layout
from referee.sides import Side
from vision.match.endurance import error_line
from vision.match.evidence_ring import EvidenceRing
from vision.poem.events import PoemSeen, WatchEvent

_TICK_S: Final = 0.05
_REST_S: Final = 1.5
"""Wait from the end of a poem to the next step, so that the player can see the time and sit up; the second
half, which is read then, gives six seconds more."""
_LONGEST_TIDYING_S: Final = 20.0
NO_FIELD, NOTHING_WANTED, NOT_NOW = "no_field", "nothing_wanted", "not_now"

OpenReader = Callable[[Sequence[int]], Reader]
"""Opens a reader for these poems in this order; raises DeskError if that is not possible."""
DueDays = Callable[[], Mapping[int, str]]
"""Returns the day on which each card should come again, by everything logged so far."""


@dataclass(slots=True)
class _Poem:
    """The open poem."""

    cue: Cue
    decided: KimarijiCompleted | None
    unread: frozenset[int]
    gaps: list[Gap] = field(default_factory=list)


class Practice(WatchListener):
    """One practice; see `desk.panel.practice.view.PracticePort`.

    Raises EventLogError if the log cannot be written; an unrecorded practice is useless.

    `watch`: the eye, not yet started. `opened`: the first event of the empty log. `open_reader`: opens the
    reader at the start; None if the poems come with the pictures: `poems`, in order. `due_days`: called at
    the end. `now_s`: the time by which the practice goes on, in seconds from any instant. `failure`: why no
    more pictures come, None while they come.
    """

    def __init__(
        self,
        watch: Watch,
        log: EventLog,
        opened: PracticeOpened,
        plan: Plan,
        *,
        open_reader: OpenReader | None = None,
        poems: Sequence[int] = (),
        due_days: DueDays = dict,
        wall: WallClock = wall_clock,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._now_s = now_s
        self.opened, self._plan = opened, plan
        self._watch = watch
        self._open_reader, self._due_days = open_reader, due_days
        self._lock = threading.RLock()
        self._layout, self._settled_s = Layout(()), 0.0
        self._state = "looking"
        self._paused = False
        self._seat = Side.NEAR
        self._order, self._karafuda = tuple(poems), 0
        self._read: set[int] = set()
        self._poem: _Poem | None = None
        self._told_s: float | None = None
        self._attempts: list[Attempt] = []
        self._due: Mapping[int, str] = {}
        self._reader: Reader | None = None
        self._said: list[Said] = []
        self._asked = 0
        self.failure: str | None = None
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._keep_time, name="practice", daemon=True)
        self._record = Record(log, opened, watch.table.clock, wall)

    def begin(self) -> None:
        self._watch.listener = self
        self._watch.begin()
        self._thread.start()

    def close(self) -> None:
        self._end()
        self._leaving.set()
        if self._thread.is_alive():
            self._thread.join()
        self._watch.end()
        if self._reader is not None:
            self._reader.close()
        self._record.close()

    @property
    def is_over(self) -> bool:
        return self._state == "ended"

    # --- desk.panel.practice.view.PracticePort -------------------------------------------------------------

    def now(self) -> PracticeNow:
        with self._lock:
            cards = [placed.card for placed in self._layout]
            named = {card for card in cards if card is not None}
            timed = [each.reaction_ns / 1e6 for each in self._attempts if each.reaction_ns is not None]
            table = self._watch.table
            station = table.station if isinstance(table, CameraTable) else None
            return {
                "state": "paused" if self._paused and self._state == "reading" else self._state,
                "player": self.opened.player,
                "laid": sorted(named),
                "unread": len(cards) - len(named),
                "wanted": list(self._plan.wanted),
                "poems": len(self._order) if self._order and self.is_playing else None,
                "karafuda": self._karafuda,
                "attempts": [self._shown(each) for each in self._attempts],
                "slow": [self._shown(each) for each in slow_attempts(self._attempts)] if self.is_over else [],
                "median_ms": round(median(timed), 1) if timed else None,
                "awaits": self._awaits(named),
                "counts": self.opened.source is not Source.SIMULATOR,
                "live": self._open_reader is not None,
                "phone": None if station is None else station.shown(),
                "problem": self._trouble,
            }

    def preview(self) -> bytes | None:
        return self._watch.preview()

    def do(self, name: str) -> str | None:
        """Carry out a command of the page or the terminal; return the id of a refusal, or None."""
        acts: dict[str, Callable[[], str | None]] = {
            "start": self._start,
            "next": self._next,
            "pause": partial(self._stand_still, Pause(), still=True),
            "resume": partial(self._stand_still, Resume(), still=False),
            "end": self._end,
        }
        return acts[name]()

    # --- in the eye's thread (desk.karuta.eye.watcher.WatchListener) ----------------------------------------

    @property
    def is_playing(self) -> bool:
        return self._state != "looking"

    @property
    def stands_still(self) -> bool:
        return self._paused

    def said(self) -> Sequence[Said]:
        with self._lock:
            said, self._said = self._said, []
            return said

    def seen(self, events: Sequence[WatchEvent], replay: EvidenceRing | None) -> None:  # noqa: ARG002
        with self._lock:
            for event in events:
                if isinstance(event, FieldSettled):
                    self._layout, self._settled_s = event.layout, self._now_s()
                    self._record.note(Origin.EYE, event)
                else:
                    self._tell(event)

    def missed(self, gap: Gap) -> None:
        with self._lock:
            if self._poem is not None:
                self._poem.gaps.append(gap)

    def hear(self, cue: Cue) -> bool:
        """Take in a poem's first sound; return False while nothing is to be read."""
        with self._lock:
            # a live camera does not wait, so a poem that begins together with the pause is watched
            if self._state == "looking" or (self._paused and self._watch.table.can_wait):
                return False
            if self._state == "ended":
                return True
            unread = frozenset(POEMS.keys() - self._read | {cue.start.poem})
            decided = cue.decided(unread)
            self._poem = _Poem(cue, decided, unread)
            self._read.add(cue.start.poem)
            self._record.note(Origin.READER, cue.start, *([] if decided is None else [decided]))
            return True

    def finish(self) -> bool:
        self._end()
        return True

    def failed(self, error: Exception) -> None:
        self.failure = error_line(error)

    # --- what the player asks ----------------------------------------------------------------------------

    def _start(self) -> str | None:
        with self._lock:
            if self._state != "looking":
                return NOT_NOW
            lying = {placed.card for placed in self._layout if placed.card is not None}
            if not lying:
                return NO_FIELD
            order = self._plan.order(lying)
            if not order:
                return NOTHING_WANTED
            counts = self._layout.counts()
            self._seat = max(Side, key=lambda side: counts[side])
            if self._open_reader is not None:
                self._order = order
                self._reader = self._open_reader(order)
            self._karafuda = len(set(self._order) - lying)
            self._record.note(Origin.OPERATOR, ReadingBegun(self._seat, self._order))
            self._state = "reading"
            self._go_on()
            return None

    def _next(self) -> str | None:
        with self._lock:
            is_asked = self._told_s is None and self._asked == len(self._read)
            if self._state != "reading" or self._paused or is_asked:
                return NOT_NOW
            self._go_on()
            return None

    def _stand_still(self, event: Pause | Resume, *, still: bool) -> str | None:
        with self._lock:
            if self._state != "reading" or self._paused is still:
                return NOT_NOW
            self._paused = still
            if self._reader is not None:
                self._reader.follow(event, ())
                if self._poem is not None:  # the voice paused, so the instant of its kimariji is unknown
                    self._poem.decided = None
            return None

    def _end(self) -> str | None:
        with self._lock:
            if self._state == "ended":
                return None
            if self._reader is not None:
                self._reader.follow(MatchEnded(None), ())
            self._state, self._poem, self._paused = "ended", None, False
            self._record.note(Origin.DESK, PracticeEnded())
        # reading the book may take seconds, so the page shows the slow cards before their days
        try:
            due = self._due_days()
        except DeskError as error:  # the list of slow cards is useful without the days
            sys.stderr.write(f"shinpan: the book cannot be asked: {error}\n")
            return None
        with self._lock:
            self._due = due
        return None

    # --- reading on --------------------------------------------------------------------------------------

    @property
    def _is_read_out(self) -> bool:
        return bool(self._order) and self._read >= set(self._order)

    def _awaits(self, named: Collection[int]) -> str:
        """Return what the practice waits for; see `PracticeNow`."""
        if self._state == "looking":
            return "start" if named else "field"
        if self._paused:
            return "paused"
        if self._state == "ended" or (self._is_read_out and self._poem is None):
            return "ended"
        if self._reader is None:
            return "film"
        if self._poem is not None:
            return self._watch.eye.obstacle or "reading"
        if self._told_s is None:
            return "next"
        return "by_hand" if self._plan.by_hand else "tidying"

    def _go_on(self) -> None:
        self._told_s = None
        if self._reader is not None:
            self._asked = len(self._read)
            self._reader.follow(ReadPoem(), ())

    def _keep_time(self) -> None:
        while not self._leaving.wait(_TICK_S):
            self.pass_time()

    def pass_time(self) -> None:
        """Take in the reader's sounds, and read on when the player is ready."""
        with self._lock:
            if self._reader is None or self._state != "reading":
                return
            self._said += [sound for sound in self._reader.sounds() if isinstance(sound, RecitedPoem)]
            is_over = not self._paused and self._read_on()
        if is_over:
            self._end()

    def _read_on(self) -> bool:
        """Read on after a poem that is over or that nobody reached for; return whether nothing is left."""
        if self._poem is not None:
            if self._seconds_since_half(self._poem.cue) > self._plan.patience_s:
                if self._is_read_out:
                    self._watch.between_pictures(self._close_last)
                elif not self._plan.by_hand and self._asked < len(self._read):
                    self._go_on()
            return False
        if self._told_s is None:
            return False
        rested_s = self._now_s() - self._told_s
        if self._is_read_out:
            return rested_s > _REST_S
        tidied = self._settled_s > self._told_s or rested_s > _LONGEST_TIDYING_S
        if not self._plan.by_hand and rested_s > _REST_S and tidied:
            self._go_on()
        return False

    def _seconds_since_half(self, cue: Cue) -> float:
        half_ns = sample_to_ns(cue.phrase.samples) if isinstance(cue, RecitedPoem) else 0
        return (self._watch.table.clock() - cue.start.t_ns - half_ns) / 1e9

    def _close_last(self) -> None:
        """End the last poem although nobody touched a card; runs in the eye's thread."""
        if self._poem is not None:
            self.seen(self._watch.eye.close(), None)

    # --- outcomes of poems -------------------------------------------------------------------------------

    def _tell(self, seen: PoemSeen) -> None:
        poem = self._poem
        if poem is None or poem.cue.start.poem != seen.start.poem:
            return
        attempt = attempt_at(seen, self._seat, poem.unread, poem.decided, poem.gaps)
        # an attempt counts only if it was stored, because otherwise the book would lack it
        if self._record.note(Origin.EYE, *seen.facts, *poem.gaps, attempt):
            self._attempts.append(attempt)
        self._poem = None
        self._told_s = self._now_s()

    def _shown(self, attempt: Attempt) -> AttemptShown:
        known = attempt.reaction_ns is not None
        return {
            "poem": attempt.poem,
            "kimariji": attempt.kimariji,
            "outcome": attempt.outcome.value,
            "ms": round((attempt.reaction_ns or 0) / 1e6, 1) if known else None,
            "unc_ms": round((attempt.reaction_unc_ns or 0) / 1e6, 1) if known else None,
            "lure": attempt.lure,
            "due": self._due.get(attempt.poem),
        }

    @property
    def _trouble(self) -> str | None:
        reader = None if self._reader is None else self._reader.problem
        kept = None if self._record.is_kept else "not_kept"
        return self.failure or kept or reader or self._watch.table.problem
