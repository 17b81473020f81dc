"""The events in the log of a Koi-Koi game: what was seen and what people said, not what follows from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from desk.koikoi.scribe.look import CardSeenBriefly, DrawnCardSeen, Look, look_of, numbered_print, seats_at
from desk.log.event_codec import EventCodec, EventShape, Payload
from desk.tables.evidence.events import EvidenceKept
from desk.tables.table_events import AtRest, TakenBack, Unseen
from referee.cards.hanafuda import HANAFUDA
from referee.koikoi.events import Call
from referee.koikoi.ruleset import RuleSet
from vision.plane.zones import TableZones
from vision.table import watcher as table_watcher
from vision.table.watcher import StripGlimpsed, TableFact, TableSettled


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
    for shape in get_args(LoggedEvent)
)
_MS: Final = 1_000_000


def seen_by(fact: TableFact, zones: TableZones, players: int) -> Seen | None:
    """Return a fact of the eye as an event of the log; None for strips outside the piles."""
    if isinstance(fact, TableSettled):
        return TableSeen(look_of(fact, zones, players))
    if isinstance(fact, table_watcher.TableUnseen):
        return TableUnseen(fact.t_from_ns / _MS, fact.t_to_ns / _MS)
    place = None if fact.zone is None else fact.zone.name
    is_captured = place == "capture"
    if isinstance(fact, StripGlimpsed):
        if fact.zone is None or not is_captured:
            return None
        return StripSeenBriefly(fact.t_ns / _MS, fact.zone.number, numbered_print(fact.alike))
    index, t_ms = HANAFUDA[fact.card_id].index, fact.rested_ns / _MS
    # how long an arm was over the table until the card lay there, if the latest arm has laid it
    since_ns = None if fact.reached_ns is None else fact.rested_ns - fact.reached_ns
    was_laid = since_ns is not None and since_ns >= 0
    seats = seats_at(fact.arms, zones) if was_laid else frozenset()
    if place == "turn":
        return DrawnCardSeen(t_ms, index, seats)
    # a card in a pile lies on others without taking them
    over = None if fact.over is None or is_captured else HANAFUDA[fact.over].index
    reach_ms = since_ns / _MS if since_ns is not None and was_laid and not is_captured else None
    return CardSeenBriefly(t_ms, index, "stock" in fact.visited, over, reach_ms, is_captured, seats)
