"""Recorded video as frames: gray pictures with the container's own time stamps.

MJPEG is decoded straight from its packets to gray, which leaves the colour planes undecoded, and every frame
keeps its packet's bytes as evidence. Of every other codec the decoder's luma plane is taken as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import av
import av.container
import cv2
import numpy as np

from vision.frames import Frame, Gray

_LUMA_FIRST = frozenset(
    {"gray", "yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "yuvj444p", "nv12", "nv21"}
)
"""Pixel formats whose plane 0 is 8 bit luma: no conversion is needed."""


class VideoError(ValueError):
    """A video cannot be read: the text says which file and what is wrong with it."""


class VideoSource:
    """A video file; each iteration plays it from its beginning.

    Attributes
    ----------
    path : the file.
    codec : name of the video codec, such as `mjpeg` or `h264`.
    width, height : size of the delivered frames in pixels, after the container's rotation flag.
    nominal_fps : what the container claims; for people, never used as a clock.
    unreadable : packets of the latest iteration that could not be decoded and were left out.
    untimed : frames of the latest iteration left out because their time did not increase.

    Raises
    ------
    VideoError
        Where the file is missing, is not a video, has no video stream or not a single readable frame.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.unreadable = 0
        self.untimed = 0
        if not self.path.is_file():
            raise VideoError(f"video {self.path} does not exist: check the name, or copy the file there")
        with self._open() as container:
            stream = container.streams.video[0]
            self.codec = stream.codec_context.name
            self.nominal_fps = float(stream.average_rate or stream.guessed_rate or 0)
            self._turn = _rotation(self._first_picture(container))
        first = next(iter(self), None)
        if first is None:
            raise VideoError(f"video {self.path} holds no readable frame: record it again")
        self.height, self.width = first.gray.shape

    def __iter__(self) -> Iterator[Frame]:
        """Iterate over the frames in the order of their time stamps.

        `t_ns` is the container's PTS; `t_unc_ns` is half a tick of the container's time base.
        """
        self.unreadable = self.untimed = 0
        latest_ns = None
        index = 0
        with self._open() as container:
            stream = container.streams.video[0]
            tick = Fraction(stream.time_base or 0)
            t_unc_ns = max(1, math.ceil(tick * 10**9 / 2))
            for pts, gray, jpeg in (self._packets if self.codec == "mjpeg" else self._decoded)(container):
                t_ns = None if pts is None else round(pts * tick * 10**9)
                if t_ns is None or (latest_ns is not None and t_ns <= latest_ns):
                    self.untimed += 1
                    continue
                yield Frame(self._turn(gray), t_ns, t_unc_ns, index, jpeg)
                latest_ns = t_ns
                index += 1
        if index == 0 and self.untimed:
            raise VideoError(f"video {self.path} carries no time stamps (PTS): remux it, e.g. into Matroska")

    def _open(self) -> av.container.InputContainer:
        try:
            container = av.open(str(self.path))
        except (av.FFmpegError, OSError) as error:
            raise VideoError(f"video {self.path} cannot be opened as a video: {error}") from error
        if not container.streams.video:
            container.close()
            raise VideoError(f"{self.path} holds no video stream: name the file of the camera")
        return container

    def _first_picture(self, container: av.container.InputContainer) -> av.VideoFrame:
        for packet in container.demux(container.streams.video[0]):
            try:
                for picture in packet.decode():
                    if isinstance(picture, av.VideoFrame):
                        return picture
            except av.FFmpegError:
                continue
        raise VideoError(f"video {self.path} holds no readable frame: record it again")

    def _packets(
        self, container: av.container.InputContainer
    ) -> Iterator[tuple[int | None, Gray, bytes | None]]:
        for packet in container.demux(container.streams.video[0]):
            if packet.size == 0:  # the flush at the end of the stream
                continue
            jpeg = bytes(packet)
            gray = decode_gray(jpeg)
            if gray is None:
                self.unreadable += 1
                continue
            yield (packet.dts if packet.pts is None else packet.pts), gray, jpeg

    def _decoded(
        self, container: av.container.InputContainer
    ) -> Iterator[tuple[int | None, Gray, bytes | None]]:
        stream = container.streams.video[0]
        stream.codec_context.thread_type = "AUTO"
        stream.codec_context.thread_count = 2  # enough to keep up, and few frames in flight
        for packet in container.demux(stream):
            try:
                for picture in packet.decode():
                    if isinstance(picture, av.VideoFrame):
                        yield picture.pts, _luma(picture), None
            except av.FFmpegError:
                self.unreadable += 1


def decode_gray(jpeg: bytes) -> Gray | None:
    """Decode JPEG bytes to gray, shape (height, width) uint8; None where they are damaged."""
    if not jpeg.startswith(b"\xff\xd8"):
        return None
    flags = cv2.IMREAD_GRAYSCALE | cv2.IMREAD_IGNORE_ORIENTATION
    gray = cv2.imdecode(np.frombuffer(jpeg, np.uint8), flags)
    return None if gray is None else gray.astype(np.uint8, copy=False)


def _luma(picture: av.VideoFrame) -> Gray:
    if picture.format.name not in _LUMA_FIRST:
        return picture.to_ndarray(format="gray").astype(np.uint8, copy=False)
    plane = picture.planes[0]
    rows = np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)  # padded to line_size
    return rows[: picture.height, : picture.width].copy()  # the decoder takes its buffer back


def _rotation(picture: av.VideoFrame) -> Callable[[Gray], Gray]:
    quarter_turns = round(picture.rotation / 90) % 4  # counterclockwise, as np.rot90 counts
    if quarter_turns == 0:
        return lambda gray: gray
    return lambda gray: np.ascontiguousarray(np.rot90(gray, quarter_turns))
