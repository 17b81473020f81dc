"""What the log of a practice can hold: what was heard and seen, and what came of each poem."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from desk.log.event_codec import EventCodec, EventShape
from desk.tables.source_kind import Source
from referee.facts import FieldSettled, Gap, KimarijiCompleted, PoemStarted, Touch, Unprovable
from referee.sides import Side


@dataclass(frozen=True, slots=True)
class PracticeOpened:
    """The first entry of every log.

    Attributes
    ----------
    id : unique among all practices; letters, digits and `_` only.
    source : where the pictures come from.
    player : who practises, None where no name was given.
    where : address of the source, without passwords.
    """

    id: str
    source: Source
    player: str | None
    where: str


@dataclass(frozen=True, slots=True)
class ReadingBegun:
    """The poems in the order in which they will be read, and where the player sits."""

    seat: Side
    order: tuple[int, ...]


class Outcome(StrEnum):
    """What came of a poem."""

    TAKEN = "taken"
    MISSED = "missed"
    """The card lay there, and no hand touched any."""
    LURED = "lured"
    """A card was touched that was not the one read."""
    LEFT = "left"
    """A karafuda was read, and no hand touched any card."""
    UNCLEAR = "unclear"
    """It cannot be proven what happened."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of a poem.

    Attributes
    ----------
    poem : 1..100.
    outcome : see `Outcome`.
    kimariji : the sounds that decided the poem among all that had not been read by then.
    reaction_ns, reaction_unc_ns : from the end of the kimariji to the touch of the card, negative where the
        touch came first, and the 95 % half width; None where the card was not taken or one of the instants is
        not known.
    lure : the card that was touched instead, None where there was none.
    doubts : why it is unclear, as rulings name them.
    """

    poem: int
    outcome: Outcome
    kimariji: str
    reaction_ns: int | None = None
    reaction_unc_ns: int | None = None
    lure: int | None = None
    doubts: tuple[str, ...] = ()


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

CODEC = EventCodec(
    EventShape(each)
    for each in (
        PracticeOpened,
        ReadingBegun,
        PoemStarted,
        KimarijiCompleted,
        FieldSettled,
        Touch,
        Unprovable,
        Gap,
        Attempt,
        PracticeEnded,
    )
)
"""Writes and reads every event of a practice."""
