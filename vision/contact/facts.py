"""Turn contacts into facts for the rules: what a contact proves, and what nothing proves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

import numpy as np

from referee.facts import Contact as ContactKind
from referee.facts import Testimony, Touch, Unprovable
from vision.contact.contact import STIRRED, Contact, Proof
from vision.contact.still_fingers import Rest
from vision.departures.departure import Departure
from vision.field.slots import Slot
from vision.hands.frame_map import SIDES
from vision.launch.strikes import Strike

RESTED = "fingers_rested"
HIDDEN = "view_blocked"  # something still lies over the card at the end
_UNPROVEN = {
    Proof.RIVAL: "second_hand",
    Proof.HOVER: "hand_over",
    **{proof: proof.value for proof in (*STIRRED, Proof.STRANGER)},
}
"""Reasons why a hand at a card is no proof of a touch."""
_PUSHED = {Proof.PUSHED, Proof.MAYBE_PUSHED}


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


def unproven(touch: Touch, reason: str) -> Unprovable:
    """Return a touch that cannot be proven after all, for a reason."""
    return Unprovable(touch.card, touch.player, touch.t_ns, touch.t_unc_ns, reason)


def was_pushed(contacts: Sequence[Contact]) -> bool:
    """Tell whether another card pushed a card, or may have pushed it."""
    return any(contact.proof in _PUSHED for contact in contacts)


def contact_fact(
    slot: Slot,
    contact: Contact,
    out: tuple[float, float] | None,
    delay_ns: float,
    t_unc_ns: float,
    *,
    left: bool,
) -> Touch | Unprovable:
    """Turn a contact into the fact that it proves.

    Parameters
    ----------
    slot : where the card lay.
    contact : a hand at the card.
    out : how long a pushed card took to leave, and the half width of that, nanoseconds; None if it stayed in.
    delay_ns : how much later than the frame's instant the card's row is exposed.
    t_unc_ns : half width of the contact's instant, without `later_ns`.
    left : whether the card is no longer in its place.
    """
    pushed = contact.proof in _PUSHED
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
    if contact.proof in _UNPROVEN:
        return Unprovable(slot.card, contact.side, t_ns, unc_ns, _UNPROVEN[contact.proof])
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
    middle, half = (departure.still_ns + now_ns) // 2, (now_ns - departure.still_ns) // 2
    near_mm = 150.0  # from a card's centre: a hand never seen this near has not touched it
    near = {
        player
        for view in departure.views
        for player in SIDES
        if (view.over.players[view.map_around(slot, near_mm)] == player).any()
    }
    player = SIDES[near.pop()] if len(near) == 1 else None
    return Unprovable(slot.card, player, middle, max(1, half), HIDDEN)


def unseen_fact(slot: Slot, from_ns: int, to_ns: int) -> Unprovable:
    """Return the fact about a card that is gone, and that no picture between two instants saw leave."""
    return Unprovable(slot.card, None, (from_ns + to_ns) // 2, max(1, (to_ns - from_ns) // 2), "no_hand_seen")


def rested_fact(slot: Slot, rest: Rest) -> Unprovable:
    """Return the fact about a card on which fingers lay, perhaps, and which did not move."""
    half_ns = max(1, (rest.to_ns - rest.from_ns) // 2)
    return Unprovable(slot.card, SIDES[rest.player], rest.from_ns + half_ns, half_ns, RESTED)


def unexplained_fact(slot: Slot, strike: Strike, delay_ns: float, own_ns: float) -> Unprovable:
    """Return the fact about a card that moved without a hand near it: somebody may have taken it."""
    unc_ns = max(1, round(float(np.hypot(strike.onset.t_unc_ns, own_ns))))
    return Unprovable(slot.card, None, round(strike.onset.t_ns + delay_ns), unc_ns, "no_hand_seen")
