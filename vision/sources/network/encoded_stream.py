"""A camera that encodes its pictures itself and sends each with its instant, such as a phone's browser.

The receiver fills a bounded queue, and the feed of a `LiveSource` decodes. If the queue is full, all pictures
up to the next key frame are dropped, since none of them can be decoded without its predecessors.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import av

from vision.frames.luma import luma
from vision.frames.quantiser import EXPORT, LATEST, POOR_PICTURES, Coarseness
from vision.sources.live_source import Shot
from vision.sources.orientation import AS_STORED, Orientation, turned_by
from vision.sources.source import CameraFormat, SourceError

_MOST_WAITING = 90  # pictures: 1.5 s at 60 a second; a receiver further behind will not catch up
_MOST_BYTES = 16 * 2**20
_MOST_PIXELS = 4096 * 4096
"""As much as a phone may announce: the stream itself may say more, and a decoder keeps up to 17 pictures."""


@dataclass(frozen=True, slots=True)
class Announced:
    """The format of what follows, sent before the first picture and whenever it changes."""

    codec: str  # FFmpeg's name of it: `h264`, `hevc`, `vp8`, `vp9` or `av1`
    # width, height: pixels, as encoded
    width: int
    height: int
    fps: float  # pictures a second that the camera agreed to
    turned_deg: int = 0  # clockwise turn that makes the pictures upright, in quarter turns
    exposure_s: float | None = None  # as the camera reports it, None if it does not


@dataclass(frozen=True, slots=True)
class Encoded:
    """One encoded picture."""

    data: bytes  # its bytes; H.264 and HEVC with start codes
    is_whole: bool  # whether it can be decoded without its predecessors
    # t_ns, t_unc_ns: when it was taken, on this machine's clock, and the half width of that
    t_ns: int
    t_unc_ns: int
    arrived_ns: int


class EncodedQueue:
    """Pictures that were received and not yet decoded.

    `dropped`: pictures that were left out because the queue was full, or because they could not be decoded.
    `wants_whole`: whether nothing can be decoded before the next key frame.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self.wants_whole = True
        self._items: deque[Announced | Encoded] = deque()
        self._bytes = 0
        self.ended: str | None = None  # why nothing more will come; None while something may
        self._changed = threading.Condition()

    def announce(self, what: Announced) -> None:
        """Start decoding what follows in the announced format."""
        with self._changed:
            if self._items and isinstance(self._items[-1], Announced):
                self._items.pop()
            self._items.append(what)
            self.wants_whole = True
            self._changed.notify_all()

    def put(self, picture: Encoded) -> bool:
        """Add a picture; return False if it was dropped."""
        with self._changed:
            is_full = len(self._items) >= _MOST_WAITING or self._bytes + len(picture.data) > _MOST_BYTES
            if is_full or (self.wants_whole and not picture.is_whole):
                self.dropped += is_full or bool(self._items)
                self.wants_whole = True
                return False
            self.wants_whole = False
            self._items.append(picture)
            self._bytes += len(picture.data)
            self._changed.notify_all()
            return True

    def spoilt(self) -> None:
        """Drop everything up to the next key frame, since a picture before it could not be decoded."""
        with self._changed:
            while self._items and isinstance(first := self._items[0], Encoded) and not first.is_whole:
                self._items.popleft()
                self._bytes -= len(first.data)
                self.dropped += 1
            self.wants_whole |= not self._items

    def take(self, patience_s: float) -> Announced | Encoded | None:
        """Return the next item, None if none comes in time.

        Raises SourceError if nothing will come any more; the text says why.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._items or self.ended is not None, patience_s)
            if self._items:
                item = self._items.popleft()
                self._bytes -= len(item.data) if isinstance(item, Encoded) else 0
                return item
            if self.ended is not None:
                raise SourceError(self.ended)
            return None

    def end(self, why: str) -> None:
        """End the queue; the first reason given is kept."""
        with self._changed:
            self.ended = self.ended or why
            self._changed.notify_all()


class EncodedFeed:
    """Decodes what a queue holds; see `vision.sources.live_source.Feed`.

    `format`: the latest announced format; unknown at first.

    `queue`: filled by another thread. `clock_ns`: the machine's monotonic clock.
    """

    def __init__(
        self,
        queue: EncodedQueue,
        name: str,
        clock_ns: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        self._queue = queue
        self._name = name
        self._clock_ns = clock_ns
        self._context: av.VideoCodecContext | None = None
        self._held: Orientation = AS_STORED
        self._coarseness = Coarseness("")
        self.format = CameraFormat(0, 0, 0.0, "", backend="phone", stamps_are_ours=True)

    def read(self) -> Shot:
        patience_s = 5.0  # how long an open line may bring nothing before it counts as broken
        while True:
            item = self._queue.take(patience_s)
            if item is None:
                raise SourceError("{name} sends no pictures: is its page still open?", name=self._name)
            if isinstance(item, Announced):
                self._open(item)
                continue
            gray = self._decoded(item)
            if gray is not None:
                doubt = POOR_PICTURES if self._coarseness.is_too_coarse() else None
                return Shot(gray, item.arrived_ns, item.t_ns, item.t_unc_ns, doubt)

    def close(self) -> None:
        """End the line; a `read` that waits in another thread then ends."""
        self._queue.end(f"{self._name} was closed")

    def _open(self, announced: Announced) -> None:
        self._context = cast("av.VideoCodecContext", av.CodecContext.create(announced.codec, "r"))
        self._context.options = {**EXPORT, "max_pixels": str(_MOST_PIXELS)}
        self._coarseness = Coarseness(announced.codec, LATEST)
        self._context.thread_count = 1  # every additional thread holds one more picture back
        self._held = turned_by(-announced.turned_deg)
        wide, tall = announced.width, announced.height
        turned = announced.turned_deg % 180 != 0
        self.format = CameraFormat(
            width=tall if turned else wide,
            height=wide if turned else tall,
            fps=announced.fps,
            fourcc=announced.codec,
            exposure_s=announced.exposure_s,
            backend="phone",
            stamps_are_ours=True,
        )

    def _decoded(self, item: Encoded) -> Any:
        assert self._context is not None, "pictures are announced before they come"
        try:
            pictures = self._context.decode(av.Packet(item.data))
        except av.FFmpegError:
            pictures = []
        if len(pictures) != 1 or pictures[0].is_corrupt:
            # the decoder holds pictures back or misses some: their instants would be mixed up
            self._queue.spoilt()
            return None
        self._coarseness.note(pictures[0], item.t_ns, len(item.data))
        return self._held(luma(pictures[0]))
