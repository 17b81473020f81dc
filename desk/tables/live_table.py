"""A live card table of any card game: the eye in a thread of its own, desk and page in the loop."""

import asyncio
import math
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from desk.errors import EventLogError
from desk.machine.side_process import return_memory
from desk.panel.table.stream import (
    LACKING,
    LEFT_OUT,
    MISSED,
    NO_CARD,
    NO_EVIDENCE,
    NO_MARKER,
    NO_TABLE,
    NOT_KEPT,
    SMALL_CARDS,
)
from desk.tables.desk import Attendant, Origin, TableDesk
from desk.tables.evidence.events import EvidenceKept
from desk.tables.evidence.keeper import EvidenceKeeper
from desk.tables.eye import CardTableEye
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.table import Table
from desk.tables.table_events import AtRest, Unseen
from desk.tables.watch_thread import WatchThread
from recitation.sound.recent_sound import TimedSound
from vision.frames.frame import Frame
from vision.table.stillness import PictureChecks

_DISK_S: Final = 1.0  # interval at which a full disk is tried again
_RATE_S: Final = 1.0
_TABLE_UNSEEN_S: Final = 5.0
_NO_PICTURES_S: Final = 3.0
"""A busy machine may draw or fetch a picture a second; a camera that is gone sends none at all."""
_BLANK_LOOKS: Final = 3  # an empty table is looked at before the deal, but hardly so often
_LEFT_OUT_S: Final = 60.0
"""How long people are asked to compare page and table after something was left out or missed."""
_INTERRUPTED_MS: Final = 2000.0  # least time that a desk takes to start again; hands may come and go in it


class LiveTable:
    """Watches a table and reports to the attendant; `unseen` makes the event of the time that it was left."""

    def __init__(
        self,
        table: Table,
        eye: CardTableEye[Any],
        attendant: Attendant,
        left_ms: float | None = None,
        unseen: Callable[[float, float], Any] = Unseen,
    ) -> None:
        self._table, self.eye, self._attendant = table, eye, attendant
        self._keeper: EvidenceKeeper | None = None
        self._checks = PictureChecks()
        self._began_s = 0.0
        self._failed, self._failed_s = 0, -math.inf
        self._missed_s = -math.inf
        self._told: set[str] = set()
        self._unkept = False
        self._left_ms, self._unseen, self._shift_ns = left_ms, unseen, 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watch = WatchThread(table, self._take, over=self._drain, failed=self._complain)

    def keep_evidence(self, desk: TableDesk[Any]) -> None:
        """Keep the pictures of each step beside the log, which names them; call it before `begin`."""

        def note(kept: EvidenceKept) -> None:
            self._on_loop(lambda: desk.tell(kept, Origin.DESK))

        def sound(from_ns: int, to_ns: int) -> TimedSound | None:
            film, shift_ns = self._table, self._shift_ns
            heard = (
                film.sound(from_ns - shift_ns, to_ns - shift_ns) if isinstance(film, ScriptedTable) else None
            )
            return None if heard is None else heard._replace(t_ns=heard.t_ns + shift_ns)

        self._keeper = EvidenceKeeper(desk.evidence_folder, note, sound=sound)

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        return_memory()
        self._loop = loop
        self._began_s = time.perf_counter()
        self._table.go_on()
        self._watch.begin()

    @property
    def is_watching(self) -> bool:
        return self._watch.is_alive()

    @property
    def failure(self) -> Exception | None:
        return self._watch.failure

    async def end(self) -> None:
        # closing here would block this loop, for which the eye may be waiting
        await asyncio.to_thread(self._watch.close)
        self._drain()
        if self._keeper is not None:
            await asyncio.to_thread(self._keeper.close)

    def health(self) -> dict[str, object]:
        """Return the pictures per second, warnings about the source, and why the table is not read now.

        `hindrance` is an id of `desk.panel.table.stream.HINDRANCES`, None if nothing hinders.
        """
        now_s = time.perf_counter()
        fps = self._watch.fps(_RATE_S)
        warnings = [self._table.problem] if self._table.problem else []
        watcher = self.eye.watcher
        if watcher.plane is None and now_s - self._began_s > _TABLE_UNSEEN_S:
            seen = watcher.markers
            missing = [text for number, text in enumerate(NO_MARKER) if number not in seen]
            warnings += [NO_TABLE, *(missing if seen else ())]
        told = (
            (NO_CARD, watcher.blank_looks >= _BLANK_LOOKS),
            (SMALL_CARDS, watcher.shows_small_cards),
            *((LACKING[lack], True) for lack in self._checks.lacks()),
            (LEFT_OUT, now_s - self._failed_s < _LEFT_OUT_S),
            (NOT_KEPT, self._unkept),
            (MISSED, now_s - self._missed_s < _LEFT_OUT_S),
            (NO_EVIDENCE, self._keeper is not None and self._keeper.is_lost),
            (str(self.failure), self.failure is not None),
        )
        warnings += [text for text, is_so in told if is_so]
        return {"fps": fps, "warnings": warnings, "hindrance": self._hindrance()}

    def _hindrance(self) -> str | None:
        if not self.is_watching:
            return "ended"
        if not self._table.can_wait and self._watch.fps(_NO_PICTURES_S) is None:
            return "pictures"
        if self.eye.watcher.plane is None:
            return "markers"
        if self._checks.has_arm:
            return "hands"
        return "moves" if self._checks.moves else None

    # --- in the eye's thread -----------------------------------------------------------------------------

    def _drain(self) -> None:
        if self._keeper is not None:
            self._keeper.drain()

    def _complain(self, error: Exception) -> None:
        sys.stderr.write(f"no more pictures: {error}\n")
        self._drain()

    def _take(self, item: object) -> bool:
        if isinstance(item, Frame):
            self._look(item)
        return False

    def _look(self, frame: Frame) -> None:
        self._watch.show(frame)
        self._checks.feed(frame)
        unseen = self._interruption(frame.t_ns)
        if self._shift_ns:
            frame = replace(frame, t_ns=frame.t_ns + self._shift_ns)
        seen = [*unseen, *self.eye.feed(frame)]
        if any(isinstance(event, Unseen) for event in seen):
            self._missed_s = time.perf_counter()
        t_ms = frame.t_ns / 1e6

        waiting = deque(seen)

        def tell() -> None:
            while waiting:
                self._attendant.seen(waiting[0])
                waiting.popleft()
            self._attendant.at(t_ms)

        while not self._kept(tell):
            # the log could not store it (full disk): try again, since only what is stored has happened
            if self._watch.ending.wait(_DISK_S):
                return
        if self._keeper is not None:
            self._keeper.look(frame, [event.look.t_ms for event in seen if isinstance(event, AtRest)])
        self._tell_failures()

    def _interruption(self, t_ns: int) -> list[Any]:
        """Return what the first picture of an interrupted game tells: that nobody saw the table meanwhile.

        The machine's clock began anew if it was restarted; then the game's time goes on where the log ends.
        """
        if self._left_ms is None:
            return []
        left_ms, self._left_ms = self._left_ms, None
        t_ms = max(t_ns / 1e6, left_ms + _INTERRUPTED_MS)
        self._shift_ns = round(t_ms * 1e6) - t_ns
        return [self._unseen(left_ms, t_ms)]

    def _tell_failures(self) -> None:
        failures = [*self.eye.failures, *self._attendant.failures]
        if len(failures) == self._failed:
            return
        self._failed, self._failed_s = len(failures), time.perf_counter()
        for failure in dict.fromkeys(failures):
            if failure not in self._told:
                sys.stderr.write(f"shinpan: the eye failed, it goes on without that look: {failure}\n")
        self._told.update(failures)

    def _kept(self, action: Callable[[], None]) -> bool:
        """Run an action that writes to the log; return False if the log cannot store it."""
        try:
            self._on_loop(action)
        except EventLogError as error:
            if not self._unkept:
                sys.stderr.write(f"shinpan: {error}\n")
            self._unkept = True
            return False
        self._unkept = False
        return True

    def _on_loop(self, action: Callable[[], object]) -> None:
        async def act() -> None:
            action()

        assert self._loop is not None, "begin() comes first"
        asyncio.run_coroutine_threadsafe(act(), self._loop).result()
