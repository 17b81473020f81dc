"""Between two poems: what still has to happen until every card lies where it belongs."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from math import hypot

from referee.karuta.flow.follow_ups import Notice, NoticeId, notice
from referee.karuta.flow.layout_check import CROOKED_RAD
from referee.layout import CARD_WIDTH_M, Layout, PlacedCard
from referee.sides import BySide, Side

IN_PLACE_M = CARD_WIDTH_M / 2
"""A card fills a place if their centres are nearer than this: then no neighbour's place is nearer."""


def distance_m(one: PlacedCard, other: PlacedCard) -> float:
    """Return the distance of two cards' centres in metres."""
    return hypot(one.x_m - other.x_m, one.y_m - other.y_m)


def identified(layout: Layout, other: Layout, doubtful: Collection[int] = ()) -> Layout:
    """Name unread cards by the places they fill.

    `other`: the same field at another time; the places of cards that `layout` lacks are vacant. `doubtful`:
    numbers in `layout` that count as unread.
    """
    vacant = [place for place in other if place.card is not None and layout.find(place.card) is None]
    cards = list(layout)
    for at, placed in enumerate(cards):
        is_unread = placed.card is None or placed.card in doubtful
        if is_unread and (place := _filled(placed, vacant)):
            vacant.remove(place)
            cards[at] = replace(placed, card=place.card)
    return Layout(tuple(cards))


def _filled(placed: PlacedCard, vacant: Collection[PlacedCard]) -> PlacedCard | None:
    """Return the vacant place that a card fills."""
    same_side = (place for place in vacant if place.side is placed.side)
    nearest = min(same_side, key=lambda place: distance_m(place, placed), default=None)
    return nearest if nearest is not None and distance_m(nearest, placed) <= IN_PLACE_M else None


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of comparing the field with where the cards belong."""

    home: Layout  # where the cards belong now; a sent or rearranged card belongs where it lies
    owed: BySide[int]  # cards each player still has to send
    sent: frozenset[int]
    # missing, news: what has to happen before the next poem, and what has happened
    missing: tuple[Notice, ...]
    news: tuple[Notice, ...]


def seen_as(observed: Layout, home: Layout) -> Layout:
    """Return the observed field with unread cards named by the places they fill.

    A card whose number is not in the match counts as unread: a misread card is likelier than an exchanged
    one.
    """
    known = {place.card for place in home}
    strangers = {placed.card for placed in observed if placed.card is not None} - known
    return identified(observed, home, doubtful=strangers)


def compare(
    home: Layout,
    observed: Layout,
    owed: BySide[int],
    *,
    sent: frozenset[int] = frozenset(),
    taken: Collection[int] = (),
    rearranging: Collection[Side] = (),
    swept: bool = True,
    unsent: Collection[int] = (),
) -> Restored:
    """Compare the observed field with where the cards belong.

    `home`: a card that was never read is named once it is read in its place. `owed`: cards each player still
    has to send; a card that was laid across the middle line counts as sent. `sent`: cards sent since the last
    poem; they stay, and the receiver may still choose their places. `taken`: cards that have left the field
    for good. `rearranging`: players who announced that they move their own cards. `swept`: whether a card
    that lies across as nobody lays one was swept there: it is displaced. `unsent`: cards that nobody saw at
    home since the poem, nor laid by a hand: the play may have carried them out, so across the middle they are
    not sent, however straight they lie.
    """
    home = identified(home, observed)
    seen = seen_as(observed, home)
    missing: list[Notice] = []
    news: list[Notice] = []
    places: list[PlacedCard] = []
    crossed: dict[Side, dict[int, PlacedCard]] = {side: {} for side in Side}
    for place in home:
        card, now = place.card, None if place.card is None else seen.find(place.card)
        belongs = place
        if card is None:
            pass  # a card that was never read cannot be looked for
        elif now is None:
            missing.append(notice(NoticeId.CARD_MISSING, side=place.side, card=card))
        elif now.side is place.side:
            moved = distance_m(place, now) > IN_PLACE_M and card not in sent
            if moved and place.side not in rearranging:
                missing.append(notice(NoticeId.CARD_DISPLACED, side=place.side, card=card))
            else:
                belongs = now
                if moved:
                    news.append(notice(NoticeId.REARRANGED, side=place.side, card=card))
        elif card in sent:
            missing.append(notice(NoticeId.SENT_CARD_STAYS, side=now.side, card=card))
        elif swept and owed[place.side] and now.faces_owner and not _was_laid(now):
            missing.append(notice(NoticeId.CROOKED, side=now.side, card=card))  # sent or swept, a hand tells
        elif swept and not _was_laid(now):
            missing.append(notice(NoticeId.CARD_DISPLACED, side=place.side, card=card))
        elif swept and card in unsent:
            doubt = NoticeId.SENT_OR_SWEPT if owed[place.side] else NoticeId.CARD_DISPLACED
            missing.append(notice(doubt, side=place.side, card=card))
        else:
            crossed[place.side][card] = now
        places.append(belongs)
    arrived: dict[int, PlacedCard] = {}
    for side, cards in crossed.items():
        surplus = len(cards) - owed[side]
        if surplus > 0:
            numbers = tuple(sorted(cards))
            missing.append(notice(NoticeId.SENT_WITHOUT_RIGHT, side=side, count=surplus, cards=numbers))
        else:
            owed = owed.replaced(side, -surplus)
            arrived |= cards
            news.extend(notice(NoticeId.CARD_SENT, side=side, card=card) for card in sorted(cards))
    missing.extend(_strangers(seen, home, taken))
    missing += [notice(NoticeId.OWES_CARDS, side=side, count=count) for side, count in owed.items() if count]
    return Restored(
        home=Layout(tuple(arrived.get(place.card or 0, place) for place in places)),
        owed=owed,
        sent=sent | arrived.keys(),
        missing=tuple(missing),
        news=tuple(news),
    )


def _was_laid(card: PlacedCard) -> bool:
    """Tell whether a card lies as a player hands it over: straight, and facing its receiver."""
    return card.faces_owner and abs(card.angle_rad) <= CROOKED_RAD


def _strangers(seen: Layout, home: Layout, taken: Collection[int]) -> Iterator[Notice]:
    for placed in seen:
        if placed.card is not None and home.find(placed.card) is None:
            id_ = NoticeId.TAKEN_CARD_ON_FIELD if placed.card in taken else NoticeId.FOREIGN_CARD
            yield notice(id_, card=placed.card)
    for side in Side:
        unread = _unread(seen, side) - _unread(home, side)
        if unread > 0:
            yield notice(NoticeId.CARD_UNREAD, side=side, count=unread)


def _unread(layout: Layout, side: Side) -> int:
    return sum(placed.card is None for placed in layout.of(side))
