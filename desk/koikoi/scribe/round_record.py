"""The record of a Koi-Koi scribe: what it has written down, and what it knows of the open turn."""

from __future__ import annotations

from collections.abc import Sequence

from desk.koikoi.scribe.appearances import Appearance, GlimpsedInTurn, Glimpses
from desk.koikoi.scribe.belief import Belief
from desk.koikoi.scribe.hindsight import Doubts
from desk.koikoi.scribe.look import Cards, Look
from desk.koikoi.scribe.notes import Noted, TableFlag, cards_on_table, is_early
from desk.koikoi.scribe.stray_cards import Astray
from desk.koikoi.scribe.turn import Explanation, Move
from desk.koikoi.scribe.unseen_parts import MissedParts
from referee.koikoi.events import Declare, Event
from referee.koikoi.flags import FlagId
from referee.koikoi.match import Match, step
from referee.koikoi.ruleset import RuleSet


class RoundRecord:
    """The events and flags of a game, and the open turn.

    `flags`: faults that only the table shows. `looks`: the table at each rest, covered cards included.
    """

    def __init__(self, rules: RuleSet, players: int, dealer: int) -> None:
        self.match = Match(rules)
        self.notes: list[Noted] = []
        self.flags: list[TableFlag] = []
        self.looks: list[Look] = []
        self._players, self._dealer = players, dealer
        self._undealt: Match | None = None
        self._before: Look | None = None
        self._latest: Look | None = None
        self._alike = 0
        self._begun = False
        self._turn: list[Appearance] = []
        self._seat = dealer
        self._waiting: list[tuple[float, Declare]] = []
        self._glimpses = Glimpses()
        self._in_turn = GlimpsedInTurn()
        self._laid_on: dict[int, int] = {}
        self._apart: set[tuple[int, int]] = set()
        self._belief = Belief()
        self._doubts = Doubts()
        self._astray = Astray()
        self._changed: list[tuple[float, Cards]] = []
        self._missed = MissedParts()
        self._dealer_is_known, self._has_joined = True, False

    @property
    def _is_over(self) -> bool:
        table = self.match.table
        return not self._has_joined if table is None else table.result is not None

    def _write(self, found: Explanation, moves: Sequence[Move]) -> None:
        for event, move in zip(found.events, moves, strict=True):
            self.notes.append(Noted(move.t_ms, event))
        self.match = found.match
        for flag in self._doubts.settled(cards_on_table(self.match)):
            self.flags.remove(flag)

    def _say_what_waits(self, *, is_last: bool = False) -> None:
        waiting, self._waiting = self._waiting, []
        for t_ms, declared in waiting:
            if is_last or not is_early(self.match, declared):
                self._judge(t_ms, declared)
            else:
                self._waiting.append((t_ms, declared))

    def _judge(self, t_ms: float, event: Event) -> None:
        self.match = step(self.match, event)
        self.notes.append(Noted(t_ms, event))

    def _flag(self, t_ms: float, flag: FlagId, text: str) -> None:
        number = len(self.match.rounds) - 1
        self.flags.append(TableFlag(number, self.match.events - 1, t_ms, flag, text))
