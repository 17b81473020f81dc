"""A camera plugged into this machine, opened through the system's own camera interface.

It is asked for MJPEG first, because only compressed pictures come fast enough over USB, and for the undecoded
bytes: they are decoded to gray here and kept as evidence.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Gray
from vision.sources.jpeg import JPEG_START
from vision.sources.live_source import LiveSource, Shot
from vision.sources.source import CameraFormat, CameraWish, SourceError, exposure_number, exposure_seconds

BACKENDS = {
    "linux": (cv2.CAP_V4L2,),
    "win32": (cv2.CAP_DSHOW, cv2.CAP_MSMF),
    "darwin": (cv2.CAP_AVFOUNDATION,),
}
"""Interfaces by platform, in the order in which they are tried."""
_MANUAL_EXPOSURE = {cv2.CAP_V4L2: 1.0, cv2.CAP_DSHOW: 0.0, cv2.CAP_MSMF: 0.0}
_HELD = {"white_balance": cv2.CAP_PROP_AUTO_WB, "focus": cv2.CAP_PROP_AUTOFOCUS}
_HOLD_AFTER_NS = 5_000_000_000
"""When a camera holds what it found by itself: a lens has come to rest by then (our choice)."""
_LOOK_AFTER_NS = 1_000_000_000
"""When the light of a held exposure is compared: a camera delivers it after a few pictures (our choice)."""
_SAME_LIGHT = 0.08
"""A held exposure counts if the levels stay within this share, median over the picture (our choice)."""
_NAMES = {
    cv2.CAP_V4L2: "V4L2",
    cv2.CAP_DSHOW: "DirectShow",
    cv2.CAP_MSMF: "Media Foundation",
    cv2.CAP_AVFOUNDATION: "AVFoundation",
}
_MJPG = cv2.VideoWriter.fourcc(*"MJPG")


class Capture(Protocol):
    """The part of `cv2.VideoCapture` this module talks to."""

    def isOpened(self) -> bool: ...  # noqa: N802
    def set(self, propId: int, value: float) -> bool: ...  # noqa: N803
    def get(self, propId: int) -> float: ...  # noqa: N803
    def read(self) -> tuple[bool, Any]: ...
    def release(self) -> None: ...


Opener = Callable[[int | str, int], Capture]
"""Opens a camera, by number or device path, through one interface of OpenCV."""


def open_capture(camera: int | str, backend: int) -> Capture:
    """Open a camera through one of OpenCV's interfaces, without OpenCV's own messages on the terminal."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        return cv2.VideoCapture(camera, backend)
    finally:
        cv2.utils.logging.setLogLevel(level)


def camera_source(
    camera: int | str = 0,
    wish: CameraWish | None = None,
    *,
    opener: Opener = open_capture,
    backends: tuple[int, ...] | None = None,
    clock_ns: Callable[[], int] = time.perf_counter_ns,
    **options: Any,
) -> LiveSource:
    """Open a camera.

    Raises SourceError if the camera cannot be opened.

    `camera`: its number, or the path of its device. `wish`: what the camera is asked for; the source's
    `format` tells what it agreed to. `opener`, `backends`, `clock_ns`: replaced in tests. `options`: those of
    `LiveSource`.
    """
    interfaces = backends or BACKENDS.get(sys.platform, (cv2.CAP_ANY,))
    connect = partial(_connect, camera, wish or CameraWish(), opener, interfaces, clock_ns)
    return LiveSource(f"camera {camera}", connect, clock_ns=clock_ns, **options)


def _connect(
    camera: int | str,
    wish: CameraWish,
    opener: Opener,
    backends: tuple[int, ...],
    clock_ns: Callable[[], int],
) -> CameraFeed:
    for backend in backends:
        capture = opener(camera, backend)
        if capture.isOpened():
            return CameraFeed(capture, wish, backend, f"camera {camera}", clock_ns)
        capture.release()
    raise SourceError(
        "camera {camera} cannot be opened: is it plugged in, and does no other program use it?", camera=camera
    )


class CameraFeed:
    """An opened camera. `format`: what the driver says it delivers."""

    def __init__(
        self, capture: Capture, wish: CameraWish, backend: int, name: str, clock_ns: Callable[[], int]
    ) -> None:
        self._capture, self._backend = capture, backend
        self._name = name
        self._clock_ns = clock_ns
        self._reading = threading.Lock()
        wanted: list[tuple[int, float]] = [
            (cv2.CAP_PROP_FOURCC, _MJPG),  # before the size: drivers list their sizes per pixel format
            (cv2.CAP_PROP_FRAME_WIDTH, wish.width),
            (cv2.CAP_PROP_FRAME_HEIGHT, wish.height),
        ]
        rate = (cv2.CAP_PROP_FPS, wish.fps)
        # DirectShow sets the camera up anew for a new rate, and forgets the pixel format
        wanted = [rate, *wanted] if backend == cv2.CAP_DSHOW else [*wanted, rate]
        wanted.append((cv2.CAP_PROP_CONVERT_RGB, 0))  # return the bytes as they came
        number = None if wish.exposure_s is None else exposure_number(backend, wish.exposure_s)
        if number is not None:
            wanted += [
                (cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE[backend]),
                (cv2.CAP_PROP_EXPOSURE, number),
            ]
        for prop, value in wanted:
            capture.set(prop, value)
        self.format = _read_back(capture, backend)
        self._hold_at_ns = clock_ns() + _HOLD_AFTER_NS if wish.holds else None
        self._held: _HeldExposure | None = None

    def read(self) -> Shot:
        with self._reading:
            done, picture = self._capture.read()
            arrived_ns = self._clock_ns()
            if not done:
                raise SourceError("{name} stopped delivering: check its cable", name=self._name)
            stamp_ns = round(self._capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
            own = _own_bytes(picture, self.format)
            if self._hold_at_ns is not None and arrived_ns >= self._hold_at_ns:
                self._hold(own, arrived_ns)
        return Shot(own, arrived_ns, stamp_ns if stamp_ns > 0 else None)

    def _hold(self, picture: bytes | Gray, now_ns: int) -> None:
        """Hold the exposure; a second later, if the light stayed, hold focus and white balance as well."""
        if self._held is None:
            self._held = _HeldExposure(self._capture, self._backend, _levels(picture))
            self._hold_at_ns = now_ns + _LOOK_AFTER_NS
            return
        self._hold_at_ns = None
        left = () if self._held.keeps(_levels(picture)) else ("exposure",)
        focus_and_colour = (
            name
            for name, prop in _HELD.items()
            if not (self._capture.set(prop, 0.0) and self._capture.get(prop) == 0.0)
        )
        self.format = replace(_read_back(self._capture, self._backend), automatic=(*left, *focus_and_colour))

    def close(self) -> None:
        """Release the camera after any waiting `read` has returned, since OpenCV cannot interrupt it."""
        patience_s = 12.0  # the longest that OpenCV waits for a V4L2 camera, plus a margin
        if self._reading.acquire(timeout=patience_s):
            self._capture.release()
            self._reading.release()


class _HeldExposure:
    """An exposure set by hand to what the camera had chosen.

    Many drivers return to a number that they kept from long ago, or tell one that they do not use: what
    counts are the pictures.
    """

    def __init__(self, capture: Capture, backend: int, levels: Gray) -> None:
        self._capture, self._by_hand = capture, _MANUAL_EXPOSURE.get(backend)
        self._levels = levels
        self._before = capture.get(cv2.CAP_PROP_AUTO_EXPOSURE)
        if self._by_hand not in {None, self._before}:
            number = capture.get(cv2.CAP_PROP_EXPOSURE)
            capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._by_hand)
            capture.set(cv2.CAP_PROP_EXPOSURE, number)

    def keeps(self, levels: Gray) -> bool:
        """Tell whether it is held and the pictures are as light as before; where they are not, let it go."""
        if self._by_hand is None or self._capture.get(cv2.CAP_PROP_AUTO_EXPOSURE) != self._by_hand:
            return False
        if self._by_hand == self._before:
            return True
        if levels.size and levels.shape == self._levels.shape:
            change = float(np.median(levels / np.maximum(self._levels, 1.0)))
            if abs(change - 1.0) <= _SAME_LIGHT:
                return True
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._before)
        return False


def _levels(picture: bytes | Gray) -> Gray:
    """Return a small gray picture, empty for bytes that are no picture."""
    if isinstance(picture, bytes):
        found = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_REDUCED_GRAYSCALE_8)
        return np.zeros((0, 0), np.uint8) if found is None else np.asarray(found, np.uint8)
    return picture[4::8, 4::8]


def _read_back(capture: Capture, backend: int) -> CameraFormat:
    code = int(capture.get(cv2.CAP_PROP_FOURCC))
    fourcc = "".join(chr(code >> shift & 0xFF) for shift in (0, 8, 16, 24))
    exposure = float(capture.get(cv2.CAP_PROP_EXPOSURE))
    return CameraFormat(
        width=int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
        height=int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        fps=float(capture.get(cv2.CAP_PROP_FPS)),
        fourcc=fourcc if fourcc.isprintable() else "",
        exposure=exposure,
        exposure_s=exposure_seconds(backend, exposure),
        backend=_NAMES.get(backend, ""),
    )


def _own_bytes(picture: NDArray[np.uint8], camera: CameraFormat) -> bytes | Gray:
    """Return the camera's JPEG bytes if it sent JPEG, else the gray picture."""
    if picture.ndim == 3 and picture.shape[2] == 3:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    if picture.ndim == 3 and picture.shape[2] == 2:  # YUYV: every other byte is luma
        return np.ascontiguousarray(picture[:, :, 0])
    if picture.ndim == 2 and 1 not in picture.shape:
        return np.ascontiguousarray(picture[: camera.height or None])  # colour planes may follow the luma
    buffer = picture.tobytes()
    pixels = camera.width * camera.height
    if not buffer.startswith(JPEG_START) and pixels and len(buffer) in (pixels * 2, pixels * 3 // 2):
        step = 2 if len(buffer) == pixels * 2 else 1  # packed YUYV, or NV12 with its luma plane in front
        return np.frombuffer(buffer, np.uint8)[: pixels * step : step].reshape(camera.height, camera.width)
    return buffer
