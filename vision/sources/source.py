"""The interface of every source: frames in the order of their times, and a `Gap` wherever it did not see."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

import cv2

from referee.facts import Gap
from referee.sentence import SentenceError
from vision.frames.frame import Frame


class SourceError(SentenceError, OSError):
    """A source cannot be opened, or stopped for good; the text says which one and what to try."""


@dataclass(slots=True)
class Counters:
    """Counts of events since a source was opened."""

    delivered: int = 0  # frames handed to the listener
    overflowed: int = 0  # frames dropped because the listener fell behind by more than the ring holds
    missed: int = 0  # frames that never came, counted from the time between frames
    damaged: int = 0  # frames that could not be decoded
    untimed: int = 0  # frames left out because their time did not increase
    repeated: int = 0  # frames left out because they repeat the previous one
    lost: int = 0  # how often the camera was lost and had to be reopened
    late_ns: int = 0  # age of the latest frame when it was handed out
    most_late_ns: int = 0


class Opened:
    """What is used in a `with` block and closed at its end."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release what is held: nothing, where files are opened one by one."""


class Source(Protocol):
    """A camera, a stream, a video or a list of pictures.

    `is_live`: whether frames come in real time, and missed ones are gone.
    """

    @property
    def name(self) -> str: ...
    @property
    def is_live(self) -> bool: ...
    @property
    def counters(self) -> Counters: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def __iter__(self) -> Iterator[Frame | Gap]: ...
    def close(self) -> None: ...


_V4L2_UNIT_S = 1e-4  # V4L2_CID_EXPOSURE_ABSOLUTE counts units of 100 microseconds


@dataclass(frozen=True, slots=True)
class CameraWish:
    """The format that a camera is asked for; it may agree to another."""

    # width, height: pixels
    width: int = 1280
    height: int = 720
    fps: float = 60.0  # frames per second
    exposure_s: float | None = None  # exposure time in seconds, or None to leave the camera's setting alone
    # whether focus and white balance are to stay as they are a few seconds after it was opened
    holds: bool = False


@dataclass(frozen=True, slots=True)
class CameraFormat:
    """The format that the driver reports: not always the one asked for, nor the one that comes."""

    # width, height: pixels; 0 if unknown before the first picture
    width: int
    height: int
    fps: float  # frames per second that the driver claims; 0 if it does not say
    fourcc: str  # four letters of the pixel format, such as `MJPG`
    exposure: float = 0.0  # the driver's own number for the exposure time (units differ between drivers)
    exposure_s: float | None = None  # the same in seconds, or None if the unit is unknown
    backend: str = ""  # the interface through which the camera was opened, such as `V4L2`
    # whether pictures have instants on this machine's clock, however late they come
    stamps_are_ours: bool = False
    # what the camera may change by itself, of `exposure`, `white_balance`, `focus`; None if that was not
    # asked yet
    automatic: tuple[str, ...] | None = None


def exposure_seconds(backend: int, number: float) -> float | None:
    """Return a driver's exposure number in seconds, or None if the interface does not define its unit.

    V4L2 counts 100 us; DirectShow and Media Foundation give the base-2 logarithm of the seconds.
    """
    if backend == cv2.CAP_V4L2:
        return number * _V4L2_UNIT_S if number > 0 else None
    if backend in (cv2.CAP_DSHOW, cv2.CAP_MSMF):
        return float(2.0**number) if -20 <= number < 0 else None
    return None


def exposure_number(backend: int, exposure_s: float) -> float | None:
    """Return the driver's number for an exposure time, or None if its unit is unknown."""
    if exposure_s <= 0:
        raise ValueError(f"exposure_s must be positive, got {exposure_s}")
    if backend == cv2.CAP_V4L2:
        return max(1.0, round(exposure_s / _V4L2_UNIT_S))
    if backend in (cv2.CAP_DSHOW, cv2.CAP_MSMF):
        exponent = 0
        while 2.0**exponent > exposure_s:
            exponent -= 1
        return float(exponent)
    return None
