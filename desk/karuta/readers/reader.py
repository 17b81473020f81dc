"""The reader of a match: it reads on when the rules ask for it, and reports when a poem has begun."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from desk.karuta.engine.events import DeskEvent, PoemSuggested
from desk.panel.reciter.port import SOUND_LOST
from desk.tables.table import Cue, Said
from recitation.sound.recent_sound import TimedSound
from referee.karuta.flow.events import Event
from referee.karuta.flow.follow_ups import FollowUp


@dataclass(frozen=True, slots=True)
class JokaSounds:
    """A half of the joka has begun; its ku sound at `t_ku_ns`, as far as that is known."""

    t_ku_ns: Sequence[int]


@dataclass(frozen=True, slots=True)
class JokaOver:
    """The joka was read to its end."""


@dataclass(frozen=True, slots=True)
class ReadOn:
    """More was heard of the latest named poem: the instants of its ku and of its kimariji."""

    cue: Cue


Sound = Said | JokaSounds | JokaOver | PoemSuggested | ReadOn  # what a reader reports


class Reader:
    """A reader of a match. All methods run in the engine's loop.

    By default it knows its poems, so that nobody has to name them, and does not read by itself: so it is
    where the poems come with the pictures.
    """

    @property
    def problem(self) -> str | None:
        """Why nothing is heard, None if all is well."""
        return None

    @property
    def takes_names(self) -> bool:
        """Whether officials may say which poem is being read."""
        return False

    @property
    def warning(self) -> str:
        """The id of what the panel says while there is a problem."""
        return "reader_lost" if self.problem == SOUND_LOST else "reader_silent"

    @property
    def waits_for_name(self) -> bool:
        """Whether a verse has begun whose poem is not known yet."""
        return False

    def follow(self, event: Event | FollowUp | DeskEvent, unread: Collection[int]) -> None:
        """Take note of what happened in the match, and of the poems that can still be read."""

    def sounds(self) -> Sequence[Sound]:
        """Return what was heard since the last call."""
        return ()

    def sound(self, from_ns: int, to_ns: int) -> TimedSound | None:  # noqa: ARG002
        """Return what was heard in an interval, None if nothing was or it is not kept."""
        return None

    def name(self, poem: int, now_ns: int) -> None:
        """Note the poem that an official says is being read."""

    def renamed(self, poem: int) -> Cue | None:  # noqa: ARG002
        """Return the latest poem under another name, None if it was not heard."""
        return None

    def close(self) -> None:
        """Stop reading for good."""
