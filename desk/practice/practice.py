"""A practice that is under way: the eye, the reader and the log around one player.

Three threads meet here: the eye's (`desk.karuta.eye.watcher.WatchListener`), one that listens to the reader,
and the page's. One lock guards all that they share; nothing below it waits for another thread.
"""

from __future__ import annotations

import secrets
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

from desk.errors import DeskError, EventLogError
from desk.karuta.engine.engine import Origin
from desk.karuta.eye.watcher import Watch
from desk.karuta.readers.loudspeaker_reader import RecitedPoem
from desk.karuta.readers.reader import Reader
from desk.log.clocks import WallClock, wall_clock
from desk.log.event_log import EventLog, LogEntry
from desk.panel.house.port import PhoneShown
from desk.panel.practice.port import AttemptShown, PracticeNow
from desk.practice.attempt import attempt_at, slow_attempts
from desk.practice.events import CODEC, Attempt, PracticeEnded, PracticeOpened, ReadingBegun
from desk.tables.camera_table import CameraTable
from desk.tables.source_kind import Source
from desk.tables.table import Cue, Said
from recitation.reading.karafuda import karafuda
from recitation.reading.order import Order, reading_order
from recitation.reading.plan import sample_to_ns
from referee.cards.poems import POEMS
from referee.facts import FieldSettled, Gap, KimarijiCompleted
from referee.karuta.flow.events import Pause, Resume
from referee.karuta.flow.follow_ups import MatchEnded, ReadPoem
from referee.layout import Layout
from referee.sides import Side
from vision.match.evidence_ring import EvidenceRing
from vision.match.patience import told as told_in_a_line
from vision.poem.events import PoemSeen, WatchEvent

_TICK_S: Final = 0.05
_SEEDS: Final = 1_000_000
PATIENCE_S: Final = 3.0
"""So long after a first half the reader waits for a hand before it reads on."""
_REST_S: Final = 1.5
"""From the end of a poem to the next step, so that the player sees the time and sits up; the second half that
is read then leaves six seconds more."""
_LONGEST_TIDYING_S: Final = 20.0
NO_FIELD, NOTHING_WANTED, NOT_NOW = "no_field", "nothing_wanted", "not_now"

OpenReader = Callable[[Sequence[int]], Reader]
"""Opens a reader who reads these poems in this order; raises DeskError where there is none."""
DueDays = Callable[[], Mapping[int, str]]
"""Tells on which day each card should come again, after all that has been logged."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is practised.

    Attributes
    ----------
    wanted : the cards that are read, if they lie there; empty for all that lie there.
    karafuda : how many poems are read beside them; look-alikes come first.
    seed : the dice of the order; None throws them.
    by_hand : the reader waits for `next` before every poem.
    patience_s : so long the reader waits for a hand after a first half.
    """

    wanted: tuple[int, ...] = ()
    karafuda: int = 0
    seed: int | None = None
    by_hand: bool = False
    patience_s: float = PATIENCE_S


@dataclass(slots=True)
class _Poem:
    """The poem that is open."""

    cue: Cue
    decided: KimarijiCompleted | None
    unread: frozenset[int]
    gaps: list[Gap] = field(default_factory=list)


class Practice:
    """One practice; see `desk.panel.practice.port.PracticePort`.

    Attributes
    ----------
    opened : what the log begins with.
    failure : why no more pictures come, None while they do.

    Parameters
    ----------
    watch : the eye, not yet begun.
    log : an empty log.
    opened : what the log begins with.
    plan : what is practised.
    open_reader : opens the reader at the start; None where the poems come with the pictures.
    poems : those that come with the pictures, in their order.
    due_days : asked at the end.

    Raises
    ------
    EventLogError
        If the log takes nothing: what is not kept is not worth practising for.
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
    ) -> None:
        self.opened, self._plan = opened, plan
        self._watch, self._log, self._wall = watch, log, wall
        self._open_reader, self._due_days = open_reader, due_days
        self._lock = threading.RLock()
        self._layout, self._settled_s = Layout(()), 0.0
        self._state = "looking"
        self._paused = False
        self._seat = Side.NEAR
        self._order = tuple(poems)
        self._read: set[int] = set()
        self._poem: _Poem | None = None
        self._told_s: float | None = None
        self._attempts: list[Attempt] = []
        self._due: Mapping[int, str] = {}
        self._reader: Reader | None = None
        self._said: list[Said] = []
        self._asked = 0
        self._problem: str | None = None
        self.failure: str | None = None
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._keep_time, name="practice", daemon=True)
        self._keep(Origin.DESK, opened)

    def begin(self) -> None:
        """Begin to look at the field."""
        self._watch.listener = self
        self._watch.begin()
        self._thread.start()

    def close(self) -> None:
        """Stop, give the camera back, and close the log."""
        self._end()
        self._leaving.set()
        if self._thread.is_alive():
            self._thread.join()
        self._watch.end()
        if self._reader is not None:
            self._reader.close()
        self._log.close()

    @property
    def is_over(self) -> bool:
        """Whether nothing needs to be watched any more."""
        return self._state == "ended"

    @property
    def attempts(self) -> list[Attempt]:
        """What came of each poem so far."""
        with self._lock:
            return list(self._attempts)

    # --- desk.panel.practice.port.PracticePort -------------------------------------------------------------

    def now(self) -> PracticeNow:
        """Return the practice as it may be shown now."""
        with self._lock:
            cards = [placed.card for placed in self._layout]
            named = {card for card in cards if card is not None}
            timed = [each.reaction_ns / 1e6 for each in self._attempts if each.reaction_ns is not None]
            return {
                "state": "paused" if self._paused and self._state == "reading" else self._state,
                "player": self.opened.player,
                "laid": sorted(named),
                "unread": len(cards) - len(named),
                "wanted": list(self._plan.wanted),
                "poems": len(self._order) if self._order and self.is_playing else None,
                "attempts": [self._shown(each) for each in self._attempts],
                "slow": [self._shown(each) for each in slow_attempts(self._attempts)] if self.is_over else [],
                "median_ms": round(median(timed), 1) if timed else None,
                "waits": self._waits_for_next,
                "live": self._open_reader is not None,
                "phone": self._phone,
                "problem": self._trouble,
            }

    def preview(self) -> bytes | None:
        """Return the latest picture as a small JPEG."""
        return self._watch.preview()

    def do(self, name: str) -> str | None:
        """Do what the page or the terminal asks."""
        act = {
            "start": self._start,
            "next": self._next,
            "pause": self._pause,
            "resume": self._resume,
            "end": self._end,
        }[name]
        return act()

    # --- in the eye's thread (desk.karuta.eye.watcher.WatchListener) ----------------------------------------

    @property
    def is_playing(self) -> bool:
        """Whether poems are read."""
        return self._state != "looking"

    @property
    def stands_still(self) -> bool:
        """Whether the player asked to wait."""
        return self._paused

    def said(self) -> Sequence[Said]:
        """Return what the reader began."""
        with self._lock:
            said, self._said = self._said, []
            return said

    def seen(self, events: Sequence[WatchEvent], replay: EvidenceRing | None) -> None:  # noqa: ARG002
        """Take the field as it lies, and what came of a poem."""
        with self._lock:
            for event in events:
                if isinstance(event, FieldSettled):
                    self._layout, self._settled_s = event.layout, time.monotonic()
                    self._note(Origin.EYE, event)
                else:
                    self._tell(event)

    def missed(self, gap: Gap) -> None:
        """Keep in mind that pictures are missing while a poem is open."""
        with self._lock:
            if self._poem is not None:
                self._poem.gaps.append(gap)

    def hear(self, cue: Cue) -> bool:
        """Take a poem's first sound; False while nothing is to be read."""
        with self._lock:
            # a live camera waits for nobody: what was heard as the pause began is watched
            if self._state == "looking" or (self._paused and self._watch.table.can_wait):
                return False
            if self._state == "ended":
                return True
            unread = frozenset(POEMS.keys() - self._read | {cue.start.poem})
            decided = cue.decided(unread)
            self._poem = _Poem(cue, decided, unread)
            self._read.add(cue.start.poem)
            self._note(Origin.READER, cue.start, *([] if decided is None else [decided]))
            return True

    def finish(self) -> bool:
        """Learn that the table has nothing more to show."""
        self._end()
        return True

    def failed(self, error: Exception) -> None:
        """Tell why no more pictures come."""
        self.failure = told_in_a_line(error)

    # --- what the player asks ----------------------------------------------------------------------------

    def _start(self) -> str | None:
        with self._lock:
            if self._state != "looking":
                return NOT_NOW
            lying = {placed.card for placed in self._layout if placed.card is not None}
            if not lying:
                return NO_FIELD
            chosen = lying & set(self._plan.wanted) if self._plan.wanted else lying
            if not chosen:
                return NOTHING_WANTED
            counts = self._layout.counts()
            self._seat = max(Side, key=lambda side: counts[side])
            if self._open_reader is not None:
                seed = secrets.randbelow(_SEEDS) if self._plan.seed is None else self._plan.seed
                extra = karafuda(lying, min(self._plan.karafuda, 100 - len(lying)), seed, confusable=1.0)
                self._order = reading_order(Order.SHUFFLE, seed, {*chosen, *extra})
                self._reader = self._open_reader(self._order)
            self._note(Origin.OPERATOR, ReadingBegun(self._seat, self._order))
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

    def _pause(self) -> str | None:
        return self._stand_still(Pause(), still=True)

    def _resume(self) -> str | None:
        return self._stand_still(Resume(), still=False)

    def _stand_still(self, event: Pause | Resume, *, still: bool) -> str | None:
        with self._lock:
            if self._state != "reading" or self._paused is still:
                return NOT_NOW
            self._paused = still
            if self._reader is not None:
                self._reader.follow(event, ())
                if self._poem is not None:  # the voice stood still: nobody knows when its kimariji was said
                    self._poem.decided = None
            return None

    def _end(self) -> str | None:
        with self._lock:
            if self._state == "ended":
                return None
            if self._reader is not None:
                self._reader.follow(MatchEnded(None), ())
            self._state, self._poem, self._paused = "ended", None, False
            self._note(Origin.DESK, PracticeEnded())
            try:
                self._due = self._due_days()
            except DeskError as error:  # the list of slow cards is worth having without the days
                sys.stderr.write(f"shinpan: the book cannot be asked: {error}\n")
            return None

    # --- reading on --------------------------------------------------------------------------------------

    @property
    def _is_read_out(self) -> bool:
        return bool(self._order) and self._read >= set(self._order)

    @property
    def _waits_for_next(self) -> bool:
        """Whether the reader would read on if it were told to."""
        closed = self._poem is None and self._told_s is not None
        return self._state == "reading" and self._plan.by_hand and closed and not self._is_read_out

    def _go_on(self) -> None:
        self._told_s = None
        if self._reader is not None:
            self._asked = len(self._read)
            self._reader.follow(ReadPoem(), ())

    def _keep_time(self) -> None:
        """Listen to the reader, and read on when the player is ready."""
        while not self._leaving.wait(_TICK_S):
            with self._lock:
                if self._reader is None or self._state != "reading":
                    continue
                self._said += [sound for sound in self._reader.sounds() if isinstance(sound, RecitedPoem)]
                if not self._paused:
                    self._read_on()

    def _read_on(self) -> None:
        """Read on after a poem that is over, or that nobody reached for."""
        if self._poem is not None:
            if self._seconds_since_half(self._poem.cue) > self._plan.patience_s:
                if self._is_read_out:
                    self._watch.between_pictures(self._close_last)
                elif not self._plan.by_hand and self._asked < len(self._read):
                    self._go_on()
            return
        if self._told_s is None:
            return
        rested_s = time.monotonic() - self._told_s
        if self._is_read_out:
            if rested_s > _REST_S:
                self._end()
            return
        tidied = self._settled_s > self._told_s or rested_s > _LONGEST_TIDYING_S
        if not self._plan.by_hand and rested_s > _REST_S and tidied:
            self._go_on()

    def _seconds_since_half(self, cue: Cue) -> float:
        half_ns = sample_to_ns(cue.phrase.samples) if isinstance(cue, RecitedPoem) else 0
        return (self._watch.table.clock() - cue.start.t_ns - half_ns) / 1e9

    def _close_last(self) -> None:
        """End the last poem although nobody touched anything; in the eye's thread."""
        with self._lock:
            is_open = self._poem is not None
        if is_open:
            self.seen(self._watch.eye.close(), None)

    # --- what came of a poem -----------------------------------------------------------------------------

    def _tell(self, seen: PoemSeen) -> None:
        poem = self._poem
        if poem is None or poem.cue.start.poem != seen.start.poem:
            return
        attempt = attempt_at(seen, self._seat, poem.unread, poem.decided, poem.gaps)
        # an attempt that could not be kept is no attempt: it would be missing in the book
        if self._note(Origin.EYE, *seen.facts, *poem.gaps, attempt):
            self._attempts.append(attempt)
        self._poem = None
        self._told_s = time.monotonic()

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
    def _phone(self) -> PhoneShown | None:
        table = self._watch.table
        station = table.station if isinstance(table, CameraTable) else None
        return None if station is None else station.shown()

    @property
    def _trouble(self) -> str | None:
        reader = None if self._reader is None else self._reader.problem
        return self.failure or self._problem or reader or self._watch.table.problem

    def _note(self, origin: Origin, *events: Any) -> bool:
        """Log what happened; False where the log takes nothing, which is said once."""
        with suppress(EventLogError):
            self._keep(origin, *events)
            if self._problem == "not_kept":
                self._problem = None
            return True
        self._problem = "not_kept"
        return False

    def _keep(self, origin: Origin, *events: Any) -> None:
        t_ns, wall = self._watch.table.clock(), self._wall()
        self._log.append(
            [
                LogEntry(seq, t_ns, wall, origin, *CODEC.encode(event))
                for seq, event in enumerate(events, start=self._log.last_seq + 1)
            ]
        )


def opened_now(
    source: Source, player: str | None, where: str, wall: WallClock = wall_clock
) -> PracticeOpened:
    """Return the beginning of a practice's log, with an id by the time of day."""
    stamp = wall()[:23].translate(str.maketrans("", "", "-:.")).replace("T", "_")
    return PracticeOpened(f"practice_{stamp}", source, player, where)
