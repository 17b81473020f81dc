"""The statistics of a match's players: wins, calls, captured cards, and the yaku that counted."""

from __future__ import annotations

from collections import Counter
from statistics import fmean
from typing import Any

from desk.koikoi.game import Game
from referee.koikoi.events import Declare, Draw, Play
from referee.koikoi.match import RoundRecord
from referee.koikoi.piles import cards_of


def statistics(game: Game) -> list[dict[str, Any]]:
    """Return the statistics of every seat over the finished rounds of a match."""
    finished = [record for record in game.match.rounds if record.result is not None]
    faults = _faults(game)
    return [_of_seat(seat, finished, faults[seat]) for seat in range(game.opened.players)]


def _of_seat(seat: int, finished: list[RoundRecord], faults: int) -> dict[str, Any]:
    won = [record for record in finished if record.result is not None and record.result.winner == seat]
    yaku = Counter(row.name for record in won for row in record.scores[seat].yaku)
    piles = [len(cards_of(record.table.piles[seat])) for record in finished]
    return {
        "won": len(won),
        "best": max((record.points[seat] for record in finished), default=0),
        "calls": sum(record.table.calls[seat] for record in finished),
        "calls_paid": sum(record.table.calls[seat] > 0 for record in won),
        "captured": round(fmean(piles), 1) if piles else 0.0,
        "faults": faults,
        "yaku": [{"name": name, "times": times} for name, times in yaku.most_common()],
    }


def _faults(game: Game) -> Counter[int]:
    """Return the number of flagged moves and declarations of each seat."""
    notes = game.scribe.notes
    events = {flag.event for record in game.match.rounds for flag in record.flags}
    flagged = (notes[event].event for event in events if event < len(notes))
    return Counter(event.player for event in flagged if isinstance(event, Play | Draw | Declare))
