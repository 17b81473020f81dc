"""What can happen in a match: facts, declarations, the flow of a match, and commands of the officials."""

from dataclasses import dataclass
from enum import StrEnum

from referee.facts import Fact
from referee.karuta.declarations import Declaration
from referee.karuta.ruling import Ruling
from referee.layout import Layout
from referee.sentence import SentenceError
from referee.sides import Side


class IllegalEventError(SentenceError, ValueError):
    """A command is not allowed in the present phase; the state is unchanged."""


@dataclass(frozen=True, slots=True)
class MemoriseStarted:
    """The cards are laid out; the time to memorise them begins."""

    t_ns: int


@dataclass(frozen=True, slots=True)
class Tick:
    """The time is `t_ns`: sent when a `WakeAt` asked for it."""

    t_ns: int


@dataclass(frozen=True, slots=True)
class MemoriseEnded:
    """The players are ready before the time to memorise is over."""


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
    """An official replaces the proposed ruling or, until the next poem, the last one."""

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
    """A player announces moving own cards, now or at the next restoring, until the field is in order."""

    player: Side


@dataclass(frozen=True, slots=True)
class RightWaived:
    """A player lets the right go to send the cards that are still owed."""

    player: Side


@dataclass(frozen=True, slots=True)
class FieldAccepted:
    """An official declares the field in order: as in `layout`, or as it was last seen if that is None.

    A card that was not seen then stays where it belongs, and a card that is not in the match is ignored. What
    a player may still send stays until the next kami; reading goes on unless the match hangs on that card.
    """

    layout: Layout | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing is read until `Resume`."""


@dataclass(frozen=True, slots=True)
class Resume:
    """The match goes on."""


class StopReason(StrEnum):
    """Why a match ends although neither territory is empty."""

    EARLY = "early"  # the players or the officials finish early
    FORFEIT = "forfeit"  # a player gives up: the opponent wins
    TIME = "time"  # the time for the match is over
    NO_RESULT = "no_result"  # the match does not count: nobody wins


@dataclass(frozen=True, slots=True)
class MatchStopped:
    """An official ends the match; `winner` is None if nobody wins.

    A poem that is being read then does not count.
    """

    reason: StopReason
    winner: Side | None = None


@dataclass(frozen=True, slots=True)
class Revert:
    """Undo: event number `seq` and all later ones no longer count.

    Every event has a number, Reverts too, so an undo can be undone. The first event has the number 1.
    """

    seq: int


Flow = MemoriseStarted | Tick | MemoriseEnded | JokaFinished | PoemFinished
Command = (
    Confirm
    | Overrule
    | Appeal
    | HandRaised
    | HandLowered
    | Rearranging
    | RightWaived
    | FieldAccepted
    | Pause
    | Resume
    | MatchStopped
)
Happening = Fact | Declaration | Flow | Command  # what happens in a match
Event = Happening | Revert  # an entry of a match's log
