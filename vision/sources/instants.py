"""Find the instants at which a film's pictures are shown, whatever its container says of them.

A decoder returns pictures in display order, and with each the stamp of its packet. If a container keeps only
decoding times (AVI, and anything copied out of one), these stamps jump as soon as display and decoding order
differ. The stamps are right, only assigned to the wrong pictures: the k-th picture shown has the k-th
smallest of them.
"""

import struct
from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import islice, pairwise
from pathlib import Path
from typing import Final, Generic, TypeVar

import av
import av.container
import numpy as np

from referee.sentence import Sentence
from vision.frames.frame import LACKING_STEPS
from vision.sources.mjpeg import stamp as stamp_of
from vision.sources.source import SourceError

T = TypeVar("T")

_MOST_HELD = 16  # the most pictures that a decoder of H.264 or HEVC may hold back
_MOST_WAITING = 4 * _MOST_HELD  # the decoder's threads hold some, too


class Instants(Generic[T]):
    """Matches pictures and stamps.

    Packet stamps out of order are display times, and each picture's own stamp is right. While they rise this
    is open, and makes no difference until a decoder reorders pictures.

    `of_decoding`: whether the container is known to keep only decoding times.
    """

    def __init__(self, *, of_decoding: bool) -> None:
        self._of_decoding = self._sorts = of_decoding
        self._rises = True
        self._waiting: list[int] = []
        self._held: list[tuple[T, int | None]] = []
        self._latest: int | None = None  # latest stamp of the packets
        self._given: int | None = None  # latest stamp of the pictures
        self._least_step: int | None = None

    def feed(self, pts: int | None, dts: int | None) -> None:
        """Note the stamps of a packet that goes into the decoder.

        Raises SourceError if packets have only decoding times, and these jump.
        """
        stamp = dts if pts is None or (self._of_decoding and dts is not None) else pts
        if stamp is None:
            return
        self._rises &= self._latest is None or stamp > self._latest
        self._latest = stamp
        if self._sorts and not self._rises:
            raise SourceError(_untold(Sentence("whose times jump")))
        if self._rises:
            heappush(self._waiting, stamp)
            if self._sorts and len(self._waiting) > _MOST_WAITING:
                raise SourceError(_untold(Sentence("of which some show nothing")))

    def lose(self) -> None:
        """Note that a packet could not be decoded.

        Raises SourceError if the instants of all that follows depend on it.
        """
        if self._sorts:
            raise SourceError(_untold(Sentence("of which some are damaged")))

    def show(self, picture: T, pts: int | None) -> list[tuple[T, int | None]]:
        """Take the next picture out of the decoder, and return the pictures whose instants are known now.

        Raises SourceError if packets have only decoding times, and some are missing.
        """
        self._held.append((picture, pts))
        if self._sorts:
            return self._sorted()
        if not self._rises:
            return self.rest()
        if self._waiting and self._waiting[0] == pts and len(self._held) == 1:
            heappop(self._waiting)
            return self.rest()
        stamps = [stamp for _, stamp in self._held if stamp is not None]
        if stamps != sorted(stamps):
            self._sorts = True
            return self._sorted()
        # so far a packet may only have failed to become a picture
        return self.rest() if len(self._held) > _MOST_HELD else []

    def rest(self) -> list[tuple[T, int | None]]:
        """Return the pictures that are still held back."""
        if self._sorts:
            return self._sorted()
        held, self._held = self._held, []
        latest = max((stamp for _, stamp in held if stamp is not None), default=None)
        while latest is not None and self._waiting and self._waiting[0] <= latest:
            heappop(self._waiting)
        return held

    def _sorted(self) -> list[tuple[T, int | None]]:
        held, self._held = self._held, []
        return [(picture, self._next()) for picture, _ in held]

    def _next(self) -> int | None:
        if not self._waiting:
            return None
        stamp = heappop(self._waiting)
        if self._given is not None:
            step = stamp - self._given
            self._least_step = min(step, self._least_step or step)
            if step > LACKING_STEPS * self._least_step:
                raise SourceError(_untold(Sentence("of which some are missing")))
        self._given = stamp
        return stamp


def _untold(which: Sentence) -> Sentence:
    return Sentence(
        "it tells when its pictures are decoded, not when they are shown, {which}: record into Matroska or "
        "MP4, or without B-frames",
        which=which,
    )


def in_order(items: Iterable[tuple[int | None, T]], leave_out: Callable[[], None]) -> Iterator[tuple[int, T]]:
    """Yield the items that have an instant of their own, later than all before.

    If two claim the same time, or a later one claims to be earlier, nobody knows which is wrong. Both are
    left out, and a hole in the film remains.

    `leave_out`: called for each item that is left out.
    """
    held: tuple[int, T] | None = None
    latest: int | None = None
    for stamp, item in items:
        if stamp is None:
            leave_out()
        elif latest is not None and stamp <= latest:
            leave_out()
            if held is not None:
                leave_out()
            held = None
        else:
            if held is not None:
                yield held
            held, latest = (stamp, item), stamp
    if held is not None:
        yield held


_CAPTURE_FPS = "com.android.capture.fps"
"""Key under which phones note the rate at which a slow-motion video was filmed; its times are stretched."""


def slow_motion(
    container: av.container.InputContainer, stream: av.VideoStream, step_s: float, told_fps: float | None
) -> float:
    """Return how many times slower than filmed a file plays, by `told_fps` or the phone's note; 1 without."""
    written = told_fps or container.metadata.get(_CAPTURE_FPS) or stream.metadata.get(_CAPTURE_FPS)
    try:
        filmed_fps = float(written or 0)
    except ValueError:
        return 1.0
    stretched = step_s * filmed_fps
    least_stretch = 1.5
    return stretched if stretched > least_stretch else 1.0


def usual_step_s(container: av.container.InputContainer, stream: av.VideoStream, stamps: list[int]) -> float:
    """Return the usual time between pictures, 0 if there are fewer than two; `stamps` are those already read.

    Dropped frames would distort the mean rate, so only steps close to the median are averaged. They are
    averaged since a file may count in whole milliseconds: 33 instead of 33.3 would be an error of one
    percent.
    """
    trial_packets = 60
    more = (stamp_of(packet) for packet in islice(container.demux(stream), trial_packets))
    steps = np.diff(sorted([*stamps, *(at for at in more if at is not None)]))
    if not len(steps):
        return 0.0
    alike_steps = 0.1  # steps between the frames of an even film differ by less
    usual = steps[np.abs(steps - np.median(steps)) <= max(1.0, alike_steps * float(np.median(steps)))]
    return float(usual.mean() if len(usual) else 0.0) * float(stream.time_base or 0)


_HEAD: Final = 8
_LARGEST_INDEX: Final = 1 << 28  # bytes; no film's index is larger
_ROUNDING: Final = 2  # ticks of the movie's clock to which lengths of edits are rounded


def cuts_ns(path: Path, track: int) -> tuple[int, ...]:
    """Return the instants at which an edit list joins parts that were not filmed in succession.

    `path`: the film; only MP4 and QuickTime files have such a list.
    """
    index = _index_of(path)
    boxes = list(_boxes(index))
    clock = next((_after_times(body) for kind, body in boxes if kind == b"mvhd"), 0)
    for kind, trak in boxes:
        inside = dict(_boxes(trak)) if kind == b"trak" else {}
        if _after_times(inside.get(b"tkhd", b"")) != track or b"edts" not in inside:
            continue
        own_clock = _after_times(dict(_boxes(inside.get(b"mdia", b""))).get(b"mdhd", b""))
        edits = list(_edits(dict(_boxes(inside[b"edts"])).get(b"elst", b"")))
        return tuple(_joins(edits, clock, own_clock)) if clock and own_clock else ()
    return ()


def _joins(edits: list[tuple[int, int]], clock: int, own_clock: int) -> Iterator[int]:
    """Yield the instants, nanoseconds, at which an edit does not start where the previous one ended."""
    shown, parts = 0, list[tuple[int, int, int]]()
    for length, begins in edits:
        if begins >= 0:  # empty edits show nothing for a while
            parts.append((shown, length, begins))
        shown += length
    for (_, length, begins), (at, _, goes_on) in pairwise(parts):
        skipped = (goes_on - begins) / own_clock - length / clock
        if abs(skipped) > _ROUNDING / clock:
            yield round(at * 1_000_000_000 / clock)


def _index_of(path: Path) -> bytes:
    """Return the body of a film's `moov` box, empty if it has none."""
    with path.open("rb") as file:
        while len(head := file.read(_HEAD)) == _HEAD:
            size, kind = struct.unpack(">I4s", head)
            read = _HEAD
            if size == 1:
                size, read = int.from_bytes(file.read(8), "big"), 2 * _HEAD
            if not kind.isalnum() or size < read:
                return b""
            if kind == b"moov":
                return file.read(size - read) if size < _LARGEST_INDEX else b""
            file.seek(size - read, 1)
    return b""


def _boxes(body: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at + _HEAD <= len(body):
        size, kind = struct.unpack_from(">I4s", body, at)
        if size < _HEAD:
            return
        yield kind, body[at + _HEAD : at + size]
        at += size


def _after_times(body: bytes) -> int:
    """Return the number after a box's two dates, 0 if it has none.

    That is the ticks per second of a `mvhd` or `mdhd` box, and the number of the track of a `tkhd` box.
    """
    place = 20 if body[:1] == b"\1" else 12
    return int.from_bytes(body[place : place + 4], "big")


def _edits(body: bytes) -> Iterator[tuple[int, int]]:
    entry = struct.Struct(">QqI" if body[:1] == b"\1" else ">IiI")
    for number in range(int.from_bytes(body[4:8], "big")):
        at = 8 + number * entry.size
        if at + entry.size > len(body):
            return
        length, begins, _ = entry.unpack_from(body, at)
        yield length, begins
