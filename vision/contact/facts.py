"""A hand at a card that moved, and the facts that it proves to the rules, or that nothing proves."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeGuard

import numpy as np

from referee.facts import Contact as ContactKind
from referee.facts import Testimony, Touch, Unprovable
from referee.sides import Side
from vision.departures.departure import Departure
from vision.field.slots import Slot
from vision.hands.frame_map import SIDES


class Proof(Enum):
    """The evidence for a contact; the values of those that prove no touch are the reasons told of it."""

    MOTION = "motion"  # the card set off under this hand
    PUSHED = "pushed"  # another card pushed it, and this player drove that card; no hand was seen to reach it
    # the other player's hand reached a card that was already moving: seen, but not proven
    RIVAL = "second_hand"
    HOVER = "hand_over"  # the other player's hand was over the card but did not move it
    SHOCK = "floor_shock"  # it slid a little; the floor may have done it, see `vision.contact.small_slides`
    AIR = "air"  # the same in the wake of a sweep
    CLOTH = "cloth"  # the same below an arm, with its fingers elsewhere
    STRANGER = "stranger"  # a hand that came in from neither player's edge was at the card


@dataclass(frozen=True, slots=True)
class Contact:
    """A hand at a card."""

    side: Side | None  # whose hand; None if no hand was near the card
    t_ns: float  # when; `t_unc_ns` the half width of that instant
    t_unc_ns: float
    confidence: float  # probability that this player's hand touched the card
    proof: Proof = Proof.MOTION
    later_ns: float = 0.0  # how much later still it may have been: fingers may come after what was seen
    player_confidence: float | None = None  # that it was this player's hand, touch or not; None if unknown


STIRRED = frozenset({Proof.SHOCK, Proof.AIR, Proof.CLOTH})  # a card moved that perhaps no hand moved
RESTED = "fingers_rested"  # fingers lay on a card, perhaps, and it did not move
NO_HAND = "no_hand_seen"  # a card is gone or moved, and no picture shows by whom
HIDDEN = "view_blocked"  # something still lies over the card at the end


def may_be_touch(fact: Testimony) -> TypeGuard[Touch | Unprovable]:
    """Tell whether a fact is a contact, or about a card that a player's hand may have moved a little."""
    stirred = {proof.value for proof in STIRRED}
    return isinstance(fact, Touch) or (
        isinstance(fact, Unprovable) and fact.player is not None and fact.reason in stirred
    )


def supposed(fact: Testimony, confidence: float) -> Testimony:
    """Return what a fact that may be a touch tells if it is one; any other fact as it is."""
    if isinstance(fact, Touch) or not may_be_touch(fact):
        return fact
    return Touch(fact.card, fact.player, fact.t_ns, fact.t_unc_ns, confidence=confidence)


def unproven(touch: Touch | Unprovable, reason: str) -> Unprovable:
    """Return a touch that cannot be proven after all, for a reason."""
    return Unprovable(touch.card, touch.player, touch.t_ns, touch.t_unc_ns, reason)


def contact_fact(
    slot: Slot,
    contact: Contact,
    out: tuple[float, float] | None,
    delay_ns: float,
    t_unc_ns: float,
    *,
    left: bool,
) -> Touch | Unprovable:
    """Turn a contact at a card that lay in `slot` into the fact that it proves.

    `out`: how long a pushed card took to leave, and the half width of that, nanoseconds; None if it stayed
    in. `delay_ns`: how much later than the frame's instant the card's row is exposed. `t_unc_ns`: half width
    of the contact's instant, without `later_ns`. `left`: whether the card is no longer in its place.
    """
    pushed = contact.proof is Proof.PUSHED
    after_ns, after_unc_ns = out if pushed and out is not None else (0.0, 0.0)
    t_ns = round(contact.t_ns + delay_ns + after_ns)
    early_ns, late_ns = (
        max(1, round(float(np.hypot(side_ns, after_unc_ns))))
        for side_ns in (t_unc_ns, t_unc_ns + contact.later_ns)
    )
    if after_ns:
        # fingers may have reached the card as it set off: only then is the interval that of a touch, too
        early_ns = max(early_ns, round(after_ns + t_unc_ns))
    unc_ns = max(early_ns, late_ns)
    if not pushed and contact.proof is not Proof.MOTION:
        return Unprovable(slot.card, contact.side, t_ns, unc_ns, contact.proof.value)
    if pushed and out is None:
        return Unprovable(slot.card, contact.side, t_ns, unc_ns, "swept_along" if left else "pushed_by_card")
    return Touch(
        slot.card,
        contact.side,
        t_ns,
        unc_ns,
        contact=ContactKind.PUSHED_OUT if pushed else ContactKind.TOUCH,
        confidence=contact.confidence,
        territory=slot.side,
        sides_ns=(early_ns, late_ns) if late_ns != early_ns else None,
        player_confidence=contact.player_confidence,
        card_confidence=slot.confidence,
    )


def hidden_fact(slot: Slot, departure: Departure, now_ns: int) -> Unprovable:
    """Return the fact about a card that something still covers: who may have been at it."""
    near_mm = 150.0  # from a card's centre: a hand never seen this near has not touched it
    near = {
        player
        for view in departure.views
        for player in SIDES
        if (view.over.players[view.map_around(slot, near_mm)] == player).any()
    }
    player = SIDES[near.pop()] if len(near) == 1 else None
    return doubt_between(slot, player, departure.still_ns, now_ns, HIDDEN)


def doubt_between(slot: Slot, player: Side | None, from_ns: int, to_ns: int, reason: str) -> Unprovable:
    """Return the fact that between two instants a card may have been touched."""
    return Unprovable(slot.card, player, (from_ns + to_ns) // 2, max(1, (to_ns - from_ns) // 2), reason)
