"""A hand at a card that moved: whose, when, and on what evidence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.sides import Side


class Proof(Enum):
    """The evidence for a contact."""

    MOTION = "motion"  # the card set off under this hand
    PUSHED = "pushed"  # another card pushed it, and this player drove that card; no hand was seen to reach it
    MAYBE_PUSHED = "maybe_pushed"  # the same, in case the contact by `MOTION` before it was none
    RIVAL = "rival"  # the other player's hand reached a card that was already moving: seen, but not proven
    HOVER = "hover"  # the other player's hand was over the card but did not move it
    SHOCK = "floor_shock"
    """The card slid a little; the floor may have done it, see `vision.contact.small_slides`."""
    AIR = "air"  # the same in the wake of a sweep
    CLOTH = "cloth"  # the same below an arm, with its fingers elsewhere
    STRANGER = "stranger"  # a hand that came in from neither player's edge was at the card


@dataclass(frozen=True, slots=True)
class Contact:
    """A hand at a card."""

    side: Side | None  # whose hand; None if no hand was near the card
    # t_ns, t_unc_ns: when, and the half width of that instant
    t_ns: float
    t_unc_ns: float
    confidence: float  # probability that this player's hand touched the card
    proof: Proof = Proof.MOTION  # the evidence
    # how much later still it may have been, because fingers may come after what was seen
    later_ns: float = 0.0
    # probability that it was this player's hand, touch or not; None if not known apart
    player_confidence: float | None = None


STIRRED = frozenset({Proof.SHOCK, Proof.AIR, Proof.CLOTH})  # a card moved that perhaps no hand moved
