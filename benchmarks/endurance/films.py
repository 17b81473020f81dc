"""Tables that show a film again and again, as fast as it is looked at, and count its pictures."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.degradation.camera import FilmCamera
from benchmarks.degradation.film import Film
from desk.karuta.simulated_hall.table import PoemRead
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from desk.tables.table import Cue
from referee.facts import Gap
from vision.frames.frame import Frame
from vision.simulator.drawing.sprites import Pixels
from vision.sources.formats import CameraFormat
from vision.sources.live_source import LiveSource, Shot
from vision.sources.source import SourceError

_FAST = 1e6
"""Times real time: nothing waits for a clock."""
_UNC_NS = 500_000
_AHEAD = 60
"""Pictures that a camera is ahead of the eye while the eye keeps up; half of the ring."""
_BURST, _BURST_EVERY = 250, 600
"""So often the camera does not wait: so many pictures come at once, which the ring cannot hold."""


def _frame(index: int, t_ns: int, jpeg: Pixels) -> Frame:
    def colour() -> Pixels:
        return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)

    gray = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_GRAYSCALE), np.uint8)
    return Frame(gray, t_ns, _UNC_NS, index, render_colour=colour)


@dataclass
class Pictures:
    """What became of a table's pictures.

    Attributes
    ----------
    came : that the camera gave.
    looked : that the eye looked at.
    dropped : that the page says were dropped.
    left : that had come and were not yet looked at when the game was over.
    """

    came: int = 0
    looked: int = 0
    dropped: int = 0
    left: int = 0

    def add(self, other: Pictures) -> None:
        """Add those of one more game."""
        self.came += other.came
        self.looked += other.looked
        self.dropped += other.dropped
        self.left += other.left

    @property
    def add_up(self) -> bool:
        """Whether each was looked at or is told as dropped."""
        return self.came == self.looked + self.dropped + self.left


class FilmTable(ScriptedTable):
    """A card table whose pictures wait until they are looked at."""

    def __init__(self, film: Film, fps: float) -> None:
        frames = (_frame(index, *item) for index, item in enumerate(film))
        super().__init__(lambda: frames, Source.SIMULATOR, "a film", fps, _FAST)
        self.pictures = Pictures()

    def happenings(self) -> Iterator[Frame | Gap | Cue]:
        """Yield the pictures and count them."""
        for item in super().happenings():
            self.pictures.came += 1
            yield item

    def show(self, frame: Frame) -> None:
        """Count what is looked at."""
        self.pictures.looked += 1
        super().show(frame)


class _Feed:
    """Gives pictures as fast as they are looked at, and now and then without waiting."""

    def __init__(self, film: Film, fps: float, behind: Callable[[], int]) -> None:
        self.format = CameraFormat(width=1280, height=720, fps=fps, fourcc="MJPG", exposure=0.0)
        self.came, self.now_ns = 0, 0
        self._film, self._behind = film, behind
        self._over, self.begun = threading.Event(), threading.Event()

    @property
    def is_over(self) -> bool:
        """Whether all pictures have been given."""
        return self.came == len(self._film)

    def read(self) -> Shot:
        """Return the next picture, once the table has begun."""
        self.begun.wait()
        while self.came % _BURST_EVERY < _BURST_EVERY - _BURST and self._behind() > _AHEAD:
            if self._over.wait(0.002):
                break
        if self.is_over or self._over.is_set():
            self._over.wait()
            raise SourceError("the film is over")
        self.now_ns, jpeg = self._film[self.came]
        self.came += 1
        return Shot(jpeg.tobytes(), self.now_ns, self.now_ns)

    def close(self) -> None:
        """Let whoever waits for a picture go."""
        self._over.set()
        self.begun.set()


class FastTable(FilmCamera):
    """A table under a camera that runs far faster than real time."""

    def __init__(self, film: Film, fps: float, poems: Sequence[PoemRead]) -> None:
        self.looked = 0
        self._poems = deque(poems)
        self._feed = _Feed(film, fps, lambda: self._feed.came - self.looked - self.dropped)
        super().__init__(LiveSource("film", lambda: self._feed, clock_ns=self._now_ns), self._now_ns)
        self._feed.begun.set()

    def _now_ns(self) -> int:
        return self._feed.now_ns

    @property
    def is_over(self) -> bool:
        """Whether every picture has been given and looked at."""
        return self._feed.is_over and not self.pictures.left

    @property
    def pictures(self) -> Pictures:
        """What became of the pictures so far."""
        left = self._feed.came - self.looked - self.dropped
        return Pictures(self._feed.came, self.looked, self.dropped, left)

    def happenings(self) -> Iterator[Frame | Gap | Cue]:
        """Iterate over the pictures, with each poem before the first picture after it."""
        for item in super().happenings():
            while isinstance(item, Frame) and self._poems and self._poems[0].start.t_ns <= item.t_ns:
                yield self._poems.popleft()
            yield item

    def show(self, frame: Frame) -> None:  # noqa: ARG002
        """Count what is looked at."""
        self.looked += 1
