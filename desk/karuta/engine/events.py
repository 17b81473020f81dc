"""What the log of a karuta match can hold: what happened, what the rules answered, and the desk's notes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import get_args

from desk.karuta.engine.policy import Policies
from desk.log.event_codec import EventCodec, EventShape
from desk.tables.source_kind import Source
from referee.karuta.flow import events, follow_ups
from referee.karuta.flow.state import Settings
from referee.sides import BySide, Side


@dataclass(frozen=True, slots=True)
class MatchOpened:
    """The first entry of every log.

    Attributes
    ----------
    id : unique among all matches; letters, digits and `_` only.
    source : where the pictures come from.
    settings : what was agreed.
    names : the players' names where they were given.
    seed : the simulator's dice, None where nothing was simulated.
    where : address of the source: a camera's number or address, a recording's folder; None where unknown.
    """

    id: str
    source: Source
    settings: Settings
    names: BySide[str | None] = field(default_factory=lambda: BySide.both(None))
    seed: int | None = None
    where: str | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """Words of an official, about the entry number `about`."""

    about: int
    text: str


@dataclass(frozen=True, slots=True)
class EvidenceKept:
    """The replay of the ruling in entry `ruling` is kept as `file`, which is named by its SHA-256."""

    ruling: int
    file: str


class PauseReason(StrEnum):
    """Why the match stands still."""

    OPERATOR = "operator"
    APPEAL = "appeal"
    TIMEOUT = "timeout"
    EYE = "eye"
    """The table cannot be seen well enough."""


@dataclass(frozen=True, slots=True)
class PausedFor:
    """Says why the `Pause` in the next entry comes, and who asked for it."""

    reason: PauseReason
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class PoliciesSet:
    """From here on this becomes of each kind of ruling before a person has seen it."""

    policies: Policies


@dataclass(frozen=True, slots=True)
class ReaderAgreed:
    """Who reads this match; see `desk.karuta.house.agreement.Agreement`."""

    voice: str
    rhythm: str
    order_seed: int
    microphone: str
    certainty: float


@dataclass(frozen=True, slots=True)
class Suggested:
    """A poem that may be the one being read, and how likely, 0..1."""

    poem: int
    confidence: float


@dataclass(frozen=True, slots=True)
class PoemSuggested:
    """What the ear makes of the verse that began at `t_ns`, best first; empty where it was no poem."""

    t_ns: int
    t_unc_ns: int
    suggestions: tuple[Suggested, ...]


@dataclass(frozen=True, slots=True)
class PoemNamed:
    """An official said which poem is read."""

    poem: int


@dataclass(frozen=True, slots=True)
class PoemCorrected:
    """An official said that the latest poem was not `was` but `poem`; it is refereed anew."""

    was: int
    poem: int


DeskEvent = (
    MatchOpened
    | Remark
    | EvidenceKept
    | PausedFor
    | PoliciesSet
    | ReaderAgreed
    | PoemSuggested
    | PoemNamed
    | PoemCorrected
)


def _members(union: object) -> tuple[type, ...]:
    """Return the classes of a union of unions."""
    return tuple(
        member for part in get_args(union) for member in (_members(part) if get_args(part) else (part,))
    )


def kinds_of(union: object) -> frozenset[str]:
    """Return the names by which the log knows the events of a union."""
    return frozenset(EventShape(each).kind for each in _members(union))


CODEC = EventCodec(
    EventShape(each) for union in (events.Event, follow_ups.FollowUp, DeskEvent) for each in _members(union)
)
"""Writes and reads every event of a karuta match."""
