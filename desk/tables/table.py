"""The interface of a table: pictures, and the poems that begin between them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from desk.log.clocks import Clock
from desk.tables.source_kind import Source
from referee.facts import Gap, KimarijiCompleted, PoemStarted
from vision.frames.frame import Frame


class Cue(Protocol):
    """A poem that has begun."""

    @property
    def start(self) -> PoemStarted:
        """The first sound."""

    @property
    def t_ku_ns(self) -> Sequence[int]:
        """The beginnings of its ku, as far as they are known."""

    def decided(self, unread: Collection[int]) -> KimarijiCompleted | None:
        """Return the end of its kimariji, None if the rhythm of the reading is not known.

        `unread`: the poems that could still be read, this one among them.
        """


@dataclass(frozen=True, slots=True)
class FirstSound:
    """A person began to read; which poem it is, if it is one, will be known later."""

    t_ns: int
    t_unc_ns: int


@dataclass(frozen=True, slots=True)
class NoVerse:
    """The latest first sound was no poem."""


Said = Cue | FirstSound | NoVerse  # what a reader reports while the table is watched


class Table(Protocol):
    """A source of pictures.

    Attributes
    ----------
    source, where : kind of the source, and its address: a camera's number, a recording's folder, a seed.
    nominal_fps : pictures per second that the source promised; None if it promised nothing.
    speed : factor of real time at which the pictures come.
    can_wait : whether the pictures wait until they are taken, as recorded and simulated ones do.
    """

    @property
    def source(self) -> Source: ...
    @property
    def where(self) -> str: ...
    @property
    def nominal_fps(self) -> float | None: ...
    @property
    def speed(self) -> float: ...
    @property
    def can_wait(self) -> bool: ...
    @property
    def clock(self) -> Clock: ...

    def happenings(self) -> Iterator[Frame | Gap | Cue]:
        """Iterate over the pictures, with a gap where some were lost.

        A poem that the source itself knows comes before the first picture after it.
        """

    def show(self, frame: Frame) -> None:
        """Wait until a picture is due."""

    def go_on(self) -> None:
        """Go on after the pictures stopped, without making up for the time."""

    @property
    def dropped(self) -> int:
        """Number of pictures lost for good."""

    @property
    def late_ns(self) -> int:
        """Age of the latest picture when it was handed out, in nanoseconds."""

    @property
    def exposure_s(self) -> float | None:
        """Exposure time of a picture in seconds, None if the source does not tell it."""

    @property
    def automatic(self) -> tuple[str, ...] | None:
        """What the camera may change by itself, see `CameraFormat`; None if nobody knows."""

    @property
    def problem(self) -> str | None:
        """Why no pictures come now, as a message; None if they come."""

    def close(self) -> None:
        """Close the source; threads that wait in `show` go on."""
