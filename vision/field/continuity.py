"""Carry over from one settled layout to the next: names, and cards that are hidden for now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import compress

import numpy as np

from referee.layout import CARD_WIDTH_M, HALF_DEPTH_M, HALF_WIDTH_M, Layout, PlacedCard
from vision.field.layout_reader import LayoutReading

_SAME_PLACE_M = 0.008
"""A card this close to an earlier card, in metres, whose face still shows the same picture, is that card."""
_MOST_STAY = 0.4  # from one poem to the next at least this share of the cards stays in place


def carried_over(
    before: LayoutReading, now: LayoutReading, in_place: Sequence[bool], given: Collection[int] = ()
) -> LayoutReading:
    """Complete a new reading with what has visibly not changed on the field.

    Returns: `now`, with two additions: a card that could not be named keeps its former name, and a card that
    was missed (because a hand or a sleeve covers part of it) keeps its place if its face is still seen there.

    `in_place`: for each card of `before`, whether its own face is still seen where it lay. `given`: names of
    `before` that a person gave; they hold whatever the face is read as.
    """
    cards = list(now.layout)
    corners, confidences = list(now.corners_px), list(now.confidences)
    named = {placed.card for placed in cards if placed.card is not None}
    read_again = [stayed for old, stayed in zip(before.layout, in_place, strict=True) if old.card in named]
    if sum(read_again) < _MOST_STAY * len(read_again):
        # Nearly all faces are gone from their places and can be read elsewhere: the camera was knocked, and a
        # face that still seems to be in place is a chance likeness.
        return _with_names_given(before, now, given)
    for old, old_corners, old_confidence, stayed in zip(
        before.layout, before.corners_px, before.confidences, in_place, strict=True
    ):
        if not stayed or old.card is None or old.card in named:
            continue
        nearest = min(range(len(cards)), key=lambda number: _distance_m(cards[number], old), default=None)
        if nearest is not None and _distance_m(cards[nearest], old) < _SAME_PLACE_M:
            if cards[nearest].card is None or old.card in given:
                named.discard(cards[nearest].card or 0)
                cards[nearest] = replace(cards[nearest], card=old.card, faces_owner=old.faces_owner)
                confidences[nearest] = old_confidence
                named.add(old.card)
        elif nearest is None or _distance_m(cards[nearest], old) > CARD_WIDTH_M / 2:
            cards.append(old)
            corners.append(np.asarray(old_corners))
            confidences.append(old_confidence)
            named.add(old.card)
    return LayoutReading(Layout(tuple(cards)), now.geometry, tuple(corners), tuple(confidences))


def without_taken(now: LayoutReading, taken: Collection[int]) -> LayoutReading:
    """Return a layout without the cards that were touched in earlier poems and lie outside the field now.

    A player who takes a card lays it down beside himself. A card that was thrown out by accident counts as
    missing.
    """
    stays = [
        placed.card not in taken or (abs(placed.x_m) <= HALF_WIDTH_M and abs(placed.y_m) <= HALF_DEPTH_M)
        for placed in now.layout
    ]
    if all(stays):
        return now
    return LayoutReading(
        Layout(tuple(compress(now.layout, stays))),
        now.geometry,
        tuple(compress(now.corners_px, stays)),
        tuple(compress(now.confidences, stays)),
    )


def with_name(reading: LayoutReading, place: int, card: int | None) -> LayoutReading:
    """Return a layout with a name at one place; any other card with this name loses it."""
    cards = tuple(
        replace(placed, card=card if number == place else None if placed.card == card else placed.card)
        for number, placed in enumerate(reading.layout)
    )
    return replace(reading, layout=Layout(cards))


def _with_names_given(before: LayoutReading, now: LayoutReading, given: Collection[int]) -> LayoutReading:
    """Restore the names given by a person to the same cards if a knocked camera shows them as before."""
    again = {placed.card: placed for placed in now.layout if placed.card is not None}
    both = [(old, again[old.card]) for old in before.layout if old.card in again]
    if not both:
        return now
    shifts_m = np.array([(new.x_m - old.x_m, new.y_m - old.y_m) for old, new in both])
    shift_m = np.median(shifts_m, axis=0)
    if np.mean(np.linalg.norm(shifts_m - shift_m, axis=1) < _SAME_PLACE_M) < _MOST_STAY:
        return now
    cards = list(now.layout)
    for old in before.layout:
        if old.card is None or old.card not in given or old.card in again:
            continue
        there = replace(old, x_m=old.x_m + float(shift_m[0]), y_m=old.y_m + float(shift_m[1]))
        nearest = min(range(len(cards)), key=lambda number: _distance_m(cards[number], there))
        if _distance_m(cards[nearest], there) < _SAME_PLACE_M:
            cards[nearest] = replace(cards[nearest], card=old.card, faces_owner=old.faces_owner)
    return replace(now, layout=Layout(tuple(cards)))


def _distance_m(one: PlacedCard, other: PlacedCard) -> float:
    return float(np.hypot(one.x_m - other.x_m, one.y_m - other.y_m))
