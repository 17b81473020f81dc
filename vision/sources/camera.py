"""A live camera as frames: its own MJPEG bytes, the driver's time stamps, and counters for what was lost.

A thread takes pictures from the camera as they come and puts them into a bounded ring, so that a slow
listener never stalls the camera: what does not fit is dropped, oldest first, and counted. Where the driver
hands out undecoded MJPEG, the bytes are kept as evidence and decoded to gray by the listener's thread.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame, Gray
from vision.sources.video import decode_gray

BACKENDS = {"linux": cv2.CAP_V4L2, "win32": cv2.CAP_DSHOW, "darwin": cv2.CAP_AVFOUNDATION}
_MJPG = cv2.VideoWriter.fourcc(*"MJPG")
_DRIVER_CLOCK_SLACK_NS = 1_000_000_000
"""A driver stamp further than this from the machine's clock counts another clock, and is not used."""
_PATIENCE_S = 5.0


class CameraError(OSError):
    """A camera cannot be opened or stopped delivering: the text says which and what to try."""


class Capture(Protocol):
    """The part of `cv2.VideoCapture` this module talks to."""

    def isOpened(self) -> bool: ...  # noqa: D102, N802
    def set(self, propId: int, value: float) -> bool: ...  # noqa: D102, N803
    def get(self, propId: int) -> float: ...  # noqa: D102, N803
    def read(self) -> tuple[bool, Any]: ...  # noqa: D102
    def release(self) -> None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class CameraFormat:
    """What the driver says it delivers, which is not always what was asked for.

    Attributes
    ----------
    width, height : pixels.
    fps : frames per second the driver claims; 0 where it does not say.
    fourcc : four letters of the pixel format, such as `MJPG`.
    exposure : the driver's own number for the exposure time (units differ between drivers).
    """

    width: int
    height: int
    fps: float
    fourcc: str
    exposure: float


@dataclass(slots=True)
class CameraCounters:
    """What happened since the camera was opened.

    Attributes
    ----------
    delivered : frames handed to the listener.
    overflowed : frames dropped because the listener was slower than the ring is long.
    missed : frames that never came, counted from the time between frames.
    damaged : frames that could not be decoded.
    late_ns : age of the latest frame when it was handed out.
    """

    delivered: int = 0
    overflowed: int = 0
    missed: int = 0
    damaged: int = 0
    late_ns: int = 0


@dataclass(frozen=True, slots=True)
class _Shot:
    picture: NDArray[np.uint8]
    t_ns: int
    t_unc_ns: int


def open_capture(index_or_url: int | str) -> Capture:
    """Open a camera by the system's own camera interface, or a network stream by its address."""
    if isinstance(index_or_url, str):
        return cv2.VideoCapture(index_or_url, cv2.CAP_FFMPEG)
    return cv2.VideoCapture(index_or_url, BACKENDS.get(sys.platform, cv2.CAP_ANY))


class CameraSource:
    """A camera that is running from construction to `close()`; use it in a `with` block.

    Parameters
    ----------
    index_or_url : number of the camera, or the address of a network stream.
    width, height, fps : what the camera is asked for; `format` tells what it agreed to.
    ring : frames kept for a listener that is late.
    clock_ns : the machine's monotonic clock, nanoseconds.
    opener : opens the camera; exchanged in tests.

    Raises
    ------
    CameraError
        Where the camera cannot be opened; from iteration where it stopped delivering.
    """

    def __init__(
        self,
        index_or_url: int | str = 0,
        *,
        width: int = 1280,
        height: int = 720,
        fps: float = 60.0,
        ring: int = 64,
        clock_ns: Callable[[], int] = time.perf_counter_ns,
        opener: Callable[[int | str], Capture] = open_capture,
    ) -> None:
        if ring < 1:
            raise ValueError(f"ring must hold at least one frame, got {ring}")
        self._name = f"camera {index_or_url}"
        self._capture = opener(index_or_url)
        if not self._capture.isOpened():
            raise CameraError(
                f"{self._name} cannot be opened: is it plugged in, and does no other program use it?"
            )
        wanted = (
            (cv2.CAP_PROP_FOURCC, _MJPG),  # before the size: drivers list their sizes per pixel format
            (cv2.CAP_PROP_FRAME_WIDTH, width),
            (cv2.CAP_PROP_FRAME_HEIGHT, height),
            (cv2.CAP_PROP_FPS, fps),
            (cv2.CAP_PROP_CONVERT_RGB, 0),  # hand out the bytes as they came
        )
        for prop, value in wanted:
            self._capture.set(prop, value)
        self.format = _read_back(self._capture)
        self.counters = CameraCounters()
        self._clock_ns = clock_ns
        self._shots: deque[_Shot] = deque()
        self._limit = ring
        self._changed = threading.Condition()
        self._running = True
        self._failed = False
        self._thread = threading.Thread(target=self._take, name=self._name, daemon=True)
        self._thread.start()

    def __enter__(self) -> CameraSource:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Frame]:
        """Iterate over frames as they come, until `close()`."""
        while (shot := self._next()) is not None:
            gray, jpeg = _gray(shot.picture, self.format)
            if gray is None:
                self.counters.damaged += 1
                continue
            self.counters.late_ns = max(0, self._clock_ns() - shot.t_ns)
            yield Frame(gray, shot.t_ns, shot.t_unc_ns, self.counters.delivered, jpeg)
            self.counters.delivered += 1

    def close(self) -> None:
        """Stop the thread and give the camera back; frames not yet taken are forgotten."""
        with self._changed:
            self._running = False
            self._shots.clear()
            self._changed.notify_all()
        self._thread.join(_PATIENCE_S)
        self._capture.release()

    def _next(self) -> _Shot | None:
        with self._changed:
            ready = self._changed.wait_for(
                lambda: self._shots or self._failed or not self._running, _PATIENCE_S
            )
            if self._shots:
                return self._shots.popleft()
            if not self._running:
                return None
        why = "stopped delivering" if ready else f"delivered nothing for {_PATIENCE_S:.0f} s"
        raise CameraError(f"{self._name} {why}: check its cable and start again")

    def _take(self) -> None:
        latest_ns: int | None = None
        usual_ns = round(1e9 / self.format.fps) if self.format.fps > 0 else 0
        while self._running:
            done, picture = self._capture.read()
            arrived_ns = self._clock_ns()
            if not done:
                with self._changed:
                    self._failed = True
                    self._changed.notify_all()
                return
            t_ns, t_unc_ns = self._stamp(arrived_ns)
            if latest_ns is not None:
                if t_ns <= latest_ns:
                    continue
                if usual_ns:
                    self.counters.missed += max(0, round((t_ns - latest_ns) / usual_ns) - 1)
            latest_ns = t_ns
            with self._changed:
                if len(self._shots) == self._limit:
                    self._shots.popleft()
                    self.counters.overflowed += 1
                self._shots.append(_Shot(picture, t_ns, t_unc_ns))
                self._changed.notify_all()

    def _stamp(self, arrived_ns: int) -> tuple[int, int]:
        """Return the driver's time stamp where it counts the same clock, else the time of arrival."""
        driver_ns = round(self._capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
        if 0 <= arrived_ns - driver_ns <= _DRIVER_CLOCK_SLACK_NS:
            return (
                driver_ns,
                1_000_000,
            )  # V4L2 reports whole microseconds, OpenCV hands out about milliseconds
        frame_ns = round(1e9 / self.format.fps) if self.format.fps > 0 else 33_333_333
        return arrived_ns, frame_ns


def _read_back(capture: Capture) -> CameraFormat:
    code = int(capture.get(cv2.CAP_PROP_FOURCC))
    fourcc = "".join(chr(code >> shift & 0xFF) for shift in (0, 8, 16, 24))
    return CameraFormat(
        width=int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
        height=int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        fps=float(capture.get(cv2.CAP_PROP_FPS)),
        fourcc=fourcc if fourcc.isprintable() else "",
        exposure=float(capture.get(cv2.CAP_PROP_EXPOSURE)),
    )


def _gray(picture: NDArray[np.uint8], camera: CameraFormat) -> tuple[Gray | None, bytes | None]:
    """Return the gray picture and, where the camera sent JPEG, its bytes."""
    if picture.ndim == 2 and (1 in picture.shape or camera.fourcc == "MJPG"):
        jpeg = picture.tobytes()
        return decode_gray(jpeg), jpeg
    if picture.ndim == 3 and picture.shape[2] == 2:  # YUYV: every other byte is luma
        return np.ascontiguousarray(picture[:, :, 0]), None
    if picture.ndim == 3 and picture.shape[2] == 3:
        return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False), None
    return picture, None
