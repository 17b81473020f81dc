"""What the eye sees of a court of Kendo cards, as events of the log."""

from __future__ import annotations

from collections import Counter

from calibration.decks.deck import Deck
from desk.kendo.events import CourtSeen, CourtUnseen
from desk.kendo.look import SEATS, look_of
from referee.cards.kendo import Card, face_name
from referee.kendo.deck import plausible_deck
from vision.plane.zones import TableZones
from vision.table.watcher import TableFact, TableSettled, TableUnseen


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
