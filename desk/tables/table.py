"""A table as the desk sees it: pictures, and the poems that begin between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from desk.log.clocks import Clock
from desk.tables.source_kind import Source
from referee.facts import Gap, KimarijiCompleted, PoemStarted
from vision.frames.frame import Frame


class Cue(Protocol):
    """A poem whose first sound was heard."""

    @property
    def start(self) -> PoemStarted:
        """The first sound."""

    @property
    def t_ku_ns(self) -> Sequence[int]:
        """When each of its ku begins to sound, as far as it is known."""

    def decided(self, unread: Collection[int]) -> KimarijiCompleted | None:
        """Return when its kimariji has been said, None where the sound's rhythm is not known.

        Parameters
        ----------
        unread : the poems that could still be read, this one among them.
        """


@dataclass(frozen=True, slots=True)
class FirstSound:
    """Somebody began to read, and which poem it is will be known later, if it is one."""

    t_ns: int
    t_unc_ns: int


@dataclass(frozen=True, slots=True)
class NoVerse:
    """What began last was no poem."""


Said = Cue | FirstSound | NoVerse
"""What is heard of a reader while the table is watched."""


class Table(Protocol):
    """Where pictures come from.

    Attributes
    ----------
    source, where : kind of the source, and its address: a camera's number, a recording's folder, a seed.
    nominal_fps : pictures a second that the source promised; None where it promised nothing.
    speed : times real time at which the pictures come.
    can_wait : whether the pictures stand still while nobody takes them, as recorded and simulated ones do.
    clock : the match clock; the pictures' instants lie on it.
    """

    @property
    def source(self) -> Source: ...  # noqa: D102
    @property
    def where(self) -> str: ...  # noqa: D102
    @property
    def nominal_fps(self) -> float | None: ...  # noqa: D102
    @property
    def speed(self) -> float: ...  # noqa: D102
    @property
    def can_wait(self) -> bool: ...  # noqa: D102
    @property
    def clock(self) -> Clock: ...  # noqa: D102

    def happenings(self) -> Iterator[Frame | Gap | Cue]:
        """Iterate over the pictures, with a gap where some were lost.

        A poem that the source itself knows of comes before the picture that follows it.
        """

    def show(self, frame: Frame) -> None:
        """Wait until it is time for a picture."""

    def go_on(self) -> None:
        """Go on after the pictures stood still, without making up for the time."""

    @property
    def dropped(self) -> int:
        """How many pictures were lost for good."""

    @property
    def late_ns(self) -> int:
        """Age of the picture that was handed out last."""

    @property
    def exposure_s(self) -> float | None:
        """How long a picture is exposed, None where the source does not tell."""

    @property
    def problem(self) -> str | None:
        """Why no pictures come now, in the machine's words; None where they come."""

    def close(self) -> None:
        """Give the source back; whoever waits in `show` goes on."""
