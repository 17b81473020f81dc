"""Faults that players of a simulated round commit, and what a referee should say about each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of fault."""

    flags: tuple[str, ...]  # ids, of which the referee should raise one
    text: str


FAMILIES: Final[Mapping[str, Family]] = MappingProxyType(
    {
        "wrong_month": Family(("wrong_month",), "a field card of another month was taken"),
        "extra_taken": Family(
            ("extra_card_taken", "wrong_month"), "a field card of another month was taken along"
        ),
        "one_of_three": Family(("took_one_of_three",), "three of the month lay there, only one was taken"),
        "both_of_two": Family(("took_both_of_two",), "two cards matched and both were taken"),
        "forgotten_hand": Family(("forgotten_capture",), "the played card's match was left on the field"),
        "forgotten_draw": Family(("forgotten_capture",), "the drawn card's match was left on the field"),
        "no_draw": Family(("no_draw",), "the turn ended without a drawn card"),
        "double_draw": Family(("drew_twice",), "two cards were drawn"),
        "two_hand_cards": Family(("two_hand_cards",), "two hand cards were played"),
        "wrong_strip": Family(("wrong_strip",), "captured cards were laid on another player's strip"),
        "vanished": Family(("card_vanished", "wrong_count"), "a field card was taken off the table"),
        "returned": Family(("card_returned",), "a captured card was laid back on the field"),
        "out_of_turn": Family(("out_of_turn",), "a player acted whose turn it was not"),
    }
)
