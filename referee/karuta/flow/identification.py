"""Naming unread cards by the places they fill."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from math import hypot

from referee.layout import CARD_WIDTH_M, Layout, PlacedCard

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
    cards = []
    for placed in layout:
        named = placed
        if placed.card is None or placed.card in doubtful:
            place = _filled(placed, vacant)
            if place is not None:
                vacant.remove(place)
                named = replace(placed, card=place.card)
        cards.append(named)
    return Layout(tuple(cards))


def _filled(placed: PlacedCard, vacant: Collection[PlacedCard]) -> PlacedCard | None:
    """Return the vacant place that a card fills."""
    same_side = (place for place in vacant if place.side is placed.side)
    nearest = min(same_side, key=lambda place: distance_m(place, placed), default=None)
    return nearest if nearest is not None and distance_m(nearest, placed) <= IN_PLACE_M else None
