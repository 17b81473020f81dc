"""A camera that waits for nobody, on a core that has far too much to do."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from benchmarks.degradation.scenes import FPS
from desk.karuta.engine.events import DeskEvent
from desk.karuta.readers.reader import SelfAssured, Sound
from desk.karuta.simulated_hall.table import PoemRead
from desk.log.clocks import Clock, match_clock
from desk.tables.source_kind import Source
from desk.tables.table import Cue
from referee.facts import Gap
from referee.karuta.flow.events import Event
from referee.karuta.flow.follow_ups import FollowUp
from vision.frames.frame import Frame
from vision.sources.formats import CameraFormat
from vision.sources.live_source import LiveSource, Shot
from vision.sources.source import SourceError


class _FilmFeed:
    """Delivers a film's pictures by the clock; see `vision.sources.live_source.Feed`."""

    def __init__(self, film: Sequence[tuple[int, bytes]]) -> None:
        self.format = CameraFormat(width=1280, height=720, fps=FPS, fourcc="MJPG", exposure=0.0)
        self._film = iter(film)
        self.begin_ns = match_clock() + 500_000_000

    def read(self) -> Shot:
        item = next(self._film, None)
        if item is None:
            time.sleep(0.2)
            raise SourceError("the film is over")
        due_ns = self.begin_ns + item[0]
        time.sleep(max(0.0, (due_ns - match_clock()) / 1e9))
        return Shot(item[1], match_clock(), due_ns)

    def close(self) -> None: ...


class LiveTable:
    """A table under a camera that waits for nobody; see `desk.tables.table.Table`."""

    source, where, speed, can_wait = Source.CAMERA, "0", 1.0, False
    exposure_s: float | None = None

    def __init__(self, film: Sequence[tuple[int, bytes]]) -> None:
        self.clock: Clock = match_clock
        self.feed = _FilmFeed(film)
        self._camera = LiveSource("film", lambda: self.feed, give_up_s=2.0)
        self.nominal_fps: float | None = FPS

    def happenings(self) -> Iterator[Frame | Gap | Cue]:  # noqa: D102
        try:
            yield from self._camera
        except SourceError:
            return

    def show(self, frame: Frame) -> None: ...  # noqa: D102
    def go_on(self) -> None: ...  # noqa: D102

    @property
    def dropped(self) -> int:  # noqa: D102
        counters = self._camera.counters
        return counters.missed + counters.overflowed + counters.damaged + counters.repeated

    @property
    def late_ns(self) -> int:  # noqa: D102
        return self._camera.counters.late_ns

    @property
    def problem(self) -> str | None:  # noqa: D102
        return self._camera.problem

    def close(self) -> None:  # noqa: D102
        self._camera.close()


class ReadByClock(SelfAssured):
    """Reads the film's poems when their time has come; see `desk.karuta.readers.reader.Reader`."""

    def __init__(self, poems: Sequence[PoemRead], begin_ns: int) -> None:
        self._due = [
            replace(poem, start=replace(poem.start, t_ns=begin_ns + poem.start.t_ns)) for poem in poems
        ]

    def follow(self, event: Event | FollowUp | DeskEvent, unread: Collection[int]) -> None: ...  # noqa: D102

    def sounds(self) -> Sequence[Sound]:  # noqa: D102
        now_ns = match_clock()
        heard = [poem for poem in self._due if poem.start.t_ns <= now_ns]
        self._due = self._due[len(heard) :]
        return heard

    def close(self) -> None: ...  # noqa: D102


@contextmanager
def one_core(others: int) -> Iterator[None]:
    """Keep this process and so many busy ones on one core."""
    if not others:
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(others)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()
        os.sched_setaffinity(0, cores)
