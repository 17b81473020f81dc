"""Suppose what became of the cards of a poem while hands are still over the field."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from vision.departures.departure import Departure
from vision.departures.outcome import End, Ending, have_moved


@dataclass(frozen=True, slots=True, eq=False)
class Supposition:
    """Suppositions about the cards that are not seen in their places, by slot number.

    Attributes
    ----------
    moved : cards that seem to have moved.
    hidden : cards that something lies over; they may have moved with the others.
    doubted : cards of `moved` that something lies over and whose bare place nobody has seen.
    """

    moved: dict[int, Departure]
    hidden: dict[int, Departure]
    doubted: set[int]


def suppose(
    guesses: Mapping[int, Ending],
    departures: Mapping[int, Departure],
    covered: Collection[int],
    now_ns: int,
    px_per_mm: float,
    *,
    hands_left: bool,
    leaving: Callable[[Mapping[int, Departure]], Collection[int]],
) -> Supposition:
    """Suppose what became of the cards that are not seen in their places, and note it in their departures.

    Parameters
    ----------
    guesses, departures : the guessed endings so far, and how the cards went.
    covered : the slot numbers of cards that a hand covers, if only in part.
    now_ns : the instant of the latest picture.
    px_per_mm : scale of the picture.
    hands_left : whether nothing reaches over the field any more, so that no doubt remains.
    leaving : returns those of the hidden cards that are known to have been seen on their way.
    """
    hands = may_be_hands(guesses, departures, set() if hands_left else covered)
    passed = hands if hands_left else _passed_over(guesses, departures, hands)
    ends = dict(guesses) | {number: Ending(End.HIDDEN) for number in passed}
    moved = have_moved(ends, departures, now_ns, px_per_mm)
    doubted = {number for number, one in moved.items() if not (one.proven or one.shown_gone_ns)}
    hidden: dict[int, Departure] = {}
    for number, departure in departures.items():
        if number not in moved and (number not in ends or ends[number].end is not End.IN_PLACE):
            departure.settled_ns, departure.final_shift_px = now_ns, None
            hidden[number] = departure
    for number in leaving(hidden):
        moved[number] = hidden.pop(number)
    if hands_left:
        return Supposition(moved, {}, set())
    # a card that has just vanished mostly flew off; one that is not seen for longer mostly lies under a hand
    soon_ns = 200_000_000
    for number, departure in list(hidden.items()):
        gone_ns = departure.seen_gone_ns
        if gone_ns is not None and now_ns - gone_ns < soon_ns and number not in passed:
            moved[number] = hidden.pop(number)
            doubted.add(number)
    return Supposition(moved, hidden, doubted)


def may_be_hands(
    ends: Mapping[int, Ending], departures: Mapping[int, Departure], covered: Collection[int]
) -> set[int]:
    """Return the cards that seem gone but may lie below a hand that looks like the floor.

    See `suppose` for the parameters.
    """
    return {
        number
        for number, one in departures.items()
        if number in ends
        and ends[number].end is End.GONE
        and ((number in covered and not one.bared) or one.may_be_veiled)
    }


def _passed_over(
    ends: Mapping[int, Ending], departures: Mapping[int, Departure], hands: Collection[int]
) -> set[int]:
    """Return those of the cards of `may_be_hands` that were covered only after others had left.

    A hand on its way out hides one card after another; cards that it struck were hidden together.
    """
    left_ns = [
        departures[number].still_ns
        for number in ends.keys() - hands
        if departures[number].seen_gone_ns is not None
    ]
    together_ns = 30_000_000  # a sweeping hand hides all cards that it strikes within this time
    latest_ns = max(left_ns, default=0) + together_ns
    return {number for number in hands if departures[number].still_ns > latest_ns}
