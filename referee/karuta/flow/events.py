"""What can happen in a match: facts, declarations, the flow of a match, and commands of the officials."""

from __future__ import annotations

from dataclasses import dataclass

from referee.facts import Fact
from referee.karuta.declarations import Declaration
from referee.karuta.ruling import Ruling
from referee.layout import Layout
from referee.sides import Side


class IllegalEventError(ValueError):
    """A command came at a moment at which it has no meaning; the state is as it was."""


@dataclass(frozen=True, slots=True)
class MemoriseStarted:
    """The cards lie; the time to memorise them begins."""

    t_ns: int


@dataclass(frozen=True, slots=True)
class Tick:
    """The time is `t_ns`: sent when a `WakeAt` asked for it."""

    t_ns: int


@dataclass(frozen=True, slots=True)
class MemoriseEnded:
    """The players are ready before the time is over."""


@dataclass(frozen=True, slots=True)
class JokaFinished:
    """The joka was read: first half, second half, second half again."""


@dataclass(frozen=True, slots=True)
class PoemFinished:
    """The contacts of the poem are over: it is time for a ruling."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """The proposed ruling stands."""


@dataclass(frozen=True, slots=True)
class Overrule:
    """An official decides otherwise, on the proposed ruling or, until the next poem, on the last one."""

    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Appeal:
    """A player asks for the replay."""

    player: Side


@dataclass(frozen=True, slots=True)
class HandRaised:
    """A player asks the reader to wait."""

    player: Side


@dataclass(frozen=True, slots=True)
class HandLowered:
    """The player is ready again."""

    player: Side


@dataclass(frozen=True, slots=True)
class Rearranging:
    """A player announces that he moves his own cards; until the field is in order again he may."""

    player: Side


@dataclass(frozen=True, slots=True)
class FieldAccepted:
    """An official declares the field in order: as given, else as it was last seen.

    A card that was not seen stays where it belongs, and a card that is not in the match is not counted.
    """

    layout: Layout | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing is read until `Resume`."""


@dataclass(frozen=True, slots=True)
class Resume:
    """The match goes on."""


@dataclass(frozen=True, slots=True)
class Revert:
    """Undo: the event number `seq` and all after it count no longer.

    Every event of the match has a number, Reverts too, so an undo can be undone; the first is number 1.
    """

    seq: int


Flow = MemoriseStarted | Tick | MemoriseEnded | JokaFinished | PoemFinished
Command = (
    Confirm | Overrule | Appeal | HandRaised | HandLowered | Rearranging | FieldAccepted | Pause | Resume
)
Happening = Fact | Declaration | Flow | Command
"""What happens in a match."""
Event = Happening | Revert
"""What stands in a match's log."""
