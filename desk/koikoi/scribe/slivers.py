"""Slivers in a pile that were taken for cards just put down but are other cards of the pile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desk.koikoi.scribe.appearances import Appearance, newly_taken
from desk.koikoi.scribe.look import Cards, Look
from referee.koikoi.piles import month_of


def is_slip(new: Appearance, turn: Sequence[Appearance], before: Look, look: Look, seat: int) -> bool:
    """Tell whether a sliver that seems new after the turn of `seat` may be a card of its pile.

    It is a new card if a card of its month has just been taken.
    """
    if not new.sliver or new.certain or seat not in new.seats:
        return False
    own = {month_of(card.card) for card in turn}
    taken = set(map(month_of, newly_taken(before, look, seat))) - own
    return month_of(new.card) not in taken and new.may_be(look.captures[seat])


def misread(
    turn: Sequence[Appearance], latest: Look, look: Look, seat: int
) -> Iterator[tuple[Appearance, Cards]]:
    """Yield misread slivers of a turn, each with the cards of its month that are read now instead.

    These are empty if the card itself lies in the middle and `seat` was not at the table: then somebody else
    laid it there, and it was in no pile.

    `turn`: the cards of the turn of `seat`, which has begun.
    """
    new = look.captures[seat] & look.slivers - latest.cards
    for card in turn:
        if not card.sliver or card.certain:
            continue
        same = frozenset(other for other in new if month_of(other) == month_of(card.card))
        if card.card in look.middle and seat not in look.seats:
            yield card, frozenset()
        elif same and card.card not in look.cards:
            new -= same
            yield card, same
