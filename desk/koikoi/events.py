"""The events in the log of a Koi-Koi game: what was seen and what people said, not what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from desk.koikoi.scribe.look import CardSeenBriefly, DrawnCardSeen, Look, look_of, numbered_print, seats_at
from desk.log.event_codec import EventCodec, EventShape, Payload
from desk.tables.evidence.events import EvidenceKept
from desk.tables.table_events import AtRest, TakenBack, Unseen
from referee.cards.hanafuda import HANAFUDA
from referee.koikoi.events import Call
from referee.koikoi.ruleset import RuleSet
from vision.plane.zones import TableZones
from vision.table import watcher as table_watcher
from vision.table.watcher import CardGlimpsed, StripGlimpsed, TableFact, TableSettled


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
class StripSeenBriefly:
    """An unreadable strip in a seat's pile while hands move: its likeness 0..1 to each card."""

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


_MS = 1_000_000


def _reach_ms(fact: CardGlimpsed) -> float | None:
    """Return how long an arm was over the table until a card lay in the middle, in ms; None if unknown."""
    if not _has_been_laid(fact) or (fact.zone is not None and fact.zone.name == "capture"):
        return None
    return (fact.rested_ns - (fact.reached_ns or 0)) / _MS


def _has_been_laid(fact: CardGlimpsed) -> bool:
    """Tell whether the card was laid while the latest arm was over the table."""
    return fact.reached_ns is not None and fact.rested_ns >= fact.reached_ns


def seen_by(fact: TableFact, zones: TableZones, players: int) -> Seen | None:
    """Return a fact of the eye as an event of the log; None for strips outside the piles."""
    if isinstance(fact, TableSettled):
        return TableSeen(look_of(fact, zones, players))
    if isinstance(fact, table_watcher.TableUnseen):
        return TableUnseen(fact.t_from_ns / _MS, fact.t_to_ns / _MS)
    if isinstance(fact, StripGlimpsed):
        seat = fact.zone.number if fact.zone is not None and fact.zone.name == "capture" else None
        return None if seat is None else StripSeenBriefly(fact.t_ns / _MS, seat, numbered_print(fact.alike))
    index = HANAFUDA[fact.card_id].index
    seats = seats_at(fact.arms, zones) if _has_been_laid(fact) else frozenset()
    if fact.zone is not None and fact.zone.name == "turn":
        return DrawnCardSeen(fact.rested_ns / _MS, index, seats)
    # a card in a pile lies on others without taking them
    is_captured = fact.zone is not None and fact.zone.name == "capture"
    over = None if fact.over is None or is_captured else HANAFUDA[fact.over].index
    at_stock = "stock" in fact.visited
    t_ms, reach_ms = fact.rested_ns / _MS, _reach_ms(fact)
    return CardSeenBriefly(t_ms, index, at_stock, over, reach_ms, is_captured, seats)
