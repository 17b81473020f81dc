"""A running camera: its latest frames in a bounded ring, and a `Gap` for everything that was not seen.

A thread takes pictures as they come, so a slow listener never stalls the camera: what does not fit into the
ring is dropped, oldest first, and counted. If the camera is lost (unplugged, a broken stream) or stands
still, the listener is told at once, the camera is reopened until it is back, and the whole stretch is
reported as one more `Gap`. Another thread decodes JPEG a few pictures ahead, since the listener's time is
needed for looking; the camera's bytes stay with the frame.
"""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Protocol

from referee.complaint import sentence_of
from referee.facts import Gap
from vision.frames.frame import Frame, Gray
from vision.sources.jpeg import decode_gray
from vision.sources.repeated_frames import without_repeats
from vision.sources.source import CameraFormat, Counters, Opened, SourceError
from vision.sources.timestamps import Stamper

RETRY_S = 0.5  # time between two attempts to reopen a lost camera
SILENCE_S = 3.0  # how long a camera on the network may leave a question, or a read, unanswered
STALL_S = 1.0  # a camera that delivers nothing for this long stands still


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture as it came."""

    picture: bytes | Gray
    arrived_ns: int  # this machine's clock when it came
    sent_ns: int | None  # the stamp that came with it, None without one
    # 95 % half width of the stamp on this machine's clock; 0 if the stamp is on that clock itself
    sent_unc_ns: int = 0
    doubt: str | None = None  # why the picture proves nothing; None if it may


class Feed(Protocol):
    """One connection to a camera, used by one thread."""

    format: CameraFormat

    def read(self) -> Shot:
        """Wait for the next picture; SourceError when the connection is lost."""

    def close(self) -> None:
        """Release the camera; a `read` that waits in another thread then ends."""


@dataclass(frozen=True, slots=True)
class _Timed:
    picture: bytes | Gray
    t_ns: int
    t_unc_ns: int
    lost_before: str | None
    """Why nothing is known of the time before: the source itself lost frames, or they are too poor."""
    decoded: Future[Gray | None] | None = None  # the picture of JPEG bytes that are being decoded ahead

    def gray(self) -> Gray | None:
        """Return the picture, None if its bytes are damaged."""
        if self.decoded is not None:
            return self.decoded.result()
        return decode_gray(self.picture) if isinstance(self.picture, bytes) else self.picture


class LiveSource(Opened):
    """A camera that runs from construction to `close()`; use it in a `with` block.

    Raises SourceError if the camera cannot be opened at first, and during iteration when it is given up.

    `format`: what the camera agreed to when it was last opened. `problem`: why no pictures come now, None
    while they come. `stamper`: the clock that the frames' times come from, with their regularity.

    Parameters
    ----------
    name : for people, such as `camera 0`.
    connect : opens the camera; called again whenever it was lost.
    ring : frames kept for a slow listener; 120 last as long as judging a poem may take.
    latency_ns : from the middle of the exposure to the stamp, if `shinpan calibrate` measured it.
    give_up_s : raise SourceError when no picture came for this long; None waits for ever.
    clock_ns : the machine's monotonic clock, nanoseconds.
    """

    is_live = True

    def __init__(
        self,
        name: str,
        connect: Callable[[], Feed],
        *,
        ring: int = 120,
        latency_ns: int = 0,
        give_up_s: float | None = None,
        clock_ns: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        if ring < 1:
            raise ValueError(f"ring must hold at least one frame, got {ring}")
        self.name = name
        self.counters = Counters()
        self.problem: str | None = None
        self._connect = connect
        self._feed = connect()
        self.stamper = _stamper(self.format)
        self._latency_ns = latency_ns
        self._give_up_s = give_up_s
        self._clock_ns = clock_ns
        self._ring: deque[_Timed] = deque()
        self._limit = ring
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._decoder = ThreadPoolExecutor(1, f"{name} decoder")
        self._thread = threading.Thread(target=self._take, name=name, daemon=True)
        self._thread.start()

    @property
    def format(self) -> CameraFormat:
        return self._feed.format

    def __iter__(self) -> Iterator[Frame | Gap]:
        """Iterate over frames as they come, with a `Gap` for every stretch without them, until `close()`."""
        for item in without_repeats(self._taken(), self.counters):
            if isinstance(item, Frame):
                self.counters.late_ns = max(0, self._clock_ns() - item.t_ns)
                self.counters.most_late_ns = max(self.counters.most_late_ns, self.counters.late_ns)
            yield item
            self.counters.delivered += isinstance(item, Frame)

    def _taken(self) -> Iterator[Frame | Gap]:
        """Yield every frame that can be decoded, and a gap for every stretch without them."""
        latest: Frame | None = None
        silent_s, index = 0.0, 0
        while True:
            timed = self._next()
            if isinstance(timed, str):
                if latest is not None and not silent_s:
                    yield Gap(latest.t_ns, max(latest.t_ns, self._clock_ns() - self._latency_ns), timed)
                silent_s += STALL_S
                if self._give_up_s is not None and silent_s >= self._give_up_s:
                    why = self.problem or f"{self.name} delivers nothing: check its cable"
                    raise SourceError("{why} (gave up after {silent_s:.0f} s)", why=why, silent_s=silent_s)
                continue
            if timed is None:
                return
            picture, gray = timed.picture, timed.gray()
            if gray is None:
                self.counters.damaged += 1
                continue
            jpeg = picture if isinstance(picture, bytes) else None
            frame = Frame(gray, timed.t_ns, timed.t_unc_ns, index, jpeg)
            if latest is not None:
                gap = _between(latest, frame, timed.lost_before)
                if gap is not None:
                    yield gap
            latest, silent_s = frame, 0.0
            yield frame
            index += 1

    def close(self) -> None:
        """Stop the thread and release the camera; frames not yet taken are dropped."""
        with self._changed:
            self._closing.set()
            self._ring.clear()
            self._changed.notify_all()
        self._thread.join(STALL_S)  # most cameras end their read with the next frame
        self._feed.close()
        patience_s = 5.0
        self._thread.join(patience_s)
        self._decoder.shutdown()

    def _next(self) -> _Timed | str | None:
        """Return the next picture, or the reason why none comes, or None after `close()`."""
        with self._changed:
            self._changed.wait_for(lambda: self._ring or self._closing.is_set(), STALL_S)
            if self._ring:
                return self._ring.popleft()
            if self._closing.is_set():
                return None
            return "camera_stalled" if self.problem is None else "camera_lost"

    # --- in the capture thread ---------------------------------------------------------------------------

    def _take(self) -> None:
        latest_ns: int | None = None
        lost: str | None = None
        while not self._closing.is_set():
            try:
                shot = self._feed.read()
            except SourceError as error:
                lost = "camera_lost"
                if self._closing.is_set() or not self._reconnect(error):
                    return
                continue
            t_ns, t_unc_ns = self.stamper.stamp(shot.arrived_ns, shot.sent_ns)
            t_ns -= self._latency_ns
            if latest_ns is not None:
                if t_ns <= latest_ns:
                    self.counters.untimed += 1
                    continue
                self._count_missed(t_ns - latest_ns)
            latest_ns = t_ns
            t_unc_ns = round(math.hypot(t_unc_ns, shot.sent_unc_ns))
            self._put(_Timed(shot.picture, t_ns, t_unc_ns, lost or shot.doubt))
            lost = None

    def _put(self, timed: _Timed) -> None:
        with self._changed:
            pictures_ahead = 12  # pictures decoded before they are asked for: more would only fill the memory
            if (
                isinstance(timed.picture, bytes)
                and len(self._ring) < pictures_ahead
                and not self._closing.is_set()
            ):
                timed = replace(timed, decoded=self._decoder.submit(decode_gray, timed.picture))
            if len(self._ring) == self._limit:
                dropped = self._ring.popleft()
                self.counters.overflowed += 1
                if dropped.lost_before and self._ring:  # the next one now follows the loss
                    self._ring[0] = replace(self._ring[0], lost_before=dropped.lost_before)
            self._ring.append(timed)
            self._changed.notify_all()

    def _count_missed(self, step_ns: int) -> None:
        timing = self.stamper.timing
        usual_ns = timing.interval_ns if timing else 1e9 / self.format.fps if self.format.fps > 0 else 0.0
        if usual_ns:
            self.counters.missed += max(0, round(step_ns / usual_ns) - 1)

    def _reconnect(self, why: SourceError) -> bool:
        """Reopen the camera until it is back; return False if the source was closed."""
        self.counters.lost += 1
        self.problem = sentence_of(why)
        self._feed.close()
        while not self._closing.is_set():
            try:
                feed = self._connect()
            except SourceError as error:
                self.problem = sentence_of(error)
                self._closing.wait(RETRY_S)
                continue
            with self._changed:
                self._feed = feed
            if self._closing.is_set():  # closed while the camera was being opened
                feed.close()
                return False
            self.stamper = _stamper(feed.format)
            self.problem = None
            return True
        return False


def _stamper(camera: CameraFormat) -> Stamper:
    return Stamper(camera.fps, are_ours=camera.stamps_are_ours)


def _between(earlier: Frame, later: Frame, lost: str | None) -> Gap | None:
    """Return the gap between two neighbours, None if it is negligible."""
    if earlier.gray.shape != later.gray.shape:
        return Gap(earlier.t_ns, later.t_ns, "size_changed")
    if lost is not None:
        return Gap(earlier.t_ns, later.t_ns, lost)
    # Fewer missing frames than this only make an instant less certain; the eye takes care of that itself.
    long_hole_ns = 60_000_000
    if later.t_ns - earlier.t_ns > long_hole_ns:
        return Gap(earlier.t_ns, later.t_ns, "dropped_frames")
    return None
