"""A hand at a card that moved: whose, when, and what that rests on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.sides import Side


class Proof(Enum):
    """What a contact rests on."""

    MOTION = "motion"
    """The card set off under this hand."""
    PUSHED = "pushed"
    """Another card pushed it, and this player drove that card; no hand was seen to reach it."""
    MAYBE_PUSHED = "maybe_pushed"
    """What it was if the contact by `MOTION` before it was none."""
    RIVAL = "rival"
    """The other player's hand reached a card that was already moving: seen, but not proven."""
    HOVER = "hover"
    """The other player's hand was over the card, and it was not the hand that moved it."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A hand at a card.

    Attributes
    ----------
    side : whose hand.
    t_ns, t_unc_ns : when.
    later_ns : by how much later than that it may have been besides: fingers that come after what was seen.
    confidence : probability that this player's hand touched the card.
    proof : what it rests on.
    followed : this hand was over the card as it moved on: pushed or not, the card was not left to itself.
    """

    side: Side
    t_ns: float
    t_unc_ns: float
    confidence: float
    proof: Proof = Proof.MOTION
    followed: bool = False
    later_ns: float = 0.0
