"""The reader of a match: reads on when the rules ask, and tells when a poem began to sound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from desk.karuta.engine.events import DeskEvent
from desk.tables.table import Cue
from referee.karuta.flow.events import Event
from referee.karuta.flow.follow_ups import FollowUp


@dataclass(frozen=True, slots=True)
class JokaSounds:
    """A half of the joka began; its ku sound at `t_ku_ns`, as far as that is known."""

    t_ku_ns: Sequence[int]


@dataclass(frozen=True, slots=True)
class JokaOver:
    """The joka was read to its end."""


Sound = Cue | JokaSounds | JokaOver
"""What a reader can be heard saying."""


class Reader(Protocol):
    """Whoever reads the poems aloud. All methods belong to the engine's loop.

    Attributes
    ----------
    problem : why nothing is heard, None where all is well.
    """

    problem: str | None

    def follow(self, event: Event | FollowUp | DeskEvent) -> None:
        """Take note of what happened in the match: only some of it concerns a reader."""

    def sounds(self) -> Sequence[Sound]:
        """Return what was heard since the last call."""

    def close(self) -> None:
        """Be silent for good."""


class NoReader:
    """The poems come with the pictures: there is nothing to read."""

    problem: str | None = None

    def follow(self, event: Event | FollowUp | DeskEvent) -> None:
        """Do nothing."""

    def sounds(self) -> Sequence[Sound]:
        """Return nothing."""
        return ()

    def close(self) -> None:
        """Do nothing."""
