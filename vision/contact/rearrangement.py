"""Played or tidied: whether the hand that moved a card took it, or only put it elsewhere or set it straight.

A hand that plays is fast. What it sweeps away leaves at the hand's speed, and what it presses has slid and
lies still again within a few hundredths of a second. A hand that tidies comes to rest on a card, grips it and
takes it along: card and hand set off together, from rest. Nobody who plays is so slow, but a slow touch is a
touch: only a card that its owner has put neatly into another place of his rows was rearranged, for a struck
card lies anywhere, in any direction. What is slow and not that is left to the officials. A brisk hand carries
a card as fast as a leisurely one plays: where that card lies in the end tells them apart. Once the play is
over, or where it never began, players square up their rows: that is told by when and how their cards move.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from itertools import pairwise
from statistics import median
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from referee.facts import Gap, PoemStarted, Testimony, Touch, Unprovable
from referee.layout import CARD_WIDTH_M, Layout, PlacedCard, row_centre_y_m
from referee.sides import Side
from vision.contact.contact import Contact, Proof
from vision.departures.departure import Departure
from vision.field.slots import Sight, Slot
from vision.hand_cues.speed import hand_velocity
from vision.launch.onset import WEAK
from vision.launch.strikes import Strike

_HIDDEN_NS = 100_000_000
"""Pressing hands lie on a card for 0.1 to 0.25 s; who reaches for it, grips and moves it takes longer."""
_LATE_NS = 2_000_000_000
"""The longest opening is six kana, read in about 1.1 s, and nobody needs more than half a second to move."""
_SOONEST_NS = 200_000_000
"""Nobody hears a poem's first sound and has reached a card in less: its tidying was not over."""
_TOGETHER_NS = 25_000_000  # a hand that presses several cards moves them within this time
_ELSEWHERE_M = 0.6 * CARD_WIDTH_M  # a card that is nearer lies in its old place, set straight or touched
_UNSURE = 0.5  # confidence of a contact that may have been tidying
_TIDIED = "tidied"  # reason of what would have been a contact, had the card been played
_AFTER_PLAY = "after_play"  # and had the play not been over


class Manner(Enum):
    """How a card was moved that may not have been played."""

    SLOW = "slow"
    """It was seen to set off slowly, or under a hand at rest."""
    LONG_HIDDEN = "long_hidden"
    """It slid below a hand that lay on it longer than who plays."""
    HIDDEN = "hidden"
    """It slid below a hand, at any speed."""
    CARRIED = "carried"
    """Its owner moved it alone, faster than who grips a card at leisure, slower than who sweeps one away."""
    NUDGED = "nudged"
    """It slid to nearby, as quickly as one that is pressed."""
    IN_COMPANY = "in_company"
    """It was slow, but the same hand was on another card at once: so one presses, or sets a row straight."""


def manners_of(
    slots: Sequence[Slot],
    contacts: Sequence[tuple[Strike, Sequence[Contact]]],
    departures: Mapping[int, Departure],
    sights: Mapping[int, Sequence[Sight]],
) -> dict[int | None, Manner]:
    """Return the cards under hands that may not have been played, and how they were moved.

    Parameters
    ----------
    slots : where the cards lay.
    contacts : for each card that moved its motion, and the hands at it.
    departures : the pictures around the beginning of its motion, by the number of its slot.
    sights : what each frame showed of it, in order of time.
    """
    strikes = [strike for strike, _ in contacts]
    played = [(strike, found[0].side) for strike, found in contacts if _is_seen_to_play(strike, found)]
    manners = {}
    for strike, found in contacts:
        number = strike.number
        if found and found[0].proof is Proof.MOTION:
            manner = _manner(slots[number], strike, strikes, departures[number], sights[number])
            if manner is Manner.LONG_HIDDEN and _is_played_meanwhile(slots, strike, found[0].side, played):
                manner = Manner.HIDDEN
            if manner in (Manner.SLOW, Manner.CARRIED) and _touched_another(strike, found[0].side, contacts):
                manner = Manner.IN_COMPANY if manner is Manner.SLOW else None
            if manner is Manner.CARRIED and found[0].side is not slots[number].side:
                manner = None
            if manner is not None:
                manners[slots[number].card] = manner
    return manners


def _manner(
    slot: Slot, strike: Strike, strikes: Sequence[Strike], departure: Departure, sights: Sequence[Sight]
) -> Manner | None:
    final = departure.final_shift_px
    if final is not None and not departure.left:
        if _slid_slowly(strike, final / max(float(final @ final), 1e-6), sights):
            return Manner.SLOW
        hidden_ns = strike.onset.latest_ns - strike.onset.earliest_ns
        if hidden_ns < _HIDDEN_NS or _has_company(strike, strikes):
            return Manner.NUDGED
        long_hidden_ns = 300_000_000
        return Manner.LONG_HIDDEN if hidden_ns > long_hidden_ns else Manner.HIDDEN
    flight = strike.flight
    mps = 0.0 if flight is None else float(np.hypot(*flight.velocity_px)) / slot.px_per_mm
    # Sweeping hands move at 0.7 metres a second and more; one that has gripped a card sets off from rest.
    plays_mps = 0.5
    if flight is None or flight.strength < WEAK or mps <= plays_mps:  # as slow as the hand that moved it
        velocity = hand_velocity(slot, departure)
        mps = math.inf if velocity is None else float(np.hypot(*velocity)) / slot.px_per_mm
        if mps < plays_mps:
            return Manner.SLOW
    # A brisk hand that has gripped a card takes it elsewhere in a third of a second, half as fast at first.
    carries_mps = 1.5
    return Manner.CARRIED if mps < carries_mps else None


def _is_seen_to_play(strike: Strike, found: Sequence[Contact]) -> bool:
    """Tell whether it was seen how a hand moved a card, and whose it was."""
    seen = strike.onset.latest_ns - strike.onset.earliest_ns < _HIDDEN_NS
    least_sure = 0.9
    return seen and bool(found) and found[0].proof is Proof.MOTION and found[0].confidence > least_sure


def _touched_another(
    strike: Strike, side: Side, contacts: Sequence[tuple[Strike, Sequence[Contact]]]
) -> bool:
    """Tell whether a player's hand was on another card as well when it moved one."""
    return any(
        other is not strike
        and abs(other.onset.t_ns - strike.onset.t_ns) < _TOGETHER_NS
        and found[0].side is side
        and found[0].proof is Proof.MOTION
        for other, found in contacts
        if found
    )


def _is_played_meanwhile(
    slots: Sequence[Slot], strike: Strike, side: Side, played: Sequence[tuple[Strike, Side]]
) -> bool:
    """Tell whether a player's hand struck other cards far away while something lay over a card.

    Then no hand lay there for so long, but an arm that passed over it.
    """
    slot = slots[strike.number]
    far_mm = 200.0  # a hand is less long
    return any(
        who is side
        and strike.onset.earliest_ns < other.onset.t_ns < strike.onset.latest_ns
        and float(np.hypot(*(slots[other.number].centre_px - slot.centre_px))) > far_mm * slot.px_per_mm
        for other, who in played
    )


def _slid_slowly(strike: Strike, along: NDArray[np.float64], sights: Sequence[Sight]) -> bool:
    """Tell whether a card near its place was seen sliding on when a pressed one has come to rest."""
    agreeing = 3  # blocks, in which a slide must be seen
    looks = [(sight.t_ns - strike.onset.t_ns, sight) for sight in sights if sight.seen >= agreeing]
    shares = []
    looks_ns, look_unc_ns = (-10_000_000, 45_000_000, 95_000_000), 17_000_000
    for since_ns in looks_ns:
        near = min(looks, key=lambda look: abs(look[0] - since_ns), default=None)
        if near is None or abs(near[0] - since_ns) > look_unc_ns:
            return False  # a hand hides it
        shares.append(float(near[1].shift_px @ along))
    first, second = shares[1] - shares[0], shares[2] - shares[1]
    # A pressed card lies still again by the second look, see `launch.onset`; one that is set straight takes
    # some tenths of a second, and goes by the third about as far again.
    goes_on, least_share = 0.6, 0.2
    return second > max(goes_on * first, least_share)


def _has_company(strike: Strike, strikes: Sequence[Strike]) -> bool:
    """Tell whether another card was seen to be moved in an instant when this one was: by the same press."""
    return any(
        other is not strike
        and abs(other.onset.t_ns - strike.onset.t_ns) < _TOGETHER_NS
        and other.onset.latest_ns - other.onset.earliest_ns < _HIDDEN_NS
        for other in strikes
    )


def told_apart(
    facts: Sequence[Testimony],
    manners: Mapping[int | None, Manner],
    start: PoemStarted,
    before: Layout,
    after: Layout,
) -> list[Testimony]:
    """Return a poem's facts with what was tidied told as that, and with doubt where it may have been.

    Parameters
    ----------
    facts : contacts, what cannot be proven, and gaps.
    manners : how cards were moved that may not have been played.
    start : the poem being read. Whoever has heard it and moves its card takes it, however slowly.
    before, after : the field before it, and as it lies now; empty where it could not be read.
    """
    over_ns = _over_ns(facts, start, before)
    told: list[Testimony] = []
    for fact in facts:
        if not isinstance(fact, Gap) and fact.card != start.poem and fact.earliest_ns > over_ns:
            told.append(Unprovable(fact.card, fact.player, fact.t_ns, fact.t_unc_ns, _AFTER_PLAY))
        elif isinstance(fact, Touch) and fact.card in manners:
            told.append(_told(fact, manners[fact.card], start, before, after))
        else:
            told.append(fact)
    touches = [fact for fact in told if isinstance(fact, Touch)]
    straight = [touch for touch in touches if _may_be_set_straight(touch, manners, start, before)]
    if len(straight) == len(touches):  # nobody plays, or one who touched nothing but cards of his own
        rows = [touch for touch in straight if _squares(touch.player, straight)]
        told = [_tidied(fact) if isinstance(fact, Touch) and fact in rows else fact for fact in told]
    late = [touch for touch in straight if _came_ns(touch, start) > _LATE_NS]
    if is_dead(start.poem, _names(before)):
        surely = [touch for touch in late if _is_surely_late(touch, manners[touch.card], start)]
        told = [_tidied(fact) if isinstance(fact, Touch) and fact in surely else fact for fact in told]
    tidied_ns = [fact.t_ns for fact in told if is_tidied(fact)]
    return [
        _straightened(fact, tidied_ns) if isinstance(fact, Touch) and fact in late else fact for fact in told
    ]


def _is_surely_late(touch: Touch, manner: Manner, start: PoemStarted) -> bool:
    """Tell whether nobody can have played so late; the sooner, the longer a hand lay there."""
    surely_late_ns = 3_000_000_000  # after the first sound of a poem whose card is not on the field
    return _came_ns(touch, start) > (_LATE_NS if manner is Manner.LONG_HIDDEN else surely_late_ns)


def _came_ns(touch: Touch, start: PoemStarted) -> int:
    """Return how long after a poem's first sound a hand came to a card, at the soonest."""
    return touch.earliest_ns - start.t_ns


def _straightened(touch: Touch, tidied_ns: Sequence[int]) -> Testimony:
    """Return what an own card is that was moved by little, and late: amid tidying it was set straight."""
    amid_ns = 2_000_000_000  # what is set straight so soon before or after a card is put elsewhere is tidied
    amid = any(abs(t_ns - touch.t_ns) < amid_ns for t_ns in tidied_ns)
    return _tidied(touch) if amid else _doubted(touch)


def _over_ns(facts: Sequence[Testimony], start: PoemStarted, before: Layout) -> float:
    """Return when nobody plays any more: long after the poem's card was taken, or a dead poem's touches."""
    touches = [fact for fact in facts if isinstance(fact, Touch)]
    # By so long after the read card was taken nobody plays any more: of 1701 takes none was followed by a
    # touch later than 0.27 s. Nor by so long after a touch where the read card is not on the field: in 235
    # such poems no two touches in turn were farther apart than 0.78 s, and whoever sent a card or laid one
    # back moved it 0.86 s after the last touch at the soonest. What is moved then is tidied, or was moved
    # before.
    late_ns, dead_over_ns = 600_000_000, 800_000_000
    if not is_dead(start.poem, _names(before)):
        takes_ns = (touch.latest_ns for touch in touches if touch.card == start.poem)
        return min(takes_ns, default=math.inf) + late_ns
    over_ns = math.inf
    for touch in sorted(touches, key=lambda touch: touch.earliest_ns):
        if is_play(touch, start) and touch.earliest_ns <= over_ns:
            over_ns = touch.latest_ns + dead_over_ns
    return over_ns


def is_dead(poem: int, cards: Collection[int | None]) -> bool:
    """Tell whether a poem's card is for sure not among those on the field; None is one that was not read."""
    return len(cards) > 0 and poem not in cards and None not in cards


def _names(layout: Layout) -> list[int | None]:
    return [placed.card for placed in layout]


def _may_be_set_straight(
    touch: Touch, manners: Mapping[int | None, Manner], start: PoemStarted, before: Layout
) -> bool:
    """Tell whether a card was moved by its owner, by little, and is not the one that was read."""
    placed = None if touch.card is None else before.find(touch.card)
    if manners.get(touch.card) in (None, Manner.CARRIED) or placed is None or touch.card == start.poem:
        return False
    return placed.side is touch.player and not is_early(touch, start)


def _squares(player: Side | None, straight: Sequence[Touch]) -> bool:
    """Tell whether a player moves his cards one after the other: one press moves all its cards at once."""
    times_ns = sorted(touch.t_ns for touch in straight if touch.player is player)
    squared_cards, next_ns = 3, 250_000_000  # own cards moved one after the other: a row is squared up
    return sum(after - before > next_ns for before, after in pairwise(times_ns)) >= squared_cards - 1


def _told(touch: Touch, manner: Manner, start: PoemStarted, before: Layout, after: Layout) -> Testimony:
    early = is_early(touch, start)
    if touch.card == start.poem and not early:
        return touch
    rearranged = is_rearranged(touch, before, after)
    if (manner is Manner.SLOW and (early or rearranged)) or (manner is Manner.CARRIED and rearranged):
        return _tidied(touch)
    if manner in (Manner.CARRIED, Manner.NUDGED):
        return touch
    may_be_played = manner in (Manner.HIDDEN, Manner.IN_COMPANY)
    if may_be_played and not early and touch.t_ns < start.t_ns + _LATE_NS:
        return touch
    if manner is Manner.LONG_HIDDEN and _reached_across(touch, start, before):
        return touch
    return _doubted(touch)


def _reached_across(touch: Touch, start: PoemStarted, before: Layout) -> bool:
    """Tell whether a hand came to a card of the other player after the poem, in time to play.

    Nobody tidies the other player's cards, so it plays, however long it lies there.
    """
    placed = None if touch.card is None else before.find(touch.card)
    in_time = _SOONEST_NS <= _came_ns(touch, start) < _LATE_NS
    return in_time and placed is not None and touch.player is placed.side.opponent


def _tidied(touch: Touch) -> Unprovable:
    return Unprovable(touch.card, touch.player, touch.t_ns, touch.t_unc_ns, _TIDIED)


def _doubted(touch: Touch) -> Touch:
    return replace(touch, confidence=min(touch.confidence, _UNSURE))


def may_be_carried(
    manners: Mapping[int | None, Manner], facts: Sequence[Testimony], start: PoemStarted
) -> bool:
    """Tell whether it has to be seen where a card lies now: somebody may have put it there.

    Who has just taken the poem's card carries no other one about; see `told_apart` for the parameters.
    """
    taken = any(isinstance(fact, Touch) and fact.card == start.poem for fact in facts)
    telling = {Manner.SLOW} if taken else {Manner.SLOW, Manner.CARRIED}
    return any(manner in telling for card, manner in manners.items() if card != start.poem)


def soonest_ns(start: PoemStarted) -> int:
    """Return before when nobody who has heard a poem can have reached a card."""
    return start.t_ns + _SOONEST_NS


def is_early(fact: Touch | Unprovable, start: PoemStarted) -> bool:
    """Tell whether a card was moved too soon for somebody who heard the poem."""
    return fact.latest_ns < soonest_ns(start)


def is_play(fact: Testimony, start: PoemStarted) -> bool:
    """Tell whether a fact is a contact that came after the poem and does not look like tidying."""
    return isinstance(fact, Touch) and fact.confidence > _UNSURE and not is_early(fact, start)


def is_tidied(fact: Testimony) -> TypeGuard[Unprovable]:
    """Tell whether a fact is a card that was only put elsewhere."""
    return isinstance(fact, Unprovable) and fact.reason == _TIDIED


def is_rearranged(touch: Touch, before: Layout, after: Layout) -> bool:
    """Tell whether a touched card lies neatly in another place of its owner's rows, put there by him."""
    if touch.card is None:
        return False
    was, now = before.find(touch.card), after.find(touch.card)
    if was is None or now is None or not touch.player is was.side is now.side or not now.faces_owner:
        return False
    if float(np.hypot(now.x_m - was.x_m, now.y_m - was.y_m)) < _ELSEWHERE_M:
        return False
    row_m = 0.004  # hands lay cards along a row as exactly as this
    square_rad = 0.07
    return abs(now.angle_rad) < square_rad and abs(now.y_m - _row_y_m(now, after)) < row_m


def _row_y_m(placed: PlacedCard, layout: Layout) -> float:
    """Return where the row of a card lies: as the nearest ones in it do, else as the rules' measures say.

    Not as all of them do: where a knocked camera sees the field turned by half a degree, its ends are 8 mm
    apart.
    """
    row = [one for one in layout.of(placed.side) if one.row == placed.row and one is not placed]
    row.sort(key=lambda one: abs(one.x_m - placed.x_m))
    neighbours = 3  # that tell where a row lies beside a card
    return median(one.y_m for one in row[:neighbours]) if row else row_centre_y_m(placed.side, placed.row)
