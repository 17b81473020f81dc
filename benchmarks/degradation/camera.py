"""A camera that waits for nobody, on a core that has far too much to do."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace

from benchmarks.degradation.scenes import FPS
from desk.karuta.readers.reader import NoReader, Sound
from desk.karuta.simulated_hall.table import PoemRead
from desk.log.clocks import Clock, match_clock
from desk.tables.camera_table import CameraTable
from desk.tables.table import Cue
from referee.facts import Gap
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


class FilmCamera(CameraTable):
    """A table under a camera that shows a film; it counts what it drops as a real one does."""

    def __init__(self, camera: LiveSource, clock: Clock) -> None:  # nothing is opened
        self.where, self.clock, self._camera = "0", clock, camera


class ClockedTable(FilmCamera):
    """A table under a camera that waits for nobody."""

    def __init__(self, film: Sequence[tuple[int, bytes]]) -> None:
        self.feed = _FilmFeed(film)
        super().__init__(LiveSource("film", lambda: self.feed, give_up_s=2.0), match_clock)

    def happenings(self) -> Iterator[Frame | Gap | Cue]:
        """Iterate over the pictures to the end of the film."""
        with suppress(SourceError):
            yield from super().happenings()


class ReadByClock(NoReader):
    """Reads the film's poems when their time has come."""

    def __init__(self, poems: Sequence[PoemRead], begin_ns: int) -> None:
        self._due = [
            replace(poem, start=replace(poem.start, t_ns=begin_ns + poem.start.t_ns)) for poem in poems
        ]

    def sounds(self) -> Sequence[Sound]:
        """Return the poems whose time has come since the last call."""
        now_ns = match_clock()
        heard = [poem for poem in self._due if poem.start.t_ns <= now_ns]
        self._due = self._due[len(heard) :]
        return heard


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
