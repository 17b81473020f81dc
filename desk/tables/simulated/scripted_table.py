"""A table with recorded or rendered pictures, which come at the pace of a clock that can wait."""

import queue
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from typing import TypeVar

from desk.log.clocks import Clock, match_clock
from desk.tables.source_kind import Source
from desk.tables.table import Cue
from recitation.sound.recent_sound import TimedSound
from referee.facts import Gap
from vision.frames.frame import Frame

T = TypeVar("T")

_FRAMES_AHEAD = 64


class ScriptedTable:
    """Plays pictures and poems as they would come from a real table; see `desk.tables.table.Table`.

    `script`: returns the pictures, with each poem before the first picture after it. `fps`: pictures per
    second. `sound`: returns the sound from one of their instants to another, None where it is silent.
    """

    can_wait = True
    dropped = 0
    exposure_s: float | None = None
    automatic: tuple[str, ...] | None = None
    problem: str | None = None

    def __init__(
        self,
        script: Callable[[], Iterable[Frame | Gap | Cue]],
        source: Source,
        where: str,
        fps: float,
        speed: float = 1.0,
        *,
        sound: Callable[[int, int], TimedSound | None] = lambda _from_ns, _to_ns: None,
    ) -> None:
        self.source = source
        self.where = where
        self.speed = speed
        self.sound = sound
        self.nominal_fps: float | None = fps * speed
        self._script = script
        self._begun: Generator[Frame | Gap | Cue, None, None] | None = None
        self._closing = threading.Event()
        self.clock = ScriptedClock(speed, round(1e9 / fps), self._closing.wait)

    def happenings(self) -> Iterator[Frame | Gap | Cue]:
        """Iterate over the script; a thread of its own renders or decodes it."""
        items, self._begun = self._begun or ahead(self._script(), _FRAMES_AHEAD), None
        with closing(items):
            yield from items

    def begin(self) -> None:
        """Begin to render before anybody asks for the pictures."""
        self._begun = ahead(self._script(), _FRAMES_AHEAD)

    def show(self, frame: Frame) -> None:
        self.clock.show(frame.t_ns)

    def go_on(self) -> None:
        self.clock.go_on()

    @property
    def late_ns(self) -> int:
        return self.clock.late_ns

    def close(self) -> None:
        self._closing.set()


def ahead(items: Iterable[T], most: int) -> Generator[T, None, None]:
    """Return a generator of `items`; a thread begins at once to make them, at most `most` items ahead.

    Close the generator to end the thread before the items are exhausted.
    """
    made: queue.Queue[T | _End] = queue.Queue(most)
    stop = threading.Event()

    def put(item: T | _End) -> bool:
        while not stop.is_set():
            try:
                made.put(item, timeout=0.1)
            except queue.Full:
                continue
            return True
        return False

    def make() -> None:
        end = _End()
        try:
            for item in items:
                if not put(item):
                    return
        except Exception as error:  # noqa: BLE001 -- raised again in the thread that takes the items
            end.error = error
        put(end)

    maker = threading.Thread(target=make, name="pictures", daemon=True)
    maker.start()

    def taken() -> Generator[T, None, None]:
        try:
            while not isinstance(item := made.get(), _End):
                yield item
            if item.error is not None:
                raise item.error
        finally:
            stop.set()
            maker.join()

    return taken()


class _End:
    """Marks the end of the items, with the error if they ended early."""

    error: Exception | None = None


_LATE_NS = 100_000_000
"""If pictures come later than this, the clock is set back to them instead of running away."""


class ScriptedClock:
    """Simulated nanoseconds at `speed`, at most an interval past the picture that was shown."""

    def __init__(
        self, speed: float, interval_ns: int, sleep: Callable[[float], object], real: Clock = match_clock
    ) -> None:
        self.speed = speed
        self.late_ns = 0
        self._interval_ns = interval_ns
        self._sleep = sleep
        self._real = real
        self._lock = threading.Lock()
        self._shown_ns = 0
        self._anchor_ns = 0
        self._anchor_real_ns = real()

    def __call__(self) -> int:
        with self._lock:
            elapsed_ns = round((self._real() - self._anchor_real_ns) * self.speed)
            return min(self._anchor_ns + elapsed_ns, self._shown_ns + self._interval_ns)

    def show(self, t_ns: int) -> None:
        """Wait until the simulated time is `t_ns`, the instant of the next picture."""
        due_ns = self._anchor_real_ns + round((t_ns - self._anchor_ns) / self.speed)
        wait_ns = due_ns - self._real()
        if wait_ns > 0:
            self._sleep(wait_ns / 1e9)
        with self._lock:
            self.late_ns = max(0, -wait_ns)
            if self.late_ns > _LATE_NS:
                self._anchor_ns, self._anchor_real_ns = t_ns, self._real()
            self._shown_ns = t_ns

    def go_on(self) -> None:
        """Run on after a stop, without making up for the time."""
        with self._lock:
            self._anchor_ns, self._anchor_real_ns = self._shown_ns, self._real()
