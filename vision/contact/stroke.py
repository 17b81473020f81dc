"""A stroke: a struck card and the cards that it drives ahead of it, edge to edge.

The card that a hand strikes is hidden by that hand; the cards that it pushes slide off in full view. While
they press on one another they go alike, so the one that is seen best tells how fast all of them went. And a
hand that hangs over a pushed card says nothing about who drove it: the card behind it did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vision.contact.pushers import pushers_of
from vision.contact.velocities import Velocity
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.launch.strikes import Strike

SLOWEST = 0.15  # metres per second: a slower card has no direction


class Strokes:
    """Which card pushed which in a poem, and how fast they went.

    Parameters
    ----------
    field : the resting field.
    strikes : the motions of all cards of the poem.
    departures : the pictures around their beginnings, by the number of the slot.

    Attributes
    ----------
    strikes : those motions, by the number of the slot.
    """

    def __init__(
        self, field: FieldModel, strikes: Sequence[Strike], departures: Mapping[int, Departure]
    ) -> None:
        self._field = field
        self.strikes = {strike.number: strike for strike in strikes}
        self._pushers = {strike.number: pushers_of(field, strike, strikes, departures) for strike in strikes}

    def pushers(self, number: int) -> Sequence[Strike]:
        """Return the cards that may have pushed the card of a slot, see `vision.contact.pushers`."""
        return self._pushers[number]

    def velocity(self, number: int) -> Velocity | None:
        """Return how fast a card went as the best seen one of its stroke shows it; None where none does."""
        shown = [one for one in (number, *self._driven_by(number)) if self._is_seen(number, one)]
        if not shown:
            return None
        flight = self.strikes[max(shown, key=self._clearness)].flight
        assert flight is not None, "only what was seen to fly is shown"
        return np.asarray(flight.velocity_px / flight.slot.px_per_mm, np.float64)

    def _driven_by(self, number: int) -> list[int]:
        """Return the cards that a card pushed, straight or by way of others, about when it set off itself."""
        driven = [number]
        for behind in driven:
            driven += [
                strike.number
                for strike in self.strikes.values()
                if strike.number not in driven
                and any(pusher.number == behind for pusher in self._pushers[strike.number])
                and self._are_at_once(number, strike)
            ]
        return driven[1:]

    def _are_at_once(self, number: int, other: Strike) -> bool:
        """Tell whether a card may have been driven along as the card of slot `number` set off, not later."""
        own = self.strikes[number].onset
        unc_ns = float(np.hypot(own.t_unc_ns, other.onset.t_unc_ns))
        gap_ns = 5_000_000  # cards lie a millimetre or two apart, and slow hands drive them so much later
        return other.onset.t_ns - own.t_ns < unc_ns + gap_ns

    def _is_seen(self, number: int, ahead: int) -> bool:
        """Tell whether a card shows how the card of slot `number` went, itself or straight behind it."""
        flight = self.strikes[ahead].flight
        seen_well = 0.3  # strength of a path that is believed for others, too
        if flight is None or (flight.strength < seen_well and not flight.is_clocked):
            return False
        speed_px = float(np.hypot(*flight.velocity_px))
        if speed_px / flight.slot.px_per_mm < SLOWEST:
            return False
        way_px = self._field.slots[ahead].centre_px - self._field.slots[number].centre_px
        straight_cos = 0.8  # pushed at a corner, or from aside, a card goes another way than its pusher
        straight = float(flight.velocity_px @ way_px) >= straight_cos * speed_px * float(np.hypot(*way_px))
        return ahead == number or straight

    def _clearness(self, number: int) -> tuple[bool, float]:
        """Return how well a card shows its way: its print best, then how clear its path is."""
        flight = self.strikes[number].flight
        return (False, 0.0) if flight is None else (flight.is_clocked, flight.strength)
