"""A Koi-Koi table at rest as sets of cards, made from the eye's reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from dataclasses import field as by_default
from math import hypot
from typing import ClassVar

from desk.tables.table_events import Lying
from referee.cards.hanafuda import HANAFUDA
from referee.koikoi.piles import month_of
from vision.plane.zones import HALF_CARD_MM, TableZones
from vision.table.watcher import TableCard, TableSettled

Cards = frozenset[int]

_SLIVER = 0.5
"""Part of a card in a pile that must be visible for its print to be believed against other evidence."""


@dataclass(frozen=True, slots=True)
class UnreadPrint:
    """An unreadable card in the middle."""

    # x_mm, y_mm: its centre on the table
    x_mm: float
    y_mm: float
    alike: Mapping[int, float] = by_default(default_factory=dict)  # its likeness 0..1 to each card


@dataclass(frozen=True, slots=True)
class DrawnCardSeen:
    """A card has lain where drawn cards are turned up since `t_ms`; see `CardSeenBriefly`."""

    is_drawn: ClassVar = True
    at_stock: ClassVar = True
    on_pile: ClassVar = False
    over: ClassVar[int | None] = None
    reach_ms: ClassVar[float | None] = None

    t_ms: float
    card: int
    seats: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class CardSeenBriefly:
    """A card has lain openly in the middle or on a pile since `t_ms`, while the table is not at rest.

    `at_stock` tells whether something moved over the stock between the table's last rest and the laying of
    the card. `over` is the card that it lies on. `reach_ms` is how long an arm had been over the table when
    the card was laid. `on_pile` tells that it is already captured, so that it was put down earlier. `seats`
    are the seats whose arms may have laid it, empty if unknown.
    """

    is_drawn: ClassVar = False

    t_ms: float
    card: int
    at_stock: bool = True
    over: int | None = None
    reach_ms: float | None = None
    on_pile: bool = False
    seats: frozenset[int] = frozenset()


Glimpse = CardSeenBriefly | DrawnCardSeen


@dataclass(frozen=True, slots=True)
class Look:
    """The table at one instant. Cards are numbered 0..47."""

    t_ms: float  # since when it has been at rest
    field: Cards  # cards in the middle, and cards outside all zones
    turn: Cards
    captures: tuple[Cards, ...]  # each seat's captured cards, covered ones included
    hidden: Cards  # cards of these sets that are completely covered now
    unnamed: int  # number of unreadable prints outside the piles
    seats: frozenset[int]  # seats whose arms have been over the table since it was last at rest
    rested_ms: Mapping[int, float]  # since when cards have lain in their places, if known
    at_stock: bool = False  # whether something has moved over the stock since the table was last at rest
    slivers: Cards = frozenset()  # captured cards of which hardly anything is seen
    # for each unreadable captured print, its seat and its likeness 0..1 to each card
    untold: tuple[tuple[int, Mapping[int, float]], ...] = ()
    # cards of the middle that lie on others: upper card to lower card
    over: Mapping[int, int] = by_default(default_factory=dict)
    stock_ms: float | None = None  # when something first moved over the stock, None if unknown
    # for slivers that were read for the first time, the likeness 0..1 of the print to each card
    alike: Mapping[int, Mapping[int, float]] = by_default(default_factory=dict)
    unread: tuple[UnreadPrint, ...] = ()  # unreadable cards in the middle, slivers too
    assumed: Cards = frozenset()  # cards of the middle that nobody has read there but that lie nowhere else

    @property
    def captured(self) -> Cards:
        return frozenset().union(*self.captures)

    @property
    def middle(self) -> Cards:
        return self.field | self.turn

    @property
    def cards_seen(self) -> Lying:
        return Lying(len(self.cards), self.unnamed)

    @property
    def cards(self) -> Cards:
        return self.middle | self.captured

    def hiding(self, cards: Cards, seat: int) -> Look:
        """Return this look with hidden cards added under the captured cards of a seat."""
        captures = tuple(
            pile | cards if number == seat else pile for number, pile in enumerate(self.captures)
        )
        return replace(self, captures=captures, hidden=self.hidden | cards)

    def collecting_assumed(self, seat: int) -> Look:
        """Return this look with the cards that are only assumed in the middle captured by a seat."""
        left = replace(self, field=self.field - self.assumed, assumed=frozenset())
        return left.hiding(self.assumed, seat)

    def lying(self, cards: Cards) -> Look:
        return replace(self, field=self.field | cards)

    def without(self, cards: Cards) -> Look:
        """Return this look without these captured cards, which are not really there."""
        return replace(
            self, captures=tuple(pile - cards for pile in self.captures), hidden=self.hidden - cards
        )

    def without_others(self, before: Look, seat: int, own: Set[int], piled: Set[int] = frozenset()) -> Look:
        """Return this look without what seats other than `seat` have done since `before`.

        `own` are the seat's new cards, `piled` those seen on its pile before the table came to rest.
        """
        strangers = self.cards - before.cards - own
        captures = list(before.captures)
        captures[seat] = self.captures[seat] - strangers - self._taken_later(before, seat, own, strangers)
        # cards that went with cards of their month lie under them
        months = set(map(month_of, (captures[seat] - before.captured) | piled))
        under = frozenset(card for card in before.middle - self.cards if month_of(card) in months)
        captures[seat] |= under
        lay = (self.middle - strangers) | self._taken_by_others(seat, own, strangers)
        middle = (before.middle | lay) - captures[seat]
        return replace(
            self,
            field=middle - self.turn,
            turn=middle & self.turn,
            captures=tuple(captures),
            hidden=self.hidden | under,
        )

    def _taken_later(self, before: Look, seat: int, own: Set[int], strangers: Cards) -> Cards:
        """Return the cards of the middle that a seat already took with cards of its next turn."""
        pile = self.captures[seat]
        months = set(map(month_of, pile & strangers)) - set(map(month_of, own))
        return frozenset(card for card in pile & before.middle if month_of(card) in months)

    def _taken_by_others(self, seat: int, own: Set[int], strangers: Cards) -> Cards:
        """Return the cards of a seat's turn that other seats have taken since with new cards."""
        return frozenset(
            card
            for number, pile in enumerate(self.captures)
            for card in pile & own
            if number != seat and month_of(card) in set(map(month_of, pile & strangers))
        )

    def remembering(self, earlier: Look) -> Look:
        """Return this look with the captured cards of `earlier` that are not seen anywhere now.

        Cards in a pile slide under others; this cannot be told from taking them away.
        """
        captures = tuple(
            now | (before - self.cards) for now, before in zip(self.captures, earlier.captures, strict=True)
        )
        hidden = self.hidden | (frozenset().union(*captures) - self.captured)
        return replace(self, captures=captures, hidden=hidden)


def look_of(settled: TableSettled, zones: TableZones, players: int) -> Look:
    middle, turn, hidden, slivers = set[int](), set[int](), set[int](), set[int]()
    captures: list[set[int]] = [set() for _ in range(players)]
    untold, unread = list[tuple[int, Mapping[int, float]]](), list[UnreadPrint]()
    alike, rested_ms, unnamed = dict[int, Mapping[int, float]](), dict[int, float](), 0
    for card in settled.cards:
        place, seat = ("field", 0) if card.zone is None else (card.zone.name, card.zone.number)
        if card.card_id is None:
            # in a pile, a sliver of a print may stay unreadable
            unnamed += card.visible > 0.5 and place != "capture"
            if place == "capture" and seat < players:
                untold.append((seat, numbered_print(card.alike)))
            elif place == "field" and card.visible:
                unread.append(
                    UnreadPrint(round(card.x_mm, 1), round(card.y_mm, 1), numbered_print(card.alike))
                )
            continue
        index = HANAFUDA[card.card_id].index
        rested_ms[index] = card.rested_ns / 1e6
        if not card.visible:
            hidden.add(index)
        if place == "capture" and card.visible < _SLIVER:
            slivers.add(index)
            if card.alike:
                alike[index] = numbered_print(card.alike)
        if place == "field":
            middle.add(index)
        elif place == "capture" and seat < players:
            captures[seat].add(index)
        else:
            turn.add(index)
    stock_ns = settled.visited.get("stock")
    return Look(
        settled.t_ns / 1e6,
        frozenset(middle),
        frozenset(turn),
        tuple(map(frozenset, captures)),
        frozenset(hidden),
        unnamed,
        seats_at(settled.arms, zones),
        rested_ms,
        stock_ns is not None,
        frozenset(slivers),
        tuple(untold),
        dict(_over(settled.cards)),
        None if stock_ns is None else stock_ns / 1e6,
        alike,
        tuple(unread),
    )


def renamed_look(look: Look, names: Mapping[int, int]) -> Look:
    """Return a look with misread cards corrected; `names` maps a number as read to the true one."""

    def named(cards: Cards) -> Cards:
        return frozenset(names.get(card, card) for card in cards)

    return replace(
        look,
        field=named(look.field),
        turn=named(look.turn),
        captures=tuple(map(named, look.captures)),
        hidden=named(look.hidden),
        rested_ms={names.get(card, card): t_ms for card, t_ms in look.rested_ms.items()},
        slivers=named(look.slivers),
        untold=tuple((seat, renamed_print(alike, names)) for seat, alike in look.untold),
        over={names.get(card, card): names.get(under, under) for card, under in look.over.items()},
        alike={names.get(card, card): renamed_print(alike, names) for card, alike in look.alike.items()},
        unread=tuple(replace(seen, alike=renamed_print(seen.alike, names)) for seen in look.unread),
    )


def renamed_glimpse(seen: Glimpse, names: Mapping[int, int]) -> Glimpse:
    card = names.get(seen.card, seen.card)
    if isinstance(seen, DrawnCardSeen) or seen.over is None:
        return replace(seen, card=card)
    return replace(seen, card=card, over=names.get(seen.over, seen.over))


def seats_at(sides: Iterable[str], zones: TableZones) -> frozenset[int]:
    """Return the seats at these sides of the table, by the zones of their captured cards."""
    strips = [zone for zone in zones.zones if zone.name == "capture"]
    return frozenset(strip.number for strip in strips if zones.side_of(strip) in set(sides))


def numbered_print(alike: Mapping[str, float]) -> Mapping[int, float]:
    """Return the likeness 0..1 of a print to each card by its number, from -1..1 by id."""
    return {HANAFUDA[card].index: likeness for card, likeness in alike.items() if likeness > 0}


def renamed_print(alike: Mapping[int, float], names: Mapping[int, int]) -> Mapping[int, float]:
    return {names.get(card, card): likeness for card, likeness in alike.items()}


def _over(cards: Sequence[TableCard]) -> Iterable[tuple[int, int]]:
    """Yield the cards of the middle that lie on others, each with the card that it covers most."""
    middle = {
        HANAFUDA[card.card_id].index: card
        for card in cards
        if card.card_id is not None and (card.zone is None or card.zone.name != "capture")
    }
    for index, card in middle.items():
        covered = {other: one for other, one in middle.items() if one.visible < card.visible}
        away_mm = {hypot(card.x_mm - one.x_mm, card.y_mm - one.y_mm): other for other, one in covered.items()}
        if away_mm and min(away_mm) < HALF_CARD_MM:
            yield index, away_mm[min(away_mm)]
