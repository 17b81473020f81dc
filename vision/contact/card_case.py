"""A card that moved, and the hands at it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vision.contact.approach import Approach
from vision.contact.velocities import Velocity
from vision.departures.departure import Departure
from vision.hands.frame_map import OTHER
from vision.launch.strikes import Strike

BESIDE_MM = 40.0  # a hand farther away than this did not touch it


@dataclass(frozen=True, slots=True, eq=False)
class CardCase:
    """A card that moved and the hands at it."""

    strike: Strike  # its motion
    departure: Departure  # the pictures around its beginning
    approach: Mapping[int, Approach]  # how near each player's hand was
    # how each hand moved that was seen beside it, (2,), metres per second; None unless there were two to
    # choose from
    moving: Mapping[int, Velocity] | None = None

    @property
    def gaps(self) -> dict[int, float]:
        """Distance of each player's hand from the card as it set off, millimetres."""
        return {player: one.gap_at(self.strike.onset.t_ns) for player, one in self.approach.items()}

    @property
    def is_uncovered(self) -> bool:
        """Whether no hand lay over the card in any picture taken while it may have set off."""
        onset = self.strike.onset
        return all(one.nearest_mm(onset.t_ns, onset.t_unc_ns) > 0 for one in self.approach.values())

    @property
    def moves_as_one(self) -> bool:
        """Whether both players' hands were at the card and moved alike.

        Where arms meet, a part of one hand may be given to the other player's arm, and moves on with the rest
        of its own hand.
        """
        # 135 simulated races within 20 ms: of the rulings where this is so, 2 of 14 were wrong, else 0 of 23
        both_mm, alike = 20.0, 0.25  # as a share of the faster hand's velocity
        if self.moving is None or len(self.moving) < len(self.approach) or max(self.gaps.values()) > both_mm:
            return False
        one, other = self.moving.values()
        fastest_mps = max(float(np.hypot(*one)), float(np.hypot(*other)))
        return float(np.hypot(*(one - other))) < alike * fastest_mps

    def is_belied(self, player: int) -> bool:
        """Tell whether a player's hand lay still while the other one went on with the card.

        A hand that rests with its fingers on a card covers more of it than one that strikes its edge, and so
        seems the likelier.
        """
        flight, other = self.strike.flight, OTHER[player]
        if flight is None or self.moving is None or not {player, other} <= self.moving.keys():
            return False
        flown = flight.velocity_px / flight.slot.px_per_mm
        still, along = 0.25, 0.5  # shares of the card's speed: a painted hand beside it is up to 0.3 off
        card_mps, hand_mps = float(np.hypot(*flown)), float(np.hypot(*self.moving[player]))
        off_mps = float(np.hypot(*(self.moving[other] - flown)))
        return hand_mps < still * card_mps and off_mps < along * card_mps

    @property
    def is_contest(self) -> bool:
        """Whether both players' hands were near: possible shade is then told from them."""
        return self._is_between(60.0, 120.0) or self.is_disputed  # as in the trees' training

    @property
    def is_disputed(self) -> bool:
        """Whether either player's hand may have struck this card."""
        rival_mm = 75.0  # a fast hand beside one that hovers may have come from this far
        return self._is_between(BESIDE_MM, rival_mm)

    def _is_between(self, beside_mm: float, rival_mm: float) -> bool:
        """Tell whether one hand was within `beside_mm`, and the other player's within `rival_mm`."""
        nearer_mm, farther_mm = sorted(self.gaps.values())
        return nearer_mm <= beside_mm and farther_mm <= rival_mm
