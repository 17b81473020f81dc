"""The interface of every source: frames in the order of their times, and a `Gap` wherever it did not see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

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
