"""The events in the log of a practice: what was heard and seen, and the outcome of each poem."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import get_args

from desk.log.event_codec import EventCodec, EventShape
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
