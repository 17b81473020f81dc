"""The events of a bout at a table, as its log holds them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import hypot
from typing import Literal, get_args

from calibration.decks.deck import Deck
from desk.log.event_codec import EventCodec, EventShape, Payload
from desk.tables.evidence.events import EvidenceKept
from desk.tables.table_events import AtRest, Lying, TakenBack, Unseen
from referee.cards.kendo import MARKERS, Card, face, face_name
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
    for shape in get_args(LoggedEvent)
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


SEATS = 2


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card on the court: its face, empty if unreadable, and its centre in table millimetres."""

    face: str
    x_mm: float
    y_mm: float

    @property
    def card(self) -> str:
        """The card as named in events, without its number."""
        return str(face(self.face).card) if self.face else ""

    def distance_mm(self, other: LaidCard) -> float:
        return hypot(self.x_mm - other.x_mm, self.y_mm - other.y_mm)


@dataclass(frozen=True, slots=True)
class CourtLook:
    """The court at one instant."""

    t_ms: float  # since when it has been at rest
    # the cards on each seat's side of the court, covered ones included
    laid: tuple[tuple[LaidCard, ...], tuple[LaidCard, ...]]
    # the markers seen before each seat: `hajime` or `ippon`, and `hansoku` for each of its halves
    marks: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    done: tuple[str, ...] = ()  # the faces seen where played cards go
    # seats whose arms have been over the table since it was last at rest
    seats: frozenset[int] = field(default_factory=frozenset)

    @property
    def is_bare(self) -> bool:
        return not any(self.laid)

    @property
    def cards_seen(self) -> Lying:
        unread = sum(not laid.face for side in self.laid for laid in side)
        return Lying(sum(map(len, self.laid)) - unread, unread)

    def cards(self, seat: int) -> Counter[str]:
        """Return the cards on a seat's side, as named in events."""
        return Counter(laid.card for laid in self.laid[seat])

    def new_since(self, earlier: CourtLook, seat: int) -> tuple[LaidCard, ...]:
        """Return the cards that a seat has laid since an earlier look; a moved card is not new."""
        new: list[LaidCard] = []
        for card, count in (self.cards(seat) - earlier.cards(seat)).items():
            before = [laid for laid in earlier.laid[seat] if laid.card == card]
            now = [laid for laid in self.laid[seat] if laid.card == card]
            now.sort(key=lambda laid: min((laid.distance_mm(old) for old in before), default=0.0))
            new += now[-count:]
        return tuple(sorted(new, key=lambda laid: laid.card))


def look_of(settled: TableSettled, zones: TableZones) -> CourtLook:
    laid: tuple[list[LaidCard], list[LaidCard]] = ([], [])
    marks: tuple[list[str], list[str]] = ([], [])
    done: list[str] = []
    for card in settled.cards:
        place = None if card.zone is None else card.zone.name
        if card.card_id is None:
            if card.zone is not None and place == "court":
                laid[card.zone.number].append(LaidCard("", card.x_mm, card.y_mm))
        elif place == "done":
            if card.visible:
                done.append(card.card_id)
        elif card.card_id in MARKERS:
            if card.visible and card.zone is not None and place in {"marks", "court"}:
                marks[card.zone.number].append(card.card_id)
        elif card.zone is not None and place == "court":
            laid[card.zone.number].append(LaidCard(card.card_id, card.x_mm, card.y_mm))
    sides = {zones.side_of(zone): zone.number for zone in zones.zones if zone.name == "court"}
    return CourtLook(
        settled.t_ns / 1e6,
        (tuple(laid[0]), tuple(laid[1])),
        (tuple(sorted(marks[0])), tuple(sorted(marks[1]))),
        tuple(sorted(done)),
        frozenset(sides[side] for side in settled.arms if side in sides),
    )
