"""The events in the log of a Koi-Koi game: what was seen and what people said, not what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from desk.koikoi.scribe.look import Look
from desk.log.event_codec import EventCodec, EventShape, Payload
from desk.tables.evidence.events import EvidenceKept
from desk.tables.table_events import AtRest, TakenBack, Unseen
from referee.koikoi.events import Call
from referee.koikoi.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class GameOpened:
    """The first event of every log."""

    id: str  # unique among all games of this machine; letters, digits and `_`
    source: Literal["camera", "video", "simulator"]
    players: int
    dealer: int
    rules: RuleSet
    deck: str
    names: tuple[str | None, ...] = ()  # the name of each seat, None for a seat without a name


@dataclass(frozen=True, slots=True)
class TableSeen(AtRest):
    """The table at rest."""

    look: Look


@dataclass(frozen=True, slots=True)
class DrawnCardSeen:
    """A card has lain where drawn cards are turned up since `t_ms`, while the table is not at rest.

    `seats` are the seats whose arms may have laid it there, empty if unknown.
    """

    t_ms: float
    card: int
    seats: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class CardSeenBriefly:
    """A card has lain openly in the middle or on a pile since `t_ms`, while the table is not at rest.

    `at_stock` tells whether something moved over the stock between the table's last rest and the laying of
    the card. `over` is the card that it lies on. `reach_ms` is how long an arm had been over the table when
    the card was laid. `on_pile` tells that it is already captured, so that it was put down earlier. `seats`
    are the seats whose arms may have laid it, empty if unknown.
    """

    t_ms: float
    card: int
    at_stock: bool = True
    over: int | None = None
    reach_ms: float | None = None
    on_pile: bool = False
    seats: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class StripSeenBriefly:
    """An unreadable strip of a card lies in a seat's pile, while the table is not at rest.

    `alike` is the likeness 0..1 of its print to each card.
    """

    t_ms: float
    seat: int
    alike: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class TableUnseen(Unseen):
    """Nobody saw the table for a while."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A player's declaration."""

    t_ms: float
    player: int
    what: Call


@dataclass(frozen=True, slots=True)
class NextRound:
    """The players go on to the next round."""

    t_ms: float


@dataclass(frozen=True, slots=True)
class CardCorrected:
    """A person says that the card read as `wrong` is `right`; for the whole round the two are swapped."""

    wrong: int
    right: int


Seen = TableSeen | DrawnCardSeen | CardSeenBriefly | StripSeenBriefly | TableUnseen  # an event of the eye

LoggedEvent = GameOpened | Seen | Declared | NextRound | CardCorrected | TakenBack | EvidenceKept


def _with_later_keys(opened: Payload) -> Payload:
    """Give the rules of a game of 0.2.0 the keys that they did not have, so that it is judged as it was."""
    rules = opened["rules"]
    later: Mapping[str, Payload] = {
        "viewing": {"rain": "never", "fog": "never", "beside_another": False},
        "field": {"lights_multiply": "off"},
        "match": {"beyond_last": "allowed"},
    }
    sections = {name: {**rules[name], **keys} for name, keys in later.items()}
    return {**opened, "rules": {**rules, **sections}}


KOIKOI_CODEC = EventCodec(
    EventShape(shape, 2, {1: _with_later_keys}) if shape is GameOpened else EventShape(shape)
    for shape in (
        GameOpened,
        TableSeen,
        DrawnCardSeen,
        CardSeenBriefly,
        StripSeenBriefly,
        TableUnseen,
        Declared,
        NextRound,
        CardCorrected,
        TakenBack,
        EvidenceKept,
    )
)
