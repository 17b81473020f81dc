"""What the eye sees of a Koi-Koi table, as events of the log."""

from __future__ import annotations

from desk.koikoi.events import CardSeenBriefly, DrawnCardSeen, Seen, StripSeenBriefly, TableSeen, TableUnseen
from desk.koikoi.scribe.look import look_of, numbered_print, seats_at
from referee.cards.hanafuda import HANAFUDA
from vision.plane.zones import TableZones
from vision.table import watcher as table_watcher
from vision.table.watcher import CardGlimpsed, StripGlimpsed, TableFact, TableSettled

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
