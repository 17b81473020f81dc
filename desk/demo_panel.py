"""The demo with the panel: a simulated hall plays in real time, the browser shows the referee at work.

Two threads: one draws and watches, the other, the asyncio loop, owns the engine and serves the panel. The
hall stands still while the match is paused, and at the next poem while a ruling waits for a person.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import TypeVar

import cv2

from desk.demo_report import Report
from desk.demo_setup import opening_of, simulated_match
from desk.engine import Engine, Origin
from desk.event_log import EventLog
from desk.hall_clock import HallClock
from desk.house_settings import load_house_settings
from desk.mat import Mat
from desk.match_events import EvidenceKept, MatchOpened
from desk.match_port import MatchPort
from desk.minutes import read_minutes
from desk.panel.port import Health
from desk.panel_server import PanelAddress
from desk.policy import Policies
from desk.replay_evidence import bundle_of, frames_of
from desk.simulated_reader import kimariji_completed, ku_instants_ns
from desk.simulated_table import PoemRead, SimulatedOfficial, ahead, happenings
from recitation.rhythm import DEFAULT
from referee.facts import KimarijiCompleted
from referee.karuta.state import Phase
from vision.evidence import Bundle, EvidenceRing
from vision.frames import Frame
from vision.match_watcher import MatchWatcher, PoemSeen, WatchEvent
from vision.simulator.match import Pace, SimulatedMatch

T = TypeVar("T")

PATIENCE_S = 20.0
"""How long a ruling waits for a person at the panel before the simulated official looks."""
_FRAMES_AHEAD = 64
_PREVIEW_WIDTH_PX = 640
_SLOW = 0.8
"""Below this part of the promised pictures per second the panel warns."""


def play_with_panel(arguments: argparse.Namespace) -> Report:
    """Play the match with the panel until it is over and the user leaves with Ctrl-C."""
    settings = load_house_settings()
    wanted = settings.port if arguments.port is None else arguments.port
    address = PanelAddress.choose(wanted, lan=arguments.lan)
    linger_and_pause_s = (DEFAULT.shimo_s or 0.0) + (DEFAULT.linger_s or 0.0) + DEFAULT.pause_s
    match = simulated_match(arguments, Pace(first_s=3.0, settle_s=linger_and_pause_s))
    opening, log_path = opening_of(arguments)
    with EventLog.create(log_path) as log:
        hall = SimulatedHall(match, log, opening, settings.policies, arguments.speed)
        sys.stdout.write(f"{address.describe()}\nmatch log: {log.path}\nCtrl-C ends the demonstration\n")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            asyncio.run(_serve(hall, address))
        hall.end()
        hall.report.corrected = tuple(hall.official.corrected)
        hall.report.fields_accepted = hall.official.fields_accepted
        if hall.mat.is_over:
            hall.report.true_winner = match.winner
        sys.stdout.write(hall.report.summary() + "\n")
    return hall.report


async def _serve(hall: SimulatedHall, address: PanelAddress) -> None:
    hall.begin(asyncio.get_running_loop())
    try:
        await address.server(hall.port).serve()
    finally:
        hall.port.close()
        await asyncio.to_thread(hall.end)


class SimulatedHall:
    """A simulated match with everything that stands around a mat.

    Attributes
    ----------
    mat, official, report : the match, who decides what the machine leaves open, and what came of it.
    port : the panel's door.
    """

    def __init__(
        self,
        match: SimulatedMatch,
        log: EventLog,
        opening: MatchOpened,
        policies: Policies,
        speed: float,
    ) -> None:
        self._match = match
        self._closing = threading.Event()
        self._clock = HallClock(speed, round(1e9 / match.fps), self._closing.wait)
        self._evidence_folder = log.path.with_suffix(".evidence")
        self._engine = Engine.begin(log, opening, policies=policies, clock=self._clock)
        self.mat = Mat(self._engine)
        self.official = SimulatedOfficial(self._engine)
        self.report = Report()
        self.port = MatchPort(
            self._engine,
            clock=self._clock,
            evidence_folder=self._evidence_folder,
            health=self._health,
            preview=self._preview,
            t_ku_ns=lambda: self._t_ku_ns,
        )
        self._t_ku_ns: Sequence[int] = ()
        self._decided: KimarijiCompleted | None = None
        self._eye = MatchWatcher()
        self._ring = EvidenceRing()
        self._latest: Frame | None = None
        self._shown_s: deque[float] = deque(maxlen=max(2, round(match.fps * speed)))
        self._thread = threading.Thread(target=self._play, name="hall", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._keeping: set[asyncio.Task[None]] = set()
        self._failure: Exception | None = None

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to play; the engine belongs to `loop`'s thread."""
        self._loop = loop
        self._thread.start()

    def end(self) -> None:
        """Stop playing, wait until the hall is empty, and raise what went wrong in it."""
        self._closing.set()
        self._thread.join()
        if self._failure is not None:
            raise self._failure

    # --- in the hall's own thread ------------------------------------------------------------------------

    def _play(self) -> None:
        try:
            self._clock.go_on()
            with closing(ahead(happenings(self._match), _FRAMES_AHEAD)) as items:
                for item in items:
                    if isinstance(item, Frame):
                        self._show(item)
                    else:
                        self._read(item)
                    if self._closing.is_set() or self.mat.is_over:
                        return
            self._on_loop(self._tell, self._eye.close(), None)
            self._wait_for_officials()
            self._on_loop(self._finish)
        except Exception as error:  # noqa: BLE001 (raised again by `end`, in the thread that can report it)
            self._failure = error
            sys.stderr.write(f"shinpan demo: the simulated hall has stopped: {error!r}\n")

    def _show(self, frame: Frame) -> None:
        if self._engine.state.paused:
            self._stand_still_while(lambda: self._engine.state.paused)
        self._clock.show(frame.t_ns)
        self._shown_s.append(time.perf_counter())
        self._latest = frame
        self._ring.append(frame)
        events = self._eye.feed(frame)
        if events:
            self._on_loop(self._tell, events, self._replay(events))

    def _read(self, read: PoemRead) -> None:
        events = self._eye.poem_started(read.start)
        self._on_loop(self._tell, events, self._replay(events))
        while not self._closing.is_set():
            self._wait_for_officials()
            if self._on_loop(self._hear, read):
                return

    def _wait_for_officials(self) -> None:
        until_s = time.perf_counter() + PATIENCE_S

        def has_to_wait() -> bool:
            state = self._engine.state
            return state.paused or (state.phase is Phase.RULING and time.perf_counter() < until_s)

        if has_to_wait():
            self._stand_still_while(has_to_wait)

    def _stand_still_while(self, waiting: Callable[[], bool]) -> None:
        while waiting() and not self._closing.is_set():
            self._closing.wait(0.05)
        self._clock.go_on()

    def _replay(self, events: Sequence[WatchEvent]) -> EvidenceRing | None:
        seen = next((event for event in events if isinstance(event, PoemSeen)), None)
        return None if seen is None else frames_of(self._ring, seen)

    def _on_loop(self, function: Callable[..., T], *arguments: object) -> T:
        async def call() -> T:
            return function(*arguments)

        assert self._loop is not None, "begin() comes first"
        return asyncio.run_coroutine_threadsafe(call(), self._loop).result()

    # --- on the loop, which owns the engine --------------------------------------------------------------

    def _tell(self, events: Sequence[WatchEvent], replay: EvidenceRing | None) -> None:
        self.mat.tell(events)
        self.mat.open_match(self._clock())
        seen = next((event for event in events if isinstance(event, PoemSeen)), None)
        if seen is not None and self.mat.seen is seen:
            self._t_ku_ns = ()
            if replay is not None:
                ruling = read_minutes(self._engine.history)[-1].seq
                self._keep(partial(bundle_of, replay, seen, self._decided), ruling)
        self._follow()

    def _hear(self, read: PoemRead) -> bool:
        if self._engine.state.paused:
            return False  # somebody at the panel was quicker
        self.report.read.append(read)
        self.official.learn(read)
        self.official.attend()
        self.official.before_poem()
        self._t_ku_ns = ku_instants_ns(read.start)
        self._decided = kimariji_completed(read.start, self._engine.state.unread | {read.start.poem})
        self.mat.hear(read.start, self._decided)
        self._follow()
        return True

    def _finish(self) -> None:
        self.official.attend()
        self.official.before_poem()
        self._follow()

    def _follow(self) -> None:
        for compared in self.report.follow(self._engine.state):
            sys.stdout.write(compared.line() + "\n")
        if self.mat.is_over and self.report.winner is not None:
            sys.stdout.write(f"the match is over: {self.report.winner} wins\n")
        sys.stdout.flush()

    def _keep(self, replay: Callable[[], Bundle], ruling: int) -> None:
        async def keep() -> None:
            path = await asyncio.to_thread(lambda: replay().write(self._evidence_folder))
            self._engine.note(EvidenceKept(ruling, path.name), Origin.DESK)

        task = asyncio.get_running_loop().create_task(keep())
        self._keeping.add(task)
        task.add_done_callback(self._keeping.discard)

    def _health(self) -> Health:
        shown_s = tuple(self._shown_s)
        is_live = len(shown_s) > 1 and time.perf_counter() - shown_s[-1] < 0.5
        fps = (len(shown_s) - 1) / (shown_s[-1] - shown_s[0]) if is_live else None
        nominal = self._match.fps * self._clock.speed
        return {
            "now_ns": self._clock(),
            "fps": fps,
            "fps_nominal": nominal,
            "dropped": 0,
            "late_ms": self._clock.late_ns / 1e6,
            "warnings": ["low_fps"] if fps is not None and fps < _SLOW * nominal else [],
        }

    def _preview(self) -> bytes | None:
        if self._latest is None:
            return None
        gray = self._latest.gray
        height_px = round(gray.shape[0] * _PREVIEW_WIDTH_PX / gray.shape[1])
        small = cv2.resize(gray, (_PREVIEW_WIDTH_PX, height_px), interpolation=cv2.INTER_AREA)
        done, jpeg = cv2.imencode(".jpg", small)
        return jpeg.tobytes() if done else None
