"""The facts about one card that moved: who may have touched it, and when it was out of its territory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.facts import Contact as ContactKind
from referee.facts import Touch, Unprovable
from referee.sides import Side
from vision.contact.facts import Contact, Proof, contact_fact, unexplained_fact, unproven, was_pushed
from vision.departures.departure import Departure
from vision.departures.last_place import LastPlaces
from vision.field.slots import Slot
from vision.hand_cues.side import HandSides
from vision.launch.strikes import Strike
from vision.launch.territory_exit import out_after, out_interval


@dataclass(frozen=True, slots=True, eq=False)
class MovedCard:
    """A card that moved."""

    # slot, strike, departure: where it lay, its motion, and the pictures around the beginning
    slot: Slot
    strike: Strike
    departure: Departure
    delay_ns: float  # how much later than the frame's instant its row was exposed, less `lag_ns`
    own_ns: float  # half width of a picture's instant there
    lag_ns: float  # how late the camera shows a motion
    left: bool  # whether it is no longer in its place
    is_revealed: bool  # whether it was seen lying elsewhere, but never leaving
    is_shaken: bool  # whether it slid no farther than the hall's floor moves cards

    def facts(
        self,
        found: Sequence[Contact],
        territories: Mapping[Side, NDArray[np.float64]] | None,
        places: LastPlaces,
        hands: HandSides,
    ) -> Iterator[Touch | Unprovable]:
        """Yield the facts, given the hands at it.

        Parameters
        ----------
        territories : corners of each territory in the picture, (4, 2); None if unknown.
        places : where the cards lie in the end.
        hands : tells left hands from right ones.
        """
        strike, side, unc_ns = self.strike, self.slot.side, self.own_ns + self.lag_ns
        if not found:
            yield unexplained_fact(self.slot, strike, self.delay_ns, unc_ns)
        lies_px = places.corners_px(strike.number) if self.left or was_pushed(found) else None
        where = territories, lies_px, places.is_empty
        out = out_after(strike, side, *where) if self.left and was_pushed(found) else None
        swept = out_after(strike, side, *where, by_hand=True) if self.left and territories else None
        out_ns = out_interval(strike, swept, self.delay_ns, unc_ns)
        for contact in found:
            fact = self._fact(contact, out)
            if isinstance(fact, Touch) and fact.contact is ContactKind.TOUCH and contact.side:
                hand = hands.hand_at(self.slot, contact.side, self.departure.views, contact.t_ns)
                fact = replace(fact, hand=hand, out_ns=out_ns)
            yield fact

    def _fact(self, contact: Contact, out: tuple[float, float] | None) -> Touch | Unprovable:
        """Return the fact that a contact proves."""
        unc_ns = float(np.hypot(contact.t_unc_ns, self.own_ns)) + self.lag_ns
        fact = contact_fact(self.slot, contact, out, self.delay_ns, unc_ns, left=self.left)
        if not isinstance(fact, Touch):
            return fact
        if self.is_shaken and not self.left:
            return unproven(fact, Proof.SHOCK.value)
        most_revealed = 0.75  # of a card that went most of its way unseen no contact is surer
        return replace(fact, confidence=min(fact.confidence, most_revealed)) if self.is_revealed else fact
