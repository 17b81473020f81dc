"""Find out what happened to the cards of a poem: when and how each one set off, and whose hands were at it.

Slow results are kept, since a poem in which hands come and go is asked about more than once. What comes of it
are the facts about each card that moved: who may have touched it, and when it was out of its territory.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.facts import Contact as ContactKind
from referee.facts import Touch, Unprovable
from referee.sides import Side
from vision.contact.approach import Hands, Made
from vision.contact.attribution import attributed
from vision.contact.facts import NO_HAND, Contact, Proof, contact_fact, unproven
from vision.departures.departure import Departure
from vision.departures.last_place import LastPlaces
from vision.field.model import FieldModel
from vision.field.slots import Sight, Slot
from vision.hand_cues.side import HandSides
from vision.launch.flight import Flight
from vision.launch.onset import WEAK
from vision.launch.strikes import FlightFits, Strike, explained
from vision.launch.territory_exit import out_after, out_interval


class Inquiry:
    """Finds out what happened to the cards that moved, and remembers what it has found.

    `scale`: size of the players' map relative to the frame.
    """

    def __init__(self, field: FieldModel, scale: float) -> None:
        self._field, self._scale = field, scale
        self._flights = FlightFits(field)
        self._made: Made = {}

    def contacts(
        self, moved: Mapping[int, Departure], sights: Mapping[int, Sequence[Sight]]
    ) -> list[tuple[Strike, list[Contact]]]:
        """Return the motion of each card in `moved`, by slot number, and the hands at it."""
        strikes = explained(self._field, moved, sights, self._flights)
        flights = [strike.covers for strike in strikes if strike.covers is not None]
        most_maps = 1000  # of the hands; a poem of ten cards that moved needed 132
        if len(self._made) > most_maps:
            self._made.clear()
        known = [flight for flight in flights if flight.strength >= WEAK]
        hands = Hands(self._field, known, self._scale, made=self._made)
        return attributed(self._field, moved, strikes, hands)

    def leaving(self, hidden: Mapping[int, Departure], sights: Mapping[int, Sequence[Sight]]) -> set[int]:
        """Return which of the cards with covered places were seen moving away from there.

        In 200 simulated poems 17 of 26 hidden cards were, and all 17 had moved. See `contacts` for
        the parameters.
        """
        trails = self._flights.trails(list(hidden), hidden, sights)
        return {number for number, trail in trails.items() if _has_left(trail.flight)}


def _has_left(flight: Flight) -> bool:
    """Tell whether a card's print was seen moving away from its place."""
    left_mm, left_spots = 10.0, 2  # a print seen this far away in the end, and this often, has left
    if len(flight.spots) < left_spots:
        return False
    return float(np.hypot(*flight.spots[-1].shift_px)) > left_mm * flight.slot.px_per_mm


@dataclass(frozen=True, slots=True, eq=False)
class MovedCard:
    """A card that moved."""

    slot: Slot  # where it lay
    strike: Strike  # its motion
    departure: Departure  # the pictures around the beginning
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

        `territories`: corners of each in the picture, (4, 2); None if unknown. `places`: where the cards lie
        in the end. `hands`: tells left hands from right ones.
        """
        strike, side, unc_ns = self.strike, self.slot.side, self.own_ns + self.lag_ns
        if not found:  # no hand was near: somebody may have taken it
            t_ns, half_ns = strike.onset.t_ns + self.delay_ns, float(np.hypot(strike.onset.t_unc_ns, unc_ns))
            yield Unprovable(self.slot.card, None, round(t_ns), max(1, round(half_ns)), NO_HAND)
        pushed = any(contact.proof is Proof.PUSHED for contact in found)
        lies_px = places.corners_px(strike.number) if self.left or pushed else None
        where = territories, lies_px, places.is_empty
        out = out_after(strike, side, *where) if self.left and pushed else None
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
