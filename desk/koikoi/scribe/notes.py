"""The notes of a Koi-Koi scribe: events with their instants, and faults that only the table shows."""

from __future__ import annotations

from dataclasses import dataclass

from desk.koikoi.scribe.look import Cards
from referee.koikoi.events import Call, Declare, Event
from referee.koikoi.flags import FlagId
from referee.koikoi.match import Match
from referee.koikoi.piles import cards_of
from referee.koikoi.round import Phase


@dataclass(frozen=True, slots=True)
class Noted:
    """An inferred event, and when it was seen."""

    t_ms: float
    event: Event


@dataclass(frozen=True, slots=True)
class TableFlag:
    """A fault that the table shows and no event can express: cards on wrong piles, vanished or returned."""

    round: int  # number of the round among the match's rounds, from 0
    event: int  # number of the event at which it occurred
    t_ms: float
    id: FlagId
    text: str


def cards_on_table(match: Match) -> Cards:
    """Return the cards that are on the table according to the referee."""
    table = match.table
    if table is None:
        return frozenset()
    return frozenset(cards_of(table.field)).union(*map(cards_of, table.piles))


def may_decide(match: Match, player: int) -> bool:
    """Tell whether a player's decision is due: after his turn, or later if he still owes it."""
    return any(
        table.owes == player or (table.phase is Phase.DECISION and table.turn == player)
        for table in match.readings
    )


def is_early(match: Match, declared: Declare) -> bool:
    """Tell whether a player declares his decision before the resting table shows his turn."""
    table = match.table
    decides = declared.what in {Call.KOIKOI, Call.STOP}
    on_turn = table is not None and table.result is None and table.turn == declared.player
    return decides and on_turn and not may_decide(match, declared.player)
