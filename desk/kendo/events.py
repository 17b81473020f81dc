"""The events of a bout at a table, as its log holds them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from calibration.decks.deck import Deck
from desk.kendo.look import SEATS, CourtLook, look_of
from desk.log.event_codec import EventCodec, EventShape, Payload
from desk.tables.evidence.events import EvidenceKept
from desk.tables.table_events import AtRest, TakenBack, Unseen
from referee.cards.kendo import Card, face_name
from referee.kendo.deck import plausible_deck
from referee.kendo.ruleset import RuleSet
from vision.plane.zones import TableZones
from vision.table.watcher import TableFact, TableSettled, TableUnseen


@dataclass(frozen=True, slots=True)
class BoutOpened:
    """The first event of every log."""

    id: str  # unique among all bouts of this machine; letters, digits and `_`
    source: Literal["camera", "video", "simulator"]
    rules: RuleSet
    deck: str
    card_width_mm: float  # width of its cards
    names: tuple[str | None, ...] = (None, None)  # the name of each seat, None for a seat without a name


@dataclass(frozen=True, slots=True)
class CourtSeen(AtRest):
    """The court at rest."""

    look: CourtLook


@dataclass(frozen=True, slots=True)
class CourtUnseen(Unseen):
    """Nobody saw the court for a while."""


@dataclass(frozen=True, slots=True)
class Said:
    """A word of `desk.kendo.scribe.WORDS`, at an instant of the source's clock."""

    t_ms: float
    player: int
    what: str


@dataclass(frozen=True, slots=True)
class FaceCorrected:
    """A person says that the face read as `wrong` on a seat's side is `right`, until the court is bare."""

    player: int
    wrong: str
    right: str


LoggedEvent = BoutOpened | CourtSeen | CourtUnseen | Said | FaceCorrected | TakenBack | EvidenceKept


def _with_later_readings(opened: Payload) -> Payload:
    """Give the rules of a bout of 0.2.0 the readings they lacked, so that it is judged as it was."""
    later = {"mushin_alone": "nothing_stands", "exchange_when": "after_play", "last_round_hansoku": "ends"}
    rules = opened["rules"]
    return {**opened, "rules": {**rules, "readings": {**rules["readings"], **later}}}


KENDO_CODEC = EventCodec(
    EventShape(shape, 2, {1: _with_later_readings}) if shape is BoutOpened else EventShape(shape)
    for shape in (BoutOpened, CourtSeen, CourtUnseen, Said, FaceCorrected, TakenBack, EvidenceKept)
)


def seen_by(fact: TableFact, zones: TableZones) -> CourtSeen | CourtUnseen | None:
    """Return a fact of the eye as an event of the log; None for cards that are only glimpsed."""
    if isinstance(fact, TableSettled):
        return CourtSeen(look_of(fact, zones))
    return CourtUnseen(fact.t_from_ns / 1e6, fact.t_to_ns / 1e6) if isinstance(fact, TableUnseen) else None


def copies(deck: Deck) -> dict[str, int]:
    """Return for each face the number of cards of a box that can lie on the court."""
    box = plausible_deck()
    numbered = Counter(face_name(card, number) for card, number in box.brown)
    cards: tuple[Card, ...] = (*box.red, *box.green)
    others = Counter(face_name(card) for card in cards)
    marks = {"hajime": SEATS, "ippon": SEATS, "hansoku": 2 * SEATS}
    counts = {**numbered, **others, **marks}
    return {name: max(counts.get(name, 1), 1) for name in deck.pictures}
