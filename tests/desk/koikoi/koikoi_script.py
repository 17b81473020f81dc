"""A game of Koi-Koi shown to the desk look by look, as a table with these moves would be seen."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import Declared, GameOpened, LoggedEvent, TableSeen
from desk.koikoi.scribe.look import Look
from desk.log.event_log import EventLog
from referee.koikoi.events import Call
from referee.koikoi.house_rules import preset
from referee.koikoi.ruleset import RuleSet
from vision.simulator.cardtable.koikoi.game import Move, RoundPlan, Turn, plan_round

SECOND_MS = 1000.0


def opened_desk(folder: Path, players: int = 2, dealer: int = 0, rules: RuleSet | None = None) -> KoiKoiDesk:
    """Return a desk with a new game, whose clock stands still."""
    log = EventLog.create(folder / "game.sqlite")
    opening = GameOpened("test_game", "simulator", players, dealer, rules or preset(), "shinpan")
    return KoiKoiDesk(log, opening, clock=lambda: 0, wall=lambda: "2026-01-01T00:00:00+00:00")


def tell(desk: KoiKoiDesk, events: Iterable[object]) -> None:
    for event in events:
        desk.tell(event)


def planned(seed: int, players: int = 2, fault: str | None = None) -> RoundPlan:
    """Return a round made by dice."""
    return plan_round(seed, players, 0, fault)


def look_at(
    t_ms: float,
    field: Iterable[int],
    turn: Iterable[int],
    piles: Iterable[Iterable[int]],
    seats: Iterable[int],
    *,
    hidden: Iterable[int] = (),
    **more: Any,
) -> Look:
    """Return a look at these cards."""
    field, turn, hidden, seats = map(frozenset, (field, turn, hidden, seats))
    return Look(t_ms, field, turn, tuple(map(frozenset, piles)), hidden, 0, seats, {}, **more)


class Table:
    """The cards of a table as sets, changed by moves; `look` returns the eye's report."""

    def __init__(self, dealt: tuple[int, ...], players: int = 2, t_ms: float = 0.0) -> None:
        self.field = set(dealt)
        self.turn: set[int] = set()
        self.piles: list[set[int]] = [set() for _ in range(players)]
        self.t_ms = t_ms

    def look(self, *seats: int) -> TableSeen:
        """Return the table at rest, after these seats have reached in."""
        self.t_ms += SECOND_MS
        return TableSeen(look_at(self.t_ms, self.field, self.turn, self.piles, seats))

    def move(self, seat: int, move: Move) -> Iterator[TableSeen]:
        """Make a move and show the table after each step of it."""
        if move.kind == "draw":
            self.turn.add(move.card)
            yield self.look(seat)
            self.turn.discard(move.card)
        self.field.add(move.card)
        if move.taken:
            yield self.look(seat)
            self.field -= {move.card, *move.taken}
            self.piles[move.strip] |= {move.card, *move.taken}
        yield self.look(seat)

    def play(self, turn: Turn) -> Iterator[LoggedEvent]:
        """Play a turn, with the word at its end."""
        for move in turn.moves:
            yield from self.move(turn.player, move)
        if turn.decision:
            yield Declared(self.t_ms + 10, turn.player, Call(turn.decision))


def events_of(plan: RoundPlan, players: int = 2) -> Iterator[LoggedEvent]:
    """Iterate over a round."""
    table = Table(plan.dealt, players)
    yield table.look()
    for turn in plan.turns:
        yield from table.play(turn)


def played(card: int, *taken: int, seat: int = 0) -> Move:
    """Return a hand card that takes cards to the player's own strip."""
    return Move("play", card, taken, seat)


def drawn(card: int, *taken: int, seat: int = 0) -> Move:
    """Return a drawn card that takes cards to the player's own strip."""
    return Move("draw", card, taken, seat)
