"""The reader of a match: reads on when the rules ask, and tells when a poem began to sound."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from desk.karuta.engine.events import DeskEvent, PoemSuggested
from desk.panel.reciter.port import SOUND_LOST
from desk.tables.table import Cue, Said
from referee.karuta.flow.events import Event
from referee.karuta.flow.follow_ups import FollowUp


@dataclass(frozen=True, slots=True)
class JokaSounds:
    """A half of the joka began; its ku sound at `t_ku_ns`, as far as that is known."""

    t_ku_ns: Sequence[int]


@dataclass(frozen=True, slots=True)
class JokaOver:
    """The joka was read to its end."""


@dataclass(frozen=True, slots=True)
class ReadOn:
    """More was heard of the poem that was named last: when its ku and its kimariji sounded."""

    cue: Cue


Sound = Said | JokaSounds | JokaOver | PoemSuggested | ReadOn
"""What a reader can be heard saying."""


class Reader(Protocol):
    """Whoever reads the poems aloud. All methods belong to the engine's loop.

    Attributes
    ----------
    problem : why nothing is heard, None where all is well.
    takes_names : whether officials may say which poem is being read.
    """

    @property
    def problem(self) -> str | None: ...  # noqa: D102
    @property
    def takes_names(self) -> bool: ...  # noqa: D102
    @property
    def warning(self) -> str:
        """The id of what the panel says while there is a problem."""

    @property
    def waits_for_name(self) -> bool:
        """Whether a verse was begun, and nobody knows yet which."""

    def follow(self, event: Event | FollowUp | DeskEvent, unread: Collection[int]) -> None:
        """Take note of what happened in the match, and of the poems that can still be read."""

    def sounds(self) -> Sequence[Sound]:
        """Return what was heard since the last call."""

    def name(self, poem: int, now_ns: int) -> None:
        """Take an official's word for which poem is being read."""

    def renamed(self, poem: int) -> Cue | None:
        """Return the poem that was read last under another name, None where nobody heard it."""

    def close(self) -> None:
        """Be silent for good."""


class SelfAssured:
    """A reader who knows what it reads."""

    waits_for_name = takes_names = False
    problem: str | None = None

    @property
    def warning(self) -> str:
        """The id of what the panel says while there is a problem."""
        return "reader_lost" if self.problem == SOUND_LOST else "reader_silent"

    def name(self, poem: int, now_ns: int) -> None:
        """Take nobody's word."""

    def renamed(self, poem: int) -> Cue | None:  # noqa: ARG002
        """Know of no other name."""
        return None


class NoReader(SelfAssured):
    """The poems come with the pictures: there is nothing to read."""

    def follow(self, event: Event | FollowUp | DeskEvent, unread: Collection[int]) -> None:
        """Do nothing."""

    def sounds(self) -> Sequence[Sound]:
        """Return nothing."""
        return ()

    def close(self) -> None:
        """Do nothing."""
