"""Whether a card of a turn came from the stock: when the stock was visited, and how long the way took."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from desk.koikoi.scribe.appearances import COLLECTING_MS, Appearance

DETOUR: Final = 2.0
"""The way over the stock takes so many times as long, at the least, as that straight from the hand."""
_SHORTEST: Final = 0.75
"""Of the hand card's way: a shorter one is none; the arm had only crossed what seemed to be laid before."""
_TWO_DRAWS_MS: Final = 1500.0
"""From the first move over the stock until the second card is turned up, at the least, where the first one
takes another: it is turned up, laid on its match, and both are brought to the pile before."""
_FROM_PILE_MS: Final = 900.0
"""From bringing a capture to the pile until a card of the stock, turned up after that, is laid down, at the
least."""


def from_stock(card: Appearance, turn: Sequence[Appearance], turned: Appearance | None = None) -> bool:
    """Tell whether a card of a turn may come from the stock, given that the turn's first came from the hand.

    The arm of who sits behind the stock crosses it with every card: then the way there and back tells. An arm
    that turns a card up lies over the own pile: then what has just come there seems to have come with it.
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
            least_ms = hand.reach_ms  # it was captured at once, and when it was laid down is reckoned
    return card.at_stock and (way_ms is None or way_ms > least_ms)


def _came_from_pile(card: Appearance, hand: Appearance) -> bool:
    """Tell whether a card was laid down so soon after a capture that he cannot have been at the stock."""
    if hand.piled_ms is None or hand.look_ms != card.look_ms:
        return False
    return 0 <= card.t_ms - hand.piled_ms < _FROM_PILE_MS


def _was_quicker(card: Appearance, later: Appearance) -> bool:
    """Tell whether a card was laid down sooner than a later one of its turn can have come from the stock.

    Of one that was turned up it is known how long that alone took.
    """
    if card.reach_ms is None or later.look_ms <= card.look_ms or not later.at_stock:
        return False
    if later.drawn:
        return later.stock_ms is not None and card.reach_ms < later.t_ms - later.stock_ms
    return later.reach_ms is not None and DETOUR * card.reach_ms < later.reach_ms


def leaves_time(card: Appearance, turned: Appearance) -> bool:
    """Tell whether a card may have been drawn beside one that was turned up before the same look."""
    if card.look_ms != turned.look_ms or turned.stock_ms is None or card.reach_ms is not None:
        return True
    return turned.t_ms - turned.stock_ms > _TWO_DRAWS_MS


def lay_before(card: Appearance, turned: Appearance) -> bool:
    """Tell whether a card was put down before another was turned up."""
    if not card.drawn and not leaves_time(card, turned):
        return True
    return card.look_ms < turned.look_ms or (card.certain and card.t_ms < turned.t_ms)
