"""Tell play from tidying: whether a hand took the card it moved, or moved it elsewhere or set it straight.

A playing hand is fast. A card that it sweeps away leaves at the hand's speed; a card that it presses slides
and lies still again within a few hundredths of a second. A tidying hand comes to rest on a card, grips it and
takes it along, so card and hand set off together, from rest. No player is that slow, but a slow touch is a
touch. So a slow card counts as rearranged only if its owner has put it neatly into another place of his rows;
a struck card lies anywhere, at any angle. The officials decide the other slow cases. A brisk hand carries a
card as fast as a leisurely one plays; there, where the card ends up decides. After the play, or if there was
none, players square up their rows, which shows in when and how the cards move.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from statistics import median
from typing import TypeGuard

import numpy as np

from referee.facts import Gap, PoemStarted, Testimony, Touch, Unprovable
from referee.layout import CARD_WIDTH_M, Layout, PlacedCard, row_centre_y_m
from vision.contact.facts import STIRRED, Contact, Proof, supposed, unproven
from vision.contact.small_slides import AT_ONCE_NS
from vision.departures.departure import Departure
from vision.field.slots import Slot
from vision.hand_cues.speed import hand_velocity
from vision.launch.onset import WEAK
from vision.launch.strikes import Strike

_HIDDEN_NS = 100_000_000
"""Pressing hands lie on a card for 0.1 to 0.25 s; reaching for it, gripping and moving it takes longer."""
_LATE_NS = 2_000_000_000
"""The longest opening is six kana, read in about 1.1 s, and nobody needs more than 0.5 s to move after it."""
_SOONEST_NS = 200_000_000
"""Nobody who hears a poem's first sound reaches a card sooner; a card moved before was still being tidied."""
_ELSEWHERE_M = 0.6 * CARD_WIDTH_M  # a card nearer than this is in its old place, set straight or touched
UNSURE = 0.5  # confidence of a contact that may have been tidying
_TIDIED = "tidied"  # reason of a contact that was only tidying
_AFTER_PLAY = "after_play"  # reason of a contact after the play was over


class Manner(Enum):
    """The motion of a card that may not have been played."""

    SLOW = "slow"  # it was seen to set off slowly, or under a hand at rest
    HIDDEN = "hidden"  # it slid below a hand, at any speed
    CARRIED = "carried"  # its owner moved it alone, faster than a leisurely grip, slower than a sweep
    NUDGED = "nudged"  # it slid a little, as quickly as a pressed card
    IN_COMPANY = "in_company"
    """It was slow, but the same hand was on another card at once, as in a press or when squaring up a row."""


def manners_of(
    slots: Sequence[Slot],
    contacts: Sequence[tuple[Strike, Sequence[Contact]]],
    departures: Mapping[int, Departure],
) -> dict[int | None, Manner]:
    """Return the cards under hands that may not have been played, by card, and how they were moved.

    `contacts`: for each card that moved its motion, and the hands at it.
    """
    manners: dict[int | None, Manner] = {}
    for strike, found in contacts:
        if not found or found[0].side is None or found[0].proof not in {Proof.MOTION, *STIRRED}:
            continue
        slot, side = slots[strike.number], found[0].side
        together = [
            (other, hands)
            for other, hands in contacts
            if other is not strike and abs(other.onset.t_ns - strike.onset.t_ns) < AT_ONCE_NS
        ]
        # another card was seen to move quickly at the same instant, by the same press
        in_company = any(_hidden_ns(other) < _HIDDEN_NS for other, _ in together)
        manner = _manner(slot, strike, departures[strike.number], in_company=in_company)
        # the hand was on another card, too
        on_two = any(
            hands[0].side is side and hands[0].proof is Proof.MOTION for _, hands in together if hands
        )
        if manner is Manner.SLOW and on_two:
            manner = Manner.IN_COMPANY
        elif manner is Manner.CARRIED and (on_two or side is not slot.side):
            manner = None
        if manner is not None:
            manners[slot.card] = manner
    return manners


def _hidden_ns(strike: Strike) -> float:
    return strike.onset.latest_ns - strike.onset.earliest_ns


def _manner(slot: Slot, strike: Strike, departure: Departure, *, in_company: bool) -> Manner | None:
    if departure.final_shift_px is not None and not departure.left:
        return Manner.NUDGED if _hidden_ns(strike) < _HIDDEN_NS or in_company else Manner.HIDDEN
    flight = strike.flight
    mps = 0.0 if flight is None else float(np.hypot(*flight.velocity_px)) / slot.px_per_mm
    # Sweeping hands move at 0.7 m/s and more; a hand that has gripped a card sets off from rest.
    plays_mps = 0.5
    if flight is None or flight.strength < WEAK or mps <= plays_mps:  # as slow as the hand that moved it
        velocity = hand_velocity(slot, departure)
        mps = math.inf if velocity is None else float(np.hypot(*velocity)) / slot.px_per_mm
        if mps < plays_mps:
            return Manner.SLOW
    # A brisk hand that has gripped a card takes it elsewhere in a third of a second, at first half as fast.
    carries_mps = 1.5
    return Manner.CARRIED if mps < carries_mps else None


def told_apart(
    facts: Sequence[Testimony],
    manners: Mapping[int | None, Manner],
    start: PoemStarted,
    before: Layout,
    after: Layout,
) -> list[Testimony]:
    """Return a poem's facts, with tidied cards reported as such and doubtful ones with low confidence.

    Parameters
    ----------
    facts : contacts, what cannot be proven, and gaps.
    manners : how cards were moved that may not have been played.
    start : the poem being read. A player who has heard it and moves its card takes it, however slowly.
    before, after : the field before the poem, and as it lies now; empty if it could not be read.
    """
    # a card that a hand may have moved a little may have been tidied as well
    told = _told_apart([supposed(fact, UNSURE) for fact in facts], manners, start, before, after)
    return [
        was if isinstance(now, Touch) and isinstance(was, Unprovable) else now
        for was, now in zip(facts, told, strict=True)
    ]


def _told_apart(
    facts: Sequence[Testimony],
    manners: Mapping[int | None, Manner],
    start: PoemStarted,
    before: Layout,
    after: Layout,
) -> list[Testimony]:
    over_ns = _over_ns(facts, start, before)
    is_unplayed = is_dead(start.poem, [placed.card for placed in before])
    told: list[Testimony] = []
    for fact in facts:
        if not isinstance(fact, Gap) and fact.card != start.poem and fact.earliest_ns > over_ns:
            now: Testimony = unproven(fact, _AFTER_PLAY)
        elif isinstance(fact, Touch) and fact.card in manners:
            now = _told(fact, manners[fact.card], start, before, after)
        else:
            now = fact
        if isinstance(now, Touch) and _may_be_set_straight(now, manners, start, before):
            now = unproven(now, _TIDIED) if is_unplayed else _doubted(now)
        told.append(now)
    return told


def _over_ns(facts: Sequence[Testimony], start: PoemStarted, before: Layout) -> float:
    """Return the instant after which nobody plays: well after the take, or a dead poem's last touch."""
    touches = [fact for fact in facts if isinstance(fact, Touch)]
    # `late_ns` after the take: of 1701 takes none was followed by a touch later than 0.27 s. `dead_over_ns`
    # after a touch in a dead poem: in 235 such poems successive touches were at most 0.78 s apart, and a
    # player who sent a card or laid one back moved it 0.86 s after the last touch at the soonest. A card that
    # is moved later is tidied, or was moved before.
    late_ns, dead_over_ns = 600_000_000, 800_000_000
    if not is_dead(start.poem, [placed.card for placed in before]):
        takes_ns = (touch.latest_ns for touch in touches if touch.card == start.poem)
        return min(takes_ns, default=math.inf) + late_ns
    over_ns = math.inf
    for touch in sorted(touches, key=lambda touch: touch.earliest_ns):
        if is_play(touch, start) and touch.earliest_ns <= over_ns:
            over_ns = touch.latest_ns + dead_over_ns
    return over_ns


def is_dead(poem: int, cards: Collection[int | None]) -> bool:
    """Tell whether a poem's card is certainly not on the field; None is a card that was not read."""
    return len(cards) > 0 and poem not in cards and None not in cards


def _may_be_set_straight(
    touch: Touch, manners: Mapping[int | None, Manner], start: PoemStarted, before: Layout
) -> bool:
    """Tell whether a card was moved a little, late, by its owner, and is not the one that was read."""
    placed = None if touch.card is None else before.find(touch.card)
    if manners.get(touch.card) in (None, Manner.CARRIED) or placed is None or touch.card == start.poem:
        return False
    return placed.side is touch.player and touch.earliest_ns - start.t_ns > _LATE_NS


def _told(touch: Touch, manner: Manner, start: PoemStarted, before: Layout, after: Layout) -> Testimony:
    early = is_early(touch, start)
    if touch.card == start.poem and not early:
        return touch
    rearranged = is_rearranged(touch, before, after)
    if (manner is Manner.SLOW and (early or rearranged)) or (manner is Manner.CARRIED and rearranged):
        return unproven(touch, _TIDIED)
    if manner in (Manner.CARRIED, Manner.NUDGED):
        return touch
    may_be_played = manner in (Manner.HIDDEN, Manner.IN_COMPANY)
    in_time = not early and touch.t_ns < start.t_ns + _LATE_NS
    return touch if may_be_played and in_time else _doubted(touch)


def _doubted(touch: Touch) -> Touch:
    return replace(touch, confidence=min(touch.confidence, UNSURE))


def may_be_carried(
    manners: Mapping[int | None, Manner], facts: Sequence[Testimony], start: PoemStarted
) -> bool:
    """Tell whether it matters where a card lies now, because somebody may have put it there.

    A player who has just taken the poem's card carries no other one. See `told_apart` for the parameters.
    """
    taken = any(isinstance(fact, Touch) and fact.card == start.poem for fact in facts)
    telling = {Manner.SLOW} if taken else {Manner.SLOW, Manner.CARRIED}
    return any(manner in telling for card, manner in manners.items() if card != start.poem)


def soonest_ns(start: PoemStarted) -> int:
    """Return the instant before which nobody who has heard a poem can have reached a card."""
    return start.t_ns + _SOONEST_NS


def is_early(fact: Touch | Unprovable, start: PoemStarted) -> bool:
    """Tell whether a card was moved too soon for a player who heard the poem."""
    return fact.latest_ns < soonest_ns(start)


def is_play(fact: Testimony, start: PoemStarted) -> bool:
    """Tell whether a fact is a contact that came after the poem and does not look like tidying."""
    return isinstance(fact, Touch) and fact.confidence > UNSURE and not is_early(fact, start)


def is_tidied(fact: Testimony) -> TypeGuard[Unprovable]:
    """Tell whether a fact is about a card that was only put elsewhere."""
    return isinstance(fact, Unprovable) and fact.reason == _TIDIED


def is_rearranged(touch: Touch, before: Layout, after: Layout) -> bool:
    """Tell whether the owner has put a touched card neatly into another place of his rows."""
    if touch.card is None:
        return False
    was, now = before.find(touch.card), after.find(touch.card)
    if was is None or now is None or not touch.player is was.side is now.side or not now.faces_owner:
        return False
    if float(np.hypot(now.x_m - was.x_m, now.y_m - was.y_m)) < _ELSEWHERE_M:
        return False
    row_m = 0.004  # hands lay cards along a row at least this exactly
    square_rad = 0.07
    return abs(now.angle_rad) < square_rad and abs(now.y_m - _row_y_m(now, after)) < row_m


def _row_y_m(placed: PlacedCard, layout: Layout) -> float:
    """Return the y of a card's row: that of the nearest cards in it, else its place by the rules.

    The mean of the whole row would be wrong if a knocked camera sees the field turned: at half a degree the
    row's ends are 8 mm apart.
    """
    row = [one for one in layout.of(placed.side) if one.row == placed.row and one is not placed]
    row.sort(key=lambda one: abs(one.x_m - placed.x_m))
    neighbours = 3  # cards that tell where the row lies beside the card
    return median(one.y_m for one in row[:neighbours]) if row else row_centre_y_m(placed.side, placed.row)
