"""The log of a practice: what was heard and seen, the outcome of each poem, and whether all is stored."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import get_args

from desk.errors import EventLogError
from desk.karuta.engine.engine import Origin
from desk.log.clocks import WallClock, name_stamp, wall_clock
from desk.log.event_codec import EventCodec, EventShape
from desk.log.event_log import EventLog, LogEntry
from desk.tables.source_kind import Source
from referee.facts import FieldSettled, Gap, KimarijiCompleted, PoemStarted, Touch, Unprovable
from referee.sides import Side


@dataclass(frozen=True, slots=True)
class PracticeOpened:
    """The first entry of every log."""

    id: str  # unique among all practices; letters, digits and `_` only
    source: Source
    player: str | None  # who practises, None if no name was given
    where: str  # address of the source, without passwords


@dataclass(frozen=True, slots=True)
class ReadingBegun:
    """The poems in the order of reading, and the player's seat."""

    seat: Side
    order: tuple[int, ...]


class Outcome(StrEnum):
    """The outcome of a poem."""

    TAKEN = "taken"
    MISSED = "missed"  # the card was on the field, and no card was touched
    LURED = "lured"  # a wrong card was touched
    LEFT = "left"  # a karafuda was read, and no card was touched
    UNCLEAR = "unclear"  # what happened cannot be proven


@dataclass(frozen=True, slots=True)
class Attempt:
    """The outcome of a poem."""

    poem: int  # 1..100
    outcome: Outcome  # see `Outcome`
    kimariji: str  # the sounds that decided the poem among the unread ones
    # reaction_ns, reaction_unc_ns: time from the end of the kimariji to the touch of the card, negative if
    # the touch came first, and its 95 % half width; None if the card was not taken or an instant is unknown
    reaction_ns: int | None = None
    reaction_unc_ns: int | None = None
    lure: int | None = None  # the card that was touched instead, None if there was none
    doubts: tuple[str, ...] = ()  # why it is unclear, by the doubts' names in rulings


@dataclass(frozen=True, slots=True)
class PracticeEnded:
    """The player stopped, or all poems were read."""


PracticeEvent = (
    PracticeOpened
    | ReadingBegun
    | PoemStarted
    | KimarijiCompleted
    | FieldSettled
    | Touch
    | Unprovable
    | Gap
    | Attempt
    | PracticeEnded
)

CODEC = EventCodec(EventShape(each) for each in get_args(PracticeEvent))


class Record:
    """Writes the log of a practice, empty at first, by the table's clock in nanoseconds.

    Raises EventLogError if the log cannot be written; an unrecorded practice is useless. `is_kept`: whether
    the latest events were stored.
    """

    def __init__(
        self, log: EventLog, opened: PracticeOpened, clock: Callable[[], int], wall: WallClock
    ) -> None:
        self._log, self._clock, self._wall = log, clock, wall
        self.is_kept = True
        self._append(Origin.DESK, opened)

    def note(self, origin: Origin, *events: PracticeEvent) -> bool:
        """Log events, all or none; return whether they were stored."""
        try:
            self._append(origin, *events)
            self.is_kept = True
        except EventLogError:
            self.is_kept = False
        return self.is_kept

    def close(self) -> None:
        self._log.close()

    def _append(self, origin: Origin, *events: PracticeEvent) -> None:
        t_ns, wall = self._clock(), self._wall()
        self._log.append(
            [
                LogEntry(seq, t_ns, wall, origin, *CODEC.encode(event))
                for seq, event in enumerate(events, start=self._log.last_seq + 1)
            ]
        )


def opened_now(source: Source, player: str | None, where: str) -> PracticeOpened:
    """Return the first event of a practice's log, with an id made of the time of day."""
    stamp = name_stamp(wall_clock())
    return PracticeOpened(f"practice_{stamp}", source, player, where)
