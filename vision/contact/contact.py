"""A hand at a card that moved: whose, when, and on what evidence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.sides import Side


class Proof(Enum):
    """The evidence for a contact."""

    MOTION = "motion"
    """The card set off under this hand."""
    PUSHED = "pushed"
    """Another card pushed it, and this player drove that card; no hand was seen to reach it."""
    MAYBE_PUSHED = "maybe_pushed"
    """The same, in case the contact by `MOTION` before it was none."""
    RIVAL = "rival"
    """The other player's hand reached a card that was already moving: seen, but not proven."""
    HOVER = "hover"
    """The other player's hand was over the card but did not move it."""
    SHOCK = "floor_shock"
    """The card slid a little; the floor may have done it, see `vision.contact.small_slides`."""
    AIR = "air"
    """The same in the wake of a sweep."""
    CLOTH = "cloth"
    """The same below an arm, with its fingers elsewhere."""
    STRANGER = "stranger"
    """A hand that came in from neither player's edge was at the card."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A hand at a card.

    Attributes
    ----------
    side : whose hand; None if no hand was near the card.
    t_ns, t_unc_ns : when, and the half width of that instant.
    later_ns : how much later still it may have been, because fingers may come after what was seen.
    confidence : probability that this player's hand touched the card.
    player_confidence : probability that it was this player's hand, touch or not; None if not known apart.
    proof : the evidence.
    followed : whether this hand was over the card as it moved on: pushed or not, the card was not left alone.
    """

    side: Side | None
    t_ns: float
    t_unc_ns: float
    confidence: float
    proof: Proof = Proof.MOTION
    followed: bool = False
    later_ns: float = 0.0
    player_confidence: float | None = None


STIRRED = frozenset({Proof.SHOCK, Proof.AIR, Proof.CLOTH})
"""A card moved that perhaps no hand moved."""
