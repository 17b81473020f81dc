"""Between two poems: what is still missing until every card lies where it belongs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import hypot

from referee.karuta.follow_ups import Notice, NoticeId, notice
from referee.layout import CARD_WIDTH_M, Layout, PlacedCard
from referee.sides import BySide, Side

IN_PLACE_M = CARD_WIDTH_M / 2
"""A card is back when its centre lies within half a card of where it was: nearer than to a neighbour."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The outcome of looking at the field.

    Attributes
    ----------
    home : where the cards belong now; sent and rearranged cards belong where they lie.
    owed : cards each player still has to send.
    sent : cards sent since the last poem.
    missing : what has to happen before the next poem; `news` : what has happened.
    """

    home: Layout
    owed: BySide[int]
    sent: frozenset[int]
    missing: tuple[Notice, ...]
    news: tuple[Notice, ...]


def compare(
    home: Layout,
    observed: Layout,
    owed: BySide[int],
    *,
    sent: frozenset[int] = frozenset(),
    taken: Collection[int] = (),
    rearranging: Collection[Side] = (),
) -> Restored:
    """Compare the field as it lies with where the cards belong.

    Parameters
    ----------
    home : where the cards belong; a card never read before is named once the field shows it in its place.
    observed : the field as it lies; cards that could not be read count as the card whose place they fill.
    owed : cards each player still has to send; a card found across the middle line counts as sent.
    sent : cards already sent since the last poem: they stay, and the receiver may still place them.
    taken : cards that have left the field for good.
    rearranging : players who announced that they move their own cards.
    """
    home, seen = _identified(home, observed), _identified(observed, home)
    missing: list[Notice] = []
    news: list[Notice] = []
    crossed: dict[Side, list[PlacedCard]] = {side: [] for side in Side}
    places: list[PlacedCard] = []
    for place in home:
        card = place.card
        if card is None:
            places.append(place)
            continue
        now = seen.find(card)
        belongs = now or place
        if now is None:
            missing.append(notice(NoticeId.CARD_MISSING, side=place.side, card=card))
        elif now.side is not place.side:
            belongs = place
            if card in sent:
                missing.append(notice(NoticeId.SENT_CARD_STAYS, side=now.side, card=card))
            else:
                crossed[place.side].append(now)
        elif _distance_m(place, now) > IN_PLACE_M and card not in sent:
            if place.side in rearranging:
                news.append(notice(NoticeId.REARRANGED, side=place.side, card=card))
            else:
                missing.append(notice(NoticeId.CARD_DISPLACED, side=place.side, card=card))
                belongs = place
        places.append(belongs)
    arrived: dict[int, PlacedCard] = {}
    for side, cards in crossed.items():
        surplus = len(cards) - owed[side]
        numbers = tuple(sorted(placed.card or 0 for placed in cards))
        if surplus > 0:
            missing.append(notice(NoticeId.SENT_WITHOUT_RIGHT, side=side, count=surplus, cards=numbers))
            continue
        owed = owed.replaced(side, -surplus)
        arrived.update({placed.card or 0: placed for placed in cards})
        news.extend(notice(NoticeId.CARD_SENT, side=side, card=number) for number in numbers)
    missing.extend(_strangers(seen, home, taken))
    missing.extend(
        notice(NoticeId.OWES_CARDS, side=side, count=count) for side, count in owed.items() if count
    )
    return Restored(
        home=Layout(tuple(arrived.get(place.card or 0, place) for place in places)),
        owed=owed,
        sent=sent | arrived.keys(),
        missing=tuple(missing),
        news=tuple(news),
    )


def _identified(layout: Layout, other: Layout) -> Layout:
    """Name the unread cards that lie where the other layout has a card that is not found anywhere else."""
    vacant = [place for place in other if place.card is not None and layout.find(place.card) is None]
    cards: list[PlacedCard] = []
    for placed in layout:
        named = placed
        if placed.card is None:
            fits = [
                place
                for place in vacant
                if place.side is placed.side and _distance_m(place, placed) <= IN_PLACE_M
            ]
            if fits:
                nearest = min(fits, key=lambda place: _distance_m(place, named))
                vacant.remove(nearest)
                named = replace(placed, card=nearest.card)
        cards.append(named)
    return Layout(tuple(cards))


def _strangers(seen: Layout, home: Layout, taken: Collection[int]) -> list[Notice]:
    notices = []
    for placed in seen:
        if placed.card is not None and home.find(placed.card) is None:
            id_ = NoticeId.TAKEN_CARD_ON_FIELD if placed.card in taken else NoticeId.FOREIGN_CARD
            notices.append(notice(id_, card=placed.card))
    for side in Side:
        unread = _unread(seen, side) - _unread(home, side)
        if unread > 0:
            notices.append(notice(NoticeId.CARD_UNREAD, side=side, count=unread))
    return notices


def _unread(layout: Layout, side: Side) -> int:
    return sum(placed.card is None for placed in layout.of(side))


def _distance_m(one: PlacedCard, other: PlacedCard) -> float:
    return hypot(one.x_m - other.x_m, one.y_m - other.y_m)
