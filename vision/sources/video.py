"""Recorded video as frames: gray pictures with the container's own time stamps.

MJPEG is decoded straight from its packets to gray, which leaves the colour planes undecoded, and every frame
keeps its packet's bytes as evidence; while glances will do, they are decoded whole only on demand.
Of every other codec the decoder's luma plane is taken as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType

import av
import av.container
import cv2
import numpy as np

from vision.frames import EIGHTH, Colour, Frame, Glimpse, Gray
from vision.sources.jpeg import decode_colour
from vision.sources.mjpeg import Packet, pictures, stamp
from vision.sources.repeats import without_repeats
from vision.sources.source import Counters, SourceError

_LUMA_FIRST = frozenset(
    {"gray", "yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "yuvj444p", "nv12", "nv21"}
)
"""Pixel formats whose plane 0 is 8 bit luma: no conversion is needed."""


_CAPTURE_FPS = "com.android.capture.fps"
"""Where phones write down how fast a slow-motion video was filmed; its own times are stretched."""
_STRETCHED = 1.5
_ALIKE = 0.1  # steps between frames of an even film differ by less
_TRIAL_PACKETS = 60
_LEAST_STRETCH, _MOST_STRETCH = 1.01, 2.5  # of pixels that are no squares: less is rounding, more no camera
_MOMENT_S = 0.04  # no hand comes in and leaves again within it: three pictures of 120 a second are left out


class VideoError(SourceError):
    """A video cannot be read: the text says which file and what is wrong with it."""


class VideoSource:
    """A video file; each iteration plays it from its beginning.

    Attributes
    ----------
    path : the file.
    name : the same, for people.
    counters : what happened in the latest iteration.
    codec : name of the video codec, such as `mjpeg` or `h264`.
    width, height : size of the delivered frames in pixels, after the container's rotation flag.
    nominal_fps : what the container claims; for people, never used as a clock.
    glances : whether a glance at the next frames will most likely do: they are decoded whole when asked for.
    is_enough : whether nobody wants to see the next frames: they are counted, and not decoded or delivered.
    passed_over : frames of the latest iteration that were counted so.
    begins_ns, ends_ns : instants of its first and its latest frame, delivered or not; 0 before the first.
    slow_motion : by how much the file's times are stretched against what was filmed; frames' times are not.

    Parameters
    ----------
    path : the file.
    filmed_fps : how many pictures a second were filmed, where the camera did not write it down: slow motion
        that was written stretched is timed by it. None takes the camera's word, or the file's own times.

    Raises
    ------
    VideoError
        Where the file is missing, is not a video, has no video stream or not a single readable frame.
    """

    is_live = False

    def __init__(self, path: str | Path, filmed_fps: float | None = None) -> None:
        self.path = Path(path)
        self.name = str(path)
        self.counters = Counters()
        self.glances = self.is_enough = False
        self.passed_over = 0
        self.begins_ns = self.ends_ns = self._last_ns = 0
        self._packets_read = 0
        if not self.path.is_file():
            raise VideoError(f"video {self.path} does not exist: check the name, or copy the file there")
        with self._open() as container:
            stream = _camera_of(container)
            self.codec = stream.codec_context.name
            self.nominal_fps = float(stream.average_rate or stream.guessed_rate or 0)
            self.slow_motion = _slow_motion(container, filmed_fps)
            picture = self._first_picture(container)
            self._stretch = _stretch(stream)
            self._turn = _as_shown(picture, self._stretch)
        self.height, self.width = self._first_frame(picture).shape

    def __enter__(self) -> VideoSource:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Do nothing: each iteration opens the file and closes it."""

    @property
    def unreadable(self) -> int:
        """Packets of the latest iteration that could not be decoded and were left out."""
        return self.counters.damaged

    @property
    def untimed(self) -> int:
        """Frames of the latest iteration left out because their time did not increase."""
        return self.counters.untimed

    def __iter__(self) -> Iterator[Frame]:
        """Iterate over the frames in the order of their time stamps.

        `t_ns` is the container's PTS; `t_unc_ns` is half a tick of the container's time base.
        """
        self.counters = Counters()
        self.is_enough, self.passed_over, self.begins_ns, self.ends_ns = False, 0, 0, 0
        for frame in without_repeats(self._frames(), self.counters):
            yield frame
            self.counters.delivered += 1

    def _frames(self) -> Iterator[Frame]:
        """Yield all frames that can be decoded."""
        index = 0
        with self._open() as container:
            stream = _camera_of(container)
            tick = Fraction(stream.time_base or 0) / Fraction(self.slow_motion).limit_denominator(1000)
            t_unc_ns = max(1, math.ceil(tick * 10**9 / 2))
            wanted, context = self._wanted(container, tick), stream.codec_context
            if self.codec == "mjpeg":
                play = self._packets(context, wanted, tick)
            else:
                play = self._decoded(context, wanted)
            for pts, gray, jpeg, render in play:
                t_ns = None if pts is None else round(pts * tick * 10**9)
                if t_ns is None or (index and t_ns <= self.ends_ns):
                    self.counters.untimed += 1
                    continue
                self.begins_ns, self.ends_ns = self.begins_ns if index else t_ns, t_ns
                turned = gray.turned(self._turn) if isinstance(gray, Glimpse) else self._turn(gray)
                kept = jpeg if self._stretch == (1.0, 1.0) else None  # evidence shows what was looked at
                yield Frame(turned, t_ns, t_unc_ns, index, kept, _turned(render, self._turn))
                index += 1
        if self.is_enough:  # some of those before were left in the decoder
            self.passed_over = self._packets_read - index - self.unreadable - self.untimed
            self.ends_ns = max(self.ends_ns, self._last_ns)
        if index == 0 and self.counters.untimed:
            raise VideoError(f"video {self.path} carries no time stamps (PTS): remux it, e.g. into Matroska")

    def _open(self) -> av.container.InputContainer:
        try:
            container = av.open(str(self.path))
        except (av.FFmpegError, OSError) as error:
            what = "cannot be opened as a video" if self.path.stat().st_size else "is empty"
            advice = "copy it anew from the camera; a film that was cut off while it was written has no index"
            raise VideoError(f"video {self.path} {what} ({error.strerror}): {advice}") from error
        if not container.streams.video:
            container.close()
            raise VideoError(f"{self.path} holds no video stream: name the file of the camera")
        return container

    def _first_picture(self, container: av.container.InputContainer) -> av.VideoFrame:
        for packet in container.demux(_camera_of(container)):
            try:
                for picture in packet.decode():
                    if isinstance(picture, av.VideoFrame):
                        return picture
            except av.FFmpegError:
                continue
        raise VideoError(f"video {self.path} holds no readable frame: record it again")

    def _first_frame(self, picture: av.VideoFrame) -> Gray:
        """Return the first frame: of MJPEG as it is decoded here, of others as it was decoded already."""
        if self.codec != "mjpeg" and picture.pts is not None:
            return self._turn(luma(picture))  # opening the file anew takes as long as many frames
        first = next(iter(self), None)
        if first is None:
            raise VideoError(f"video {self.path} holds no readable frame: record it again")
        return first.gray

    def _wanted(self, container: av.container.InputContainer, tick: Fraction) -> Iterator[Packet]:
        """Yield the film's packets until nobody wants to see more; the others are counted."""
        self._packets_read, latest = 0, 0
        for packet in container.demux(_camera_of(container)):
            if packet.size:
                self._packets_read, latest = self._packets_read + 1, max(latest, stamp(packet) or 0)
            if not self.is_enough:
                yield packet
        self._last_ns = round(latest * tick * 10**9)

    def _packets(
        self, context: av.VideoCodecContext, packets: Iterator[Packet], tick: Fraction
    ) -> Iterator[tuple[int | None, Gray | Glimpse, bytes | None, Callable[[], Colour]]]:
        of_blocks = (
            context.width % EIGHTH == 0 and context.height % EIGHTH == 0 and self._stretch == (1.0, 1.0)
        )
        filled = (packet for packet in packets if packet.size)  # without the flush at the end of the stream
        moment = int(_MOMENT_S / tick) if tick else 0
        for packet, jpeg, gray in pictures(filled, lambda: self.glances and of_blocks, moment):
            if gray is None:
                self.counters.damaged += 1
                continue
            yield stamp(packet), gray, jpeg, partial(decode_colour, jpeg)

    def _decoded(
        self, context: av.VideoCodecContext, packets: Iterator[Packet]
    ) -> Iterator[tuple[int | None, Gray, bytes | None, Callable[[], Colour]]]:
        context.thread_type = "AUTO"
        context.thread_count = 2  # enough to keep up, and few frames in flight
        is_sound = True
        for packet in packets:
            try:
                for picture in packet.decode():
                    # what is painted over damage looks real, and so does all that builds on it
                    is_sound = not picture.is_corrupt and (is_sound or picture.key_frame)
                    if is_sound:
                        yield picture.pts, luma(picture), None, partial(_colour, picture)
                    else:
                        self.counters.damaged += 1
            except av.FFmpegError:
                is_sound = False
                self.counters.damaged += 1


def luma(picture: av.VideoFrame) -> Gray:
    """Return a decoded picture's brightness, shape (height, width)."""
    if picture.format.name not in _LUMA_FIRST:
        return picture.to_ndarray(format="gray").astype(np.uint8, copy=False)
    plane = picture.planes[0]
    rows = np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)  # padded to line_size
    return rows[: picture.height, : picture.width].copy()  # the decoder takes its buffer back


def _camera_of(container: av.container.InputContainer) -> av.VideoStream:
    """Return the stream that players would show: a file may hold a cover or a small preview, too."""
    best = container.streams.best("video")
    return best if isinstance(best, av.VideoStream) else container.streams.video[0]


def _stretch(stream: av.VideoStream) -> tuple[float, float]:
    """Return by how much stored pictures are widened and heightened for square pixels, none below 1."""
    wide = float(stream.sample_aspect_ratio or 1)
    if not _LEAST_STRETCH <= max(wide, 1 / wide) <= _MOST_STRETCH:
        return 1.0, 1.0
    return max(wide, 1.0), max(1 / wide, 1.0)


def _as_shown(picture: av.VideoFrame, stretch: tuple[float, float]) -> Callable[[Gray], Gray]:
    """Return what makes a stored picture upright, with square pixels."""
    quarter_turns = round(picture.rotation / 90) % 4  # counterclockwise, as np.rot90 counts
    if quarter_turns == 0 and stretch == (1.0, 1.0):
        return lambda gray: gray

    def shown(gray: Gray) -> Gray:
        if stretch != (1.0, 1.0):
            size = round(gray.shape[1] * stretch[0]), round(gray.shape[0] * stretch[1])
            gray = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_CUBIC), np.uint8)
        return np.ascontiguousarray(np.rot90(gray, quarter_turns))

    return shown


def _turned(render: Callable[[], Colour], turn: Callable[[Gray], Gray]) -> Callable[[], Colour]:
    return lambda: turn(render())


def _colour(picture: av.VideoFrame) -> Colour:
    return picture.to_ndarray(format="bgr24").astype(np.uint8, copy=False)


def _slow_motion(container: av.container.InputContainer, told_fps: float | None) -> float:
    """Return how many times slower than filmed the file plays, as told or written by the phone; 1 without.

    The usual step between frames tells whether times are stretched: the mean rate would be misled by frames
    that were dropped. It is averaged over all that are about as long, for a file may count in whole
    milliseconds: 33 for 33.3 would be a hundredth of all times.
    """
    stream = _camera_of(container)
    written = told_fps or container.metadata.get(_CAPTURE_FPS) or stream.metadata.get(_CAPTURE_FPS)
    try:
        filmed_fps = float(written or 0)
    except ValueError:
        return 1.0
    if filmed_fps <= 0:
        return 1.0
    stamps = sorted(
        packet.pts for packet in islice(container.demux(stream), _TRIAL_PACKETS) if packet.pts is not None
    )
    container.seek(0)
    if len(stamps) < 2:
        return 1.0
    steps = np.diff(stamps)
    usual = steps[np.abs(steps - np.median(steps)) <= max(1.0, _ALIKE * float(np.median(steps)))]
    step_s = float(usual.mean() if len(usual) else 0.0) * float(stream.time_base or 0)
    stretched = step_s * filmed_fps
    return stretched if stretched > _STRETCHED else 1.0
