"""A Koi-Koi table that reports only the readable cards to a scribe."""

from __future__ import annotations

from desk.koikoi.scribe.look import Look
from desk.koikoi.scribe.scribe import Scribe
from referee.koikoi.events import Draw, Play
from referee.koikoi.house_rules import PRESETS

DEALT = frozenset({0, 4, 8, 12, 16, 20, 24, 28})
"""One card of each of the months 1 to 8; seat 0 begins."""


class Table:
    """Tells a scribe what lies on the table: `field` and each seat's pile are what can be read."""

    def __init__(self) -> None:
        self.field, self.slivers, self.hidden = set(DEALT), set[int](), set[int]()
        self.turn, self.untold = set[int](), tuple[tuple[int, dict[int, float]], ...]()
        self.alike: dict[int, dict[int, float]] = {}
        self.stock_ms: float | None = None
        self.over: dict[int, int] = {}
        self.piles: tuple[set[int], set[int]] = (set(), set())
        self.scribe = Scribe(PRESETS["kasu-2008"], players=2, dealer=0)
        self.t_ms = 0.0
        self.rest()

    def rest(self, *seats: int, at_stock: bool = False) -> None:
        """The table comes to rest after these seats' arms have left."""
        piles = tuple(map(frozenset, self.piles))
        middle, turn, slivers = frozenset(self.field), frozenset(self.turn), frozenset(self.slivers)
        arms = frozenset(seats)
        self.scribe.look(
            Look(
                self.t_ms,
                middle,
                turn,
                piles,
                frozenset(self.hidden),
                0,
                arms,
                {},
                at_stock,
                slivers,
                self.untold,
                alike=self.alike,
                stock_ms=self.stock_ms,
                over=self.over,
            )
        )
        self.t_ms += 3000

    def change(
        self, seat: int, *, to_field: int, to_pile: tuple[int, ...] = (), at_stock: bool = True
    ) -> None:
        """One look shows a card in the middle and others on the player's pile."""
        self.field = (self.field | {to_field}) - set(to_pile)
        self.piles[seat].update(to_pile)
        self.rest(seat, at_stock=at_stock)

    @property
    def moves(self) -> list[object]:
        return [noted.event for noted in self.scribe.notes if isinstance(noted.event, Play | Draw)]

    @property
    def flags(self) -> list[str]:
        judged = [flag.id.value for flag in self.scribe.match.flags]
        return judged + [flag.id.value for flag in self.scribe.flags]
