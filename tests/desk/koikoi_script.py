"""A game of Koi-Koi told to the desk move by move, as a simulated table plays it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from desk.event_log import EventLog
from desk.koikoi_desk import KoiKoiDesk
from desk.koikoi_events import GameEvent, GameOpened
from referee.koikoi.events import Call, Deal, Declare, Draw, Play
from referee.koikoi.house_rules import preset
from vision.simulator.cardtable.koikoi_game import RoundPlan, plan_round


def opened_desk(folder: Path, players: int = 2) -> KoiKoiDesk:
    """Return a desk with a new game, whose clock stands still."""
    log = EventLog.create(folder / "game.sqlite")
    opening = GameOpened("test_game", "simulator", players, preset(), "shinpan")
    return KoiKoiDesk(log, opening, clock=lambda: 0, wall=lambda: "2026-01-01T00:00:00+00:00")


def planned(seed: int, players: int = 2, fault: str | None = None) -> RoundPlan:
    """Return a round made by dice."""
    return plan_round(seed, players, 0, fault)


def events_of(plan: RoundPlan, players: int = 2) -> Iterator[GameEvent]:
    """Iterate over a round's events."""
    yield Deal(None, players, plan.dealer, plan.dealt)
    for turn in plan.turns:
        for move in turn.moves:
            kind = Play if move.kind == "play" else Draw
            yield kind(turn.player, move.card, move.taken)
        if turn.decision:
            yield Declare(turn.player, Call(turn.decision))
