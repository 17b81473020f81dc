"""A Koi-Koi table that reports only the readable cards to a scribe."""

from collections.abc import Iterable
from typing import Any

from desk.koikoi.scribe.look import CardSeenBriefly, DrawnCardSeen
from desk.koikoi.scribe.scribe import Scribe
from referee.koikoi.events import Draw, Play
from referee.koikoi.house_rules import PRESETS
from tests.desk.koikoi.koikoi_script import look_at

DEALT = frozenset({0, 4, 8, 12, 16, 20, 24, 28})  # one card of each of the months 1 to 8; seat 0 begins


class Table:
    """Tells a scribe what lies on the table: `field` and each seat's pile are what can be read."""

    def __init__(self, dealt: Iterable[int] = DEALT, t_ms: float = 0.0) -> None:
        self.field, self.slivers, self.hidden = set(dealt), set[int](), set[int]()
        self.turn, self.untold = set[int](), tuple[tuple[int, dict[int, float]], ...]()
        self.alike: dict[int, dict[int, float]] = {}
        self.stock_ms: float | None = None
        self.over: dict[int, int] = {}
        self.piles: tuple[set[int], set[int]] = (set(), set())
        self.scribe = Scribe(PRESETS["kasu-2008"], players=2, dealer=0)
        self.t_ms = t_ms
        self.rest()

    def rest(self, *seats: int, at_stock: bool = False) -> None:
        """The table comes to rest after these seats' arms have left."""
        self.scribe.look(
            look_at(
                self.t_ms, self.field, self.turn, self.piles, seats, hidden=self.hidden,
                at_stock=at_stock, slivers=frozenset(self.slivers), untold=self.untold, alike=self.alike,
                stock_ms=self.stock_ms, over=self.over,
            )
        )  # fmt: skip
        self.t_ms += 3000

    def glimpse(
        self, card: int, t_ms: float, *, turned: bool = True, seats: frozenset[int] = frozenset(), **how: Any
    ) -> None:
        """A card lies on the table while it is not at rest."""
        kind = DrawnCardSeen if turned else CardSeenBriefly
        self.scribe.glimpse(kind(t_ms, card, seats=seats, **how))

    def change(
        self, seat: int, *, to_field: int, to_pile: tuple[int, ...] = (), at_stock: bool = True
    ) -> None:
        """One look shows a card in the middle and others on the player's pile."""
        self.field = (self.field | {to_field}) - set(to_pile)
        self.piles[seat].update(to_pile)
        self.rest(seat, at_stock=at_stock)

    def play(self, seat: int, card: int, *, at_stock: bool = False) -> None:
        """A card is laid into the middle and the arm leaves."""
        self.field.add(card)
        self.rest(seat, at_stock=at_stock)

    def draw(self, seat: int, card: int) -> None:
        """A card is turned up and the arm leaves."""
        self.turn.add(card)
        self.rest(seat, at_stock=True)

    def collect(self, seat: int, *cards: int, strip: int | None = None) -> None:
        """Cards go to a pile, and a turned card that is not among them to the middle."""
        self.field |= self.turn
        self.turn.clear()
        self.field -= set(cards)
        self.piles[seat if strip is None else strip].update(cards)
        self.rest(seat)

    def lawful_turn(self) -> None:
        """Seat 0 takes January, draws September."""
        self.play(0, 1)
        self.draw(0, 32)
        self.collect(0, 0, 1)

    @property
    def events(self) -> list[object]:
        return [noted.event for noted in self.scribe.notes]

    @property
    def moves(self) -> list[object]:
        return [event for event in self.events if isinstance(event, Play | Draw)]

    @property
    def lawful(self) -> list[object]:
        """The moves, none of which is flagged."""
        moves = self.moves
        assert self.flags == []
        return moves

    @property
    def flags(self) -> list[str]:
        self.scribe.close()
        judged = [flag.id.value for flag in self.scribe.match.flags]
        return judged + [flag.id.value for flag in self.scribe.flags]
