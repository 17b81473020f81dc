"""The entries of a karuta match's log: events, the rules' answers, and the desk's notes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass
from enum import StrEnum
from typing import Any, Final, get_args

from desk.karuta.engine.policy import Policies
from desk.log.event_codec import EventCodec, EventCodecError, EventShape, Payload, Upcaster
from desk.tables.evidence.events import BundleName
from desk.tables.source_kind import Source
from referee.cards.poems import POEMS
from referee.facts import KimarijiCompleted, PoemStarted
from referee.karuta.flow import events, follow_ups
from referee.karuta.flow.state import Settings
from referee.karuta.risk import Risk
from referee.karuta.rulebook import doubts, reasons
from referee.layout import Layout
from referee.sides import BySide, Side


@dataclass(frozen=True, slots=True)
class MatchOpened:
    """The first entry of every log."""

    id: str  # unique among all matches; letters, digits and `_` only
    source: Source
    settings: Settings
    # the players' names, None if not given
    names: BySide[str | None] = field(default_factory=lambda: BySide.both(None))
    seed: int | None = None  # the simulator's seed, None if nothing was simulated
    # address of the source: a camera's number or address, a recording's folder; None if unknown
    where: str | None = None
    # what was known, when the match began, of the rulings that its rules decide; None in older logs
    risk: Risk | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """An official's remark about log entry `about`."""

    about: int
    text: str


@dataclass(frozen=True, slots=True)
class EvidenceKept:
    """The replay of the ruling in log entry `ruling` is stored as `file`, named by its SHA-256."""

    ruling: int
    file: BundleName


class PauseReason(StrEnum):
    """Why the match is paused."""

    OPERATOR = "operator"
    APPEAL = "appeal"
    TIMEOUT = "timeout"
    EYE = "eye"  # the table cannot be seen well enough


@dataclass(frozen=True, slots=True)
class PausedFor:
    """The reason of the `Pause` in the next entry, and who asked for it."""

    reason: PauseReason
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class PoliciesSet:
    """The policies from here on."""

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
    """A poem that may be the one being read, and its probability, 0..1."""

    poem: int
    confidence: float


@dataclass(frozen=True, slots=True)
class PoemSuggested:
    """The ear's suggestions for the verse that began at `t_ns`, best first; empty if it was no poem."""

    t_ns: int
    t_unc_ns: int
    suggestions: tuple[Suggested, ...]


@dataclass(frozen=True, slots=True)
class PoemNamed:
    """An official said which poem is read."""

    poem: int


@dataclass(frozen=True, slots=True)
class PoemCorrected:
    """An official said that the latest poem was `poem`, not `was`; it is refereed anew."""

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
    return tuple(
        member for part in get_args(union) for member in (_members(part) if get_args(part) else (part,))
    )


def kinds_of(union: object) -> frozenset[str]:
    """Return the kinds, as named in the log, of a union's events."""
    return frozenset(EventShape(each).kind for each in _members(union))


def _opened_by_the_first_edition(payload: Payload) -> Payload:
    """Upgrade the opening of a match of 0.2.0: it names no edition, and some switches were not there yet."""
    settings = payload["settings"]
    rules = {**settings["rules"], "both_hands": "warn", "playing_hand": "declared", "last_card": "lost"}
    return {**payload, "settings": {**settings, "rules": rules, "edition": 1}}


_MAY_BE_JOKA: Final = (
    PoemStarted,
    KimarijiCompleted,
    follow_ups.ReadPoem,
    PoemNamed,
    PoemCorrected,
    Suggested,
)
_LATER: Mapping[type, Mapping[int, Upcaster]] = {MatchOpened: {1: _opened_by_the_first_edition}}
"""The events whose shape has changed, and the function that upgrades each earlier version by one."""


def _refuse_impossible(said: Any) -> None:
    """Refuse a card, a poem or a reason that there is not, half a sign, and a number beyond 64 bits."""
    if isinstance(said, dict):
        items = [*said.items()]
    else:
        items = [(name, getattr(said, name)) for name in said.__dataclass_fields__]
    joka = 0 if isinstance(said, _MAY_BE_JOKA) else 1
    for name, value in items:
        for each in value if isinstance(value, tuple) else (value,):
            # in the order of how often they come: a book reads every event of a thousand matches
            if each is None or isinstance(each, float | Layout):
                continue
            if isinstance(each, int):
                least = joka if name in ("poem", "was") else 1 if name in ("card", "cards") else -(2**63)
                if not least <= each <= (2**63 - 1 if least < 0 else len(POEMS)):
                    raise EventCodecError("there is no {what} {number}", what=name, number=str(each)[:20])
            elif isinstance(each, str):
                known = {"reasons": reasons, "doubts": doubts}.get(name)
                if known is not None and each not in known():
                    raise EventCodecError(
                        "this shinpan knows no reason {reason!r} of a ruling: update it", reason=each
                    )
                if not each.isascii() and any("\ud800" <= sign <= "\udfff" for sign in each):
                    raise EventCodecError("{what} ends in half a sign", what=name)
            elif is_dataclass(each) or isinstance(each, dict):
                _refuse_impossible(each)


CODEC = EventCodec(
    (
        EventShape(each, len(_LATER.get(each, ())) + 1, _LATER.get(each, {}))
        for union in (events.Event, follow_ups.FollowUp, DeskEvent)
        for each in _members(union)
    ),
    _refuse_impossible,
)
"""The codec for every event of a karuta match."""
