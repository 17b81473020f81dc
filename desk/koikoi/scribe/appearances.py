"""Cards that come to a Koi-Koi table: when each was seen first, where, and after whose hands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final

from desk.koikoi.scribe.look import Cards, Look
from referee.cards.hanafuda import by_index
from referee.koikoi.piles import month_of

COLLECTING_MS: Final = 1200.0
"""From laying a card on its match to the table's rest after both were collected, at the least."""
UNLIKE: Final = 0.25
"""A print that is so much less like a card than like another was not misread for that one."""
TELLING: Final = 0.3
"""Likeness 0..1 of a print from which it speaks for a card."""
_HARDLY_LESS: Final = 0.03
"""By so much a strip may be more like another card than like the one that it is."""
CLEAR: Final = 0.12
"""Lead of a print's likeness to one card over that to another from which it decides."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """A card that was seen for the first time.

    Attributes
    ----------
    card : 0..47.
    t_ms : when.
    drawn : seen where drawn cards are turned up.
    seats : whose arms had been over the table.
    look_ms : the instant of the look at the resting table that showed it first.
    at_stock : something had moved over the stock before it was seen.
    certain : it was seen more than once.
    sliver : it lay in a pile and hardly anything of it was seen.
    reach_ms : for how long an arm had been over the table when it came to lie there, None where unknown.
    on_pile : it was glimpsed when it had been captured already: when it was put down is reckoned.
    alike : of a sliver, the likeness 0..1 of its print to each card; empty where that is not known.
    stock_ms : when something had moved over the stock first since the look before, None where unknown.
    like_turned : it is taken for the card that was turned up, for one of its like lay there already and the
        turned one was read as that; it may have been the other way round.
    piled_ms : when a card of its month last came to lie on a pile since the look before, None for never.
    """

    card: int
    t_ms: float
    drawn: bool
    seats: frozenset[int]
    look_ms: float
    at_stock: bool = False
    certain: bool = False
    sliver: bool = False
    reach_ms: float | None = None
    on_pile: bool = False
    alike: Mapping[int, float] = field(default_factory=dict)
    stock_ms: float | None = None
    like_turned: bool = False
    piled_ms: float | None = None

    def may_be(self, others: Iterable[int]) -> bool:
        """Tell whether its print may be that of one of some other cards."""
        own = self.alike.get(self.card)
        return own is None or any(
            self.alike.get(card, 0.0) > own - UNLIKE for card in others if card != self.card
        )


Strip = tuple[int, Mapping[int, float]]
"""A print that does not tell its card: in whose pile it lies, and its likeness 0..1 to each card."""


class Glimpses:
    """Cards that lay openly somewhere, although the table was not at rest.

    Attributes
    ----------
    since_ms : since when each lay there.
    piled : those that were captured by then, and when each was seen on the pile first.
    under : of those that were laid on another, on which.
    strips : prints in piles that do not tell their card.
    """

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

    def add(
        self,
        card: int,
        t_ms: float,
        *,
        turned: bool,
        at_stock: bool,
        reach_ms: float | None = None,
        on_pile: bool = False,
        seats: frozenset[int] = frozenset(),
        over: int | None = None,
    ) -> None:
        """Take in one more; `turned` where drawn cards are turned up, `at_stock` after a move there.

        One that was seen `on_pile` first lay on its match before, and arms cross the piles since. Where the
        arm that laid it had laid another before, its way began there: a capture is laid down at once, and
        the arm that goes on hides some of it for longer.
        """
        if reach_ms is not None:
            self._reach_ms.setdefault(card, min(reach_ms, t_ms - self._latest_ms))
        company_ms = self._company_ms(card) if on_pile else inf
        self._latest_ms = max(self._latest_ms, min(t_ms, company_ms))
        if over is not None:
            self.under.setdefault(card, over)
        if on_pile:
            self.piled.setdefault(card, t_ms)
        if on_pile and card in self.since_ms:
            return
        if on_pile:
            self._on_pile.add(card)
            t_ms -= COLLECTING_MS
        if turned and card in self.since_ms and card not in self._turned:
            self._like_turned.add(card)  # it lies elsewhere already: the one turned up is another of its like
            return
        if seats:
            self._seats.setdefault(card, seats)
        self.since_ms[card] = min(self.since_ms.get(card, inf), t_ms)
        if turned:
            self._turned.add(card)
        if not at_stock:
            self._before_stock.add(card)

    @property
    def laid(self) -> set[int]:
        """Those that were seen elsewhere than on a pile."""
        return self.since_ms.keys() - self._on_pile

    def rename_piled(self, names: Mapping[int, int]) -> None:
        """Take cards that were seen on a pile only for others, which lay in the middle before."""
        for card in names.keys() & self.piled.keys() & self._on_pile:
            self.piled.setdefault(names[card], self.piled.pop(card))
            self._on_pile.discard(card)
            self.since_ms.pop(card)

    def of(self, seat: int) -> Glimpses:
        """Return those that only a seat can have laid down."""
        own = Glimpses()
        own.since_ms = {
            card: ms for card, ms in self.since_ms.items() if self._seats.get(card) == frozenset({seat})
        }
        own.piled = {card: ms for card, ms in self.piled.items() if card in own.since_ms}
        own.strips = [strip for strip in self.strips if strip[0] == seat]
        own._before_stock, own._reach_ms = self._before_stock, self._reach_ms
        return own

    def forget_seats(self) -> None:
        """Forget whose arms laid the cards: others may have been there."""
        self._seats.clear()

    def clear(self) -> None:
        """Forget everything: the table has been at rest."""
        self.since_ms.clear()
        self.piled.clear()
        self.under.clear()
        self.strips.clear()
        self._turned.clear()
        self._like_turned.clear()
        self._before_stock.clear()
        self._on_pile.clear()
        self._reach_ms.clear()
        self._latest_ms = -inf
        self._seats.clear()

    def fetched(self, stock_ms: float | None) -> dict[int, float | None]:
        """Return the cards that were laid down after a move over the stock, with their `reach_ms`.

        `stock_ms` is when something moved there first, None where that is not known.
        """
        return {
            card: self._reach_ms.get(card)
            for card, since_ms in self.since_ms.items()
            if card not in self._before_stock and (stock_ms is None or since_ms >= stock_ms)
        }

    def appearances(self, new: Cards, look: Look, *, waits_for_draw: bool) -> Iterator[Appearance]:
        """Yield the new cards of a look in the order in which they were put down.

        Parameters
        ----------
        new : the cards.
        look : the table at rest.
        waits_for_draw : a hand card has been put down before: then a drawn card comes first.
        """
        cards = [self._appearance(card, new, look) for card in sorted(new)]
        for several in _by_player(cards):
            # what lay there before anyone was at the stock was put down before what came after
            yield from sorted(
                several, key=lambda card: (card.at_stock, card.drawn != waits_for_draw, card.t_ms)
            )
            waits_for_draw = False

    def _appearance(self, card: int, new: Cards, look: Look) -> Appearance:
        # a glimpse of a card that does not lie here now was one of its like
        like = {
            other
            for other in self.since_ms
            if other == card or (kind_of(other) == kind_of(card) and other not in new)
        }
        # when it came is told best by what was read rightly
        own = like & {card} or like
        came_ms = min((self.since_ms[other] for other in own), default=_rested_ms(card, look))
        # two of a month may have taken one each
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
        """Return who may have put down a card: of several at the table the one in whose pile it lies.

        An arm that was there last laid what lies in the middle, but may only have crossed a pile.
        """
        owners = frozenset(seat for seat in look.seats if card in look.captures[seat])
        last = self._seats.get(card, frozenset())
        return (owners or last if on_pile else last or owners) or look.seats

    def _company_ms(self, card: int) -> float:
        """Return when another card of its month came to a pile first; nothing took it later than that."""
        return min((ms for other, ms in self.piled.items() if month_of(other) == month_of(card)), default=inf)

    def _before_last_ms(self, card: int, look: Look) -> float:
        """Return when a captured card was put down at the latest, if another pair reached its pile just now.

        There was no time to lay it down and collect it after that.
        """
        pile = next(pile for pile in look.captures if card in pile)
        others = {other for other in self.piled.keys() & pile if month_of(other) != month_of(card)}
        last_ms = min((self.piled[other] for other in others), default=-inf)
        return last_ms - 2 * COLLECTING_MS if look.t_ms - last_ms < COLLECTING_MS else inf

    def _is_like_turned(self, card: int) -> bool:
        """Tell whether a card is the one that was turned up and read as another of its like."""
        return any(other != card and kind_of(other) == kind_of(card) for other in self._like_turned)


@dataclass
class GlimpsedInTurn:
    """What was glimpsed in a turn, whatever became of it.

    Attributes
    ----------
    since_ms : the cards, and since when each lay openly.
    fetched : those that came after a move over the stock, see `Glimpses.fetched`.
    piled : those that were captured by then, and when each was seen on the pile first.
    strips : see `Glimpses`.
    """

    since_ms: dict[int, float] = field(default_factory=dict)
    fetched: dict[int, float | None] = field(default_factory=dict)
    piled: dict[int, float] = field(default_factory=dict)
    strips: list[Strip] = field(default_factory=list)

    def add(self, glimpses: Glimpses, look: Look) -> None:
        """Take in what was glimpsed before the table came to rest."""
        self.since_ms = glimpses.since_ms | self.since_ms
        self.fetched = glimpses.fetched(look.stock_ms) | self.fetched
        self.piled = glimpses.piled | self.piled
        self.strips = [*self.strips, *glimpses.strips]

    def strips_of(self, possible: Collection[int], seat: int) -> Iterator[Mapping[int, float]]:
        """Yield the strips in a seat's pile that are no more like any other card than like some of these."""
        for where, alike in self.strips:
            own = max((alike.get(card, 0.0) for card in possible), default=0.0)
            if where == seat and own >= max(alike.values(), default=1.0) - _HARDLY_LESS:
                yield alike


def _by_player(cards: Sequence[Appearance]) -> list[list[Appearance]]:
    """Return the cards of each player, whose came first first; all together where not all are known.

    Who lays a card after another one's whole turn has begun his next.
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
    """Return the cards of the middle that have come to a seat's pile from one look to another."""
    return (after.captures[seat] - before.captured) & before.middle


def belongs_to_next(new: Appearance, turn: Sequence[Appearance], seat: int) -> bool:
    """Tell whether a card that appears is of another turn than the one that `seat` has begun."""
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
    """Tell whether a card shows now that the player whose turn it is had taken cards with before."""
    if card not in look.captures[seat] or card in look.middle:
        return False
    # what still lies in the middle has taken nothing
    months = {month_of(one.card) for one in turn if one.card not in latest.middle}
    return month_of(card) not in months and month_of(card) in set(
        map(month_of, newly_taken(before, latest, seat))
    )


def went_with_own(taken: Cards, turn: Sequence[Appearance]) -> bool:
    """Tell whether all cards that were taken go with cards that were put down in this turn."""
    own = {card.card for card in turn}
    for card in taken:
        month = {other for other in taken | own if month_of(other) == month_of(card)}
        if not month & own or len(month) < 2:
            return False
    return True


def kind_of(card: int) -> tuple[int, str]:
    """Return what a card counts as: at a glance, chaff of one month is easily taken for other chaff of it."""
    face = by_index(card)
    return face.month, face.category


def prints_of(before: Look, after: Look, seat: int) -> list[Mapping[int, float]]:
    """Return what is newly seen in a seat's pile and cannot be told: how alike it is to each card."""
    return [
        alike for number, alike in after.untold if number == seat and (number, alike) not in before.untold
    ]


def unread_months(before: Look, after: Look, seat: int, known: Cards) -> set[int]:
    """Return for which months a new print in a seat's pile speaks that is not told; no `known` card is it."""
    return {
        month_of(card)
        for alike in prints_of(before, after, seat)
        for card, likeness in alike.items()
        if likeness >= TELLING and card not in known
    }


def _after_stock(card: int, look: Look) -> bool:
    """Tell whether a card may have come to lie there after something had moved over the stock."""
    return look.stock_ms is None or look.rested_ms.get(card, look.t_ms) >= look.stock_ms


def _rested_ms(card: int, look: Look) -> float:
    """Return since when a new card that was not glimpsed before has lain on the table."""
    rested = look.rested_ms.get(card, look.t_ms)
    # one that was captured at once lay on its match before, and nobody saw for how long
    return min(rested, look.t_ms - COLLECTING_MS) if card in look.captured else rested
