"""Telling whether a card came from the stock, by when the stock was visited and how long the arm took."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from desk.koikoi.scribe.appearances import COLLECTING_MS, Appearance

DETOUR: Final = 2.0
"""The way over the stock takes at least this many times as long as the way straight from the hand."""
_SHORTEST: Final = 0.75
"""Part of the hand card's time; a shorter time is wrong, because the arm only crossed an earlier card."""
_TWO_DRAWS_MS: Final = 1500.0
"""Shortest time from the first movement over the stock until a second card is turned up, if the first one
takes another: it is turned up and laid on its match, and both are brought to the pile in between."""
_FROM_PILE_MS: Final = 900.0
"""Shortest time from bringing a capture to the pile until a card that is then turned up is laid down."""


def from_stock(card: Appearance, turn: Sequence[Appearance], turned: Appearance | None = None) -> bool:
    """Tell whether a card of a turn may come from the stock; the turn's first card came from the hand.

    The arm of a player behind the stock crosses it with every card, so the time of the way decides. An arm
    that turns up a card lies over the player's pile, so cards just laid there seem to come with it.
    """
    hand = turn[0]
    if (turned is not None and not leaves_time(card, turned)) or _came_from_pile(card, hand):
        return False
    if hand.reach_ms is None:
        return card.at_stock and not any(_was_quicker(card, later) for later in turn)
    way_ms, least_ms = card.reach_ms, DETOUR * hand.reach_ms
    if way_ms is None or way_ms < _SHORTEST * hand.reach_ms:
        way_ms = None if card.stock_ms is None else card.t_ms - card.stock_ms
        if card.look_ms - card.t_ms >= COLLECTING_MS:
            least_ms = hand.reach_ms  # it was captured at once, and its time is an estimate
    return card.at_stock and (way_ms is None or way_ms > least_ms)


def _came_from_pile(card: Appearance, hand: Appearance) -> bool:
    """Tell whether a card was laid down too soon after a capture to come from the stock."""
    if hand.piled_ms is None or hand.look_ms != card.look_ms:
        return False
    return 0 <= card.t_ms - hand.piled_ms < _FROM_PILE_MS


def _was_quicker(card: Appearance, later: Appearance) -> bool:
    """Tell whether a card took less time than a later card of its turn needed from the stock.

    For a card that was turned up, the time of turning it alone is known.
    """
    if card.reach_ms is None or later.look_ms <= card.look_ms or not later.at_stock:
        return False
    if later.drawn:
        return later.stock_ms is not None and card.reach_ms < later.t_ms - later.stock_ms
    return later.reach_ms is not None and DETOUR * card.reach_ms < later.reach_ms


def leaves_time(card: Appearance, turned: Appearance) -> bool:
    """Tell whether there was time to draw a card besides one that was turned up before the same look."""
    if card.look_ms != turned.look_ms or turned.stock_ms is None or card.reach_ms is not None:
        return True
    return turned.t_ms - turned.stock_ms > _TWO_DRAWS_MS


def lay_before(card: Appearance, turned: Appearance) -> bool:
    """Tell whether a card was put down before another was turned up."""
    if not card.drawn and not leaves_time(card, turned):
        return True
    return card.look_ms < turned.look_ms or (card.certain and card.t_ms < turned.t_ms)
