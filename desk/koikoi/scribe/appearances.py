"""The appearances of cards at a Koi-Koi table: when and where each was first seen, and after whose hands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final

from desk.koikoi.scribe.look import Cards, Glimpse, Look
from referee.cards.hanafuda import by_index
from referee.koikoi.piles import month_of

COLLECTING_MS: Final = 1200.0
"""Shortest time from laying a card on its match to the table's rest after both were collected."""
UNLIKE: Final = 0.25
"""Lead in likeness 0..1 from which a print cannot have been misread for the less similar card."""
TELLING: Final = 0.3  # likeness 0..1 of a print from which it counts as evidence for a card
_HARDLY_LESS: Final = 0.03
"""Largest lead in likeness that a strip may have to a wrong card over the right one."""
CLEAR: Final = 0.12  # lead in likeness of one card over another from which a print decides between them


@dataclass(frozen=True, slots=True)
class Appearance:
    """The first appearance of a card."""

    card: int  # 0..47
    t_ms: float
    drawn: bool  # whether it was seen where drawn cards are turned up
    seats: frozenset[int]  # seats whose arms had been over the table
    look_ms: float  # the instant of the first look at the resting table that showed it
    at_stock: bool = False  # whether something had moved over the stock before
    certain: bool = False  # whether it was seen more than once
    sliver: bool = False  # whether it lay in a pile and hardly anything of it was seen
    # how long an arm had been over the table when the card was laid, None if unknown
    reach_ms: float | None = None
    on_pile: bool = False  # whether it was first glimpsed after its capture, so that `t_ms` is an estimate
    # for a sliver, the likeness 0..1 of its print to each card; empty if unknown
    alike: Mapping[int, float] = field(default_factory=dict)
    # when something first moved over the stock since the previous look, None if unknown
    stock_ms: float | None = None
    # whether it is assumed to be the turned card, because that was read as another card of its kind that
    # already lay there; it may be the other way round
    like_turned: bool = False
    # when a card of its month last came to a pile since the previous look, None for never
    piled_ms: float | None = None

    def may_be(self, others: Iterable[int]) -> bool:
        """Tell whether its print may show one of these other cards."""
        own = self.alike.get(self.card)
        return own is None or any(
            self.alike.get(card, 0.0) > own - UNLIKE for card in others if card != self.card
        )


Strip = tuple[int, Mapping[int, float]]
"""An unreadable print: the seat of its pile, and its likeness 0..1 to each card."""


class Glimpses:
    """Cards seen openly while the table was not at rest: since when, on which pile, over what."""

    def __init__(self) -> None:
        self.since_ms: dict[int, float] = {}
        self.piled: dict[int, float] = {}
        self.under: dict[int, int] = {}
        self.strips: list[Strip] = []
        self._turned: set[int] = set()
        self._like_turned: set[int] = set()
        self._before_stock: set[int] = set()
        self._on_pile: set[int] = set()
        self._reach_ms: dict[int, float] = {}
        self._latest_ms = -inf
        self._seats: dict[int, frozenset[int]] = {}

    def add(self, seen: Glimpse) -> None:
        """Take in one more card.

        A card that is first seen on a pile lay on its match before; its time is estimated. If the arm laid
        another card before this one, `reach_ms` counts from there: a capture is laid down at once, but the
        arm may hide some of it for longer.
        """
        card, t_ms = seen.card, seen.t_ms
        if seen.reach_ms is not None:
            self._reach_ms.setdefault(card, min(seen.reach_ms, t_ms - self._latest_ms))
        company_ms = self._company_ms(card) if seen.on_pile else inf
        self._latest_ms = max(self._latest_ms, min(t_ms, company_ms))
        if seen.over is not None:
            self.under.setdefault(card, seen.over)
        if seen.on_pile:
            self.piled.setdefault(card, t_ms)
            if card in self.since_ms:
                return
            self._on_pile.add(card)
            t_ms -= COLLECTING_MS
        if seen.is_drawn and card in self.since_ms and card not in self._turned:
            self._like_turned.add(card)  # it lies elsewhere already: the turned card is another of its kind
            return
        if seen.seats:
            self._seats.setdefault(card, seen.seats)
        self.since_ms[card] = min(self.since_ms.get(card, inf), t_ms)
        if seen.is_drawn:
            self._turned.add(card)
        if not seen.at_stock:
            self._before_stock.add(card)

    @property
    def laid(self) -> set[int]:
        """The cards that were seen elsewhere than on a pile."""
        return self.since_ms.keys() - self._on_pile

    def rename_piled(self, names: Mapping[int, int]) -> None:
        """Rename cards that were seen only on a pile: in truth they are cards that lay in the middle."""
        for card in names.keys() & self.piled.keys() & self._on_pile:
            self.piled.setdefault(names[card], self.piled.pop(card))
            self._on_pile.discard(card)
            self.since_ms.pop(card)

    def of(self, seat: int) -> Glimpses:
        """Return the glimpses of cards that only this seat can have laid down."""
        own = Glimpses()
        own.since_ms = {
            card: ms for card, ms in self.since_ms.items() if self._seats.get(card) == frozenset({seat})
        }
        own.piled = {card: ms for card, ms in self.piled.items() if card in own.since_ms}
        own.strips = [strip for strip in self.strips if strip[0] == seat]
        own._before_stock, own._reach_ms = self._before_stock, self._reach_ms
        return own

    def forget_seats(self) -> None:
        """Forget whose arms laid the cards, because others may have been there."""
        self._seats.clear()

    def clear(self) -> None:
        self.__dict__.update(vars(Glimpses()))

    def fetched(self, stock_ms: float | None) -> dict[int, float | None]:
        """Return the cards that were laid after a movement over the stock, with their `reach_ms`."""
        return {
            card: self._reach_ms.get(card)
            for card, since_ms in self.since_ms.items()
            if card not in self._before_stock and (stock_ms is None or since_ms >= stock_ms)
        }

    def appearances(self, new: Cards, look: Look, *, waits_for_draw: bool) -> Iterator[Appearance]:
        """Yield the new cards of a look in the order in which they were put down.

        `waits_for_draw`: whether a hand card was put down before, so that a drawn card comes first.
        """
        cards = [self._appearance(card, new, look) for card in sorted(new)]
        for several in _by_player(cards):
            # cards seen before anyone was at the stock come before those seen after it
            yield from sorted(
                several, key=lambda card: (card.at_stock, card.drawn != waits_for_draw, card.t_ms)
            )
            waits_for_draw = False

    def _appearance(self, card: int, new: Cards, look: Look) -> Appearance:
        # a glimpsed card that does not lie here now was misread and is of the same kind
        like = {
            other
            for other in self.since_ms
            if other == card or (kind_of(other) == kind_of(card) and other not in new)
        }
        # a glimpse that was read rightly gives the best time
        own = like & {card} or like
        came_ms = min((self.since_ms[other] for other in own), default=_rested_ms(card, look))
        # two new cards of a month may each have taken one
        alone = not any(month_of(other) == month_of(card) for other in (new & look.captured) - {card})
        took = alone and card in look.captured and not own & self.laid
        company_ms = self._company_ms(card) if took else inf
        came_ms = min(came_ms, company_ms - COLLECTING_MS)
        if took and not own and company_ms == inf:
            came_ms = min(came_ms, self._before_last_ms(card, look))
        before_stock = own & self._before_stock or (
            look.stock_ms is not None and (came_ms if own else company_ms) < look.stock_ms
        )
        on_pile = bool(own) and own <= self._on_pile
        return Appearance(
            card,
            came_ms,
            card in look.turn or bool(like & self._turned) or self._is_like_turned(card),
            self._seats_of(card, look, on_pile=on_pile),
            look.t_ms,
            at_stock=look.at_stock and not before_stock and (bool(own) or _after_stock(card, look)),
            certain=bool(like),
            sliver=card in look.slivers,
            reach_ms=self._reach_ms.get(card),
            on_pile=on_pile,
            alike=look.alike.get(card, {}),
            stock_ms=look.stock_ms,
            piled_ms=max(
                (at_ms for other, at_ms in self.piled.items() if month_of(other) == month_of(card)),
                default=None,
            ),
            like_turned=self._is_like_turned(card),
        )

    def _seats_of(self, card: int, look: Look, *, on_pile: bool) -> frozenset[int]:
        """Return who may have laid a card: the pile's owner, or in the middle the last arm there."""
        owners = frozenset(seat for seat in look.seats if card in look.captures[seat])
        last = self._seats.get(card, frozenset())
        return (owners or last if on_pile else last or owners) or look.seats

    def _company_ms(self, card: int) -> float:
        """Return when a card of its month first came to a pile, its latest time of capture; inf for never."""
        return min((ms for other, ms in self.piled.items() if month_of(other) == month_of(card)), default=inf)

    def _before_last_ms(self, card: int, look: Look) -> float:
        """Return until when a card was laid before another pair came to its pile, or inf."""
        pile = next(pile for pile in look.captures if card in pile)
        others = {other for other in self.piled.keys() & pile if month_of(other) != month_of(card)}
        last_ms = min((self.piled[other] for other in others), default=-inf)
        return last_ms - 2 * COLLECTING_MS if look.t_ms - last_ms < COLLECTING_MS else inf

    def _is_like_turned(self, card: int) -> bool:
        """Tell whether a card is the turned card that was read as another of its kind."""
        return any(other != card and kind_of(other) == kind_of(card) for other in self._like_turned)


@dataclass
class GlimpsedInTurn:
    """All glimpses of a turn; see `Glimpses`."""

    since_ms: dict[int, float] = field(default_factory=dict)
    fetched: dict[int, float | None] = field(default_factory=dict)
    piled: dict[int, float] = field(default_factory=dict)
    strips: list[Strip] = field(default_factory=list)

    def add(self, glimpses: Glimpses, look: Look) -> None:
        self.since_ms = glimpses.since_ms | self.since_ms
        self.fetched = glimpses.fetched(look.stock_ms) | self.fetched
        self.piled = glimpses.piled | self.piled
        self.strips = [*self.strips, *glimpses.strips]

    def strips_of(self, possible: Collection[int], seat: int) -> Iterator[Mapping[int, float]]:
        """Yield the strips in a seat's pile for which none of all other cards is likelier than these."""
        for where, alike in self.strips:
            own = max((alike.get(card, 0.0) for card in possible), default=0.0)
            if where == seat and own >= max(alike.values(), default=1.0) - _HARDLY_LESS:
                yield alike


def _by_player(cards: Sequence[Appearance]) -> list[list[Appearance]]:
    """Return the cards grouped by player and turn, in order of time; as one group if a player is unknown.

    A card that a player lays after another player's whole turn begins his next turn.
    """
    if any(len(card.seats) != 1 for card in cards):
        return [list(cards)]
    turns: list[list[Appearance]] = []
    for card in sorted(cards, key=lambda card: card.t_ms):
        own = next((turn for turn in reversed(turns) if turn[0].seats == card.seats), None)
        if own is None or any(len(turn) > 1 and turn[0].t_ms > own[-1].t_ms for turn in turns):
            turns.append([card])
        else:
            own.append(card)
    return turns


def newly_taken(before: Look, after: Look, seat: int) -> Cards:
    """Return the cards of the middle that came to a seat's pile between two looks."""
    return (after.captures[seat] - before.captured) & before.middle


def belongs_to_next(new: Appearance, turn: Sequence[Appearance], seat: int) -> bool:
    """Tell whether a new card belongs to another turn than the open one of `seat`."""
    own = not new.seats or seat in new.seats
    hand = any(not card.drawn for card in turn)
    if new.drawn:
        return not own
    complete = hand and len(turn) > 1
    if complete and new.seats == {seat} and new.at_stock:
        return False  # the same player has been at the stock again
    return complete or not own


def completes_capture(
    card: int, turn: Sequence[Appearance], before: Look, latest: Look, look: Look, *, seat: int
) -> bool:
    """Tell whether a card appears only now but belongs to an earlier capture of the player on turn."""
    if card not in look.captures[seat] or card in look.middle:
        return False
    # a card that still lies in the middle has taken nothing
    months = {month_of(one.card) for one in turn if one.card not in latest.middle}
    return month_of(card) not in months and month_of(card) in set(
        map(month_of, newly_taken(before, latest, seat))
    )


def went_with_own(taken: Cards, turn: Sequence[Appearance]) -> bool:
    """Tell whether all taken cards go with cards that were put down in this turn."""
    own = {card.card for card in turn}
    for card in taken:
        month = {other for other in taken | own if month_of(other) == month_of(card)}
        if not month & own or len(month) < 2:
            return False
    return True


def kind_of(card: int) -> tuple[int, str]:
    """Return a card's kind, its month and category; cards of one kind are easily confused at a glance."""
    face = by_index(card)
    return face.month, face.category


def prints_of(before: Look, after: Look, seat: int) -> list[Mapping[int, float]]:
    """Return the new unreadable prints in a seat's pile, each as its likeness to each card."""
    return [
        alike for number, alike in after.untold if number == seat and (number, alike) not in before.untold
    ]


def unread_months(before: Look, after: Look, seat: int, known: Cards) -> set[int]:
    """Return the months that a new unreadable print in a seat's pile may be of, without `known` cards."""
    return {
        month_of(card)
        for alike in prints_of(before, after, seat)
        for card, likeness in alike.items()
        if likeness >= TELLING and card not in known
    }


def _after_stock(card: int, look: Look) -> bool:
    """Tell whether a card may have been laid after a movement over the stock."""
    return look.stock_ms is None or look.rested_ms.get(card, look.t_ms) >= look.stock_ms


def _rested_ms(card: int, look: Look) -> float:
    """Return since when a new card without a glimpse has lain on the table."""
    rested = look.rested_ms.get(card, look.t_ms)
    # a card captured at once lay on its match before, for an unknown time
    return min(rested, look.t_ms - COLLECTING_MS) if card in look.captured else rested
