"""Fit the flights of all cards that were struck in a poem, each only once.

Cards that are struck together fly side by side and look alike from afar. So each is followed once on its own
and, unless its print was seen on its way, once more with the others' paths known. Last, cards of a row tell
each other when they set off (`vision.launch.row_times`). A fit depends only on the pictures around its card,
and the second one also on its neighbours' first fits. Results are kept: a poem may be asked about
again.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import Sight
from vision.launch.flight import Flight, Trail, find_trail, views_of
from vision.launch.onset import WEAK
from vision.launch.row_times import in_rows
from vision.sightings.traces import Bare


class FlightFits:
    """Follows cards that left their places, and remembers what it has found."""

    def __init__(self, field: FieldModel) -> None:
        self._field = field
        self._known: dict[Hashable, Trail | None] = {}
        self._bare: dict[Hashable, Bare] = {}
        self._told: dict[tuple[Flight, Flight], Flight] = {}

    def flights(
        self,
        struck: Sequence[int],
        departures: Mapping[int, Departure],
        sights: Mapping[int, Sequence[Sight]],
    ) -> dict[int, Flight]:
        """Return the flights of the cards that could be followed, by slot number.

        `struck`: slot numbers of the cards that flew off, in the order to follow them. `departures`: of every
        card that moved, struck or not, by slot number.
        """
        alone = self.trails(struck, departures, sights)
        trails = dict(alone)
        enough_sights = 2  # sights of a card's print that tell its path from its neighbours'
        for number, known in alone.items():
            if len(known.flight.spots) >= enough_sights:
                continue
            others = tuple(
                trail.flight
                for other, trail in alone.items()
                if other != number and trail.flight.strength >= WEAK and nearby(self._field, other, number)
            )
            again = self._trail(number, departures[number], sights[number], others, known) if others else None
            if again is not None:
                trails[number] = again
        flights = [trail.flight for trail in trails.values()]
        return {flight.number: flight for flight in in_rows(self._field, flights, self._told)}

    def trails(
        self,
        struck: Sequence[int],
        departures: Mapping[int, Departure],
        sights: Mapping[int, Sequence[Sight]],
    ) -> dict[int, Trail]:
        """Follow each card on its own, the first half of `flights`."""
        found = {number: self._trail(number, departures[number], sights[number]) for number in struck}
        return {number: trail for number, trail in found.items() if trail is not None}

    def _trail(
        self,
        number: int,
        departure: Departure,
        sights: Sequence[Sight],
        others: tuple[Flight, ...] = (),
        alone: Trail | None = None,
    ) -> Trail | None:
        """Follow a card, unless its trail is known from the same pictures and the same other cards."""
        views = views_of(departure)
        still_ns, last_ns = departure.still_ns, views[-1].t_ns if views else departure.still_ns
        near = tuple(sight for sight in sights if sight.seen and still_ns <= sight.t_ns <= last_ns)
        pictures = tuple(view.t_ns for view in views), tuple(sight.t_ns for sight in near)
        key = departure, departure.bracket_ns, pictures, others
        if key not in self._known:
            self._known[key] = find_trail(
                self._field, number, departure, sights=near, others=others, alone=alone, bare=self._bare
            )
        return self._known[key]


def nearby(field: FieldModel, one: int, other: int) -> bool:
    """Tell whether two cards lie so close together that one hand may have struck both."""
    apart = field.slots[one].centre_px - field.slots[other].centre_px
    nearby_mm = 160.0
    return bool(apart @ apart < (nearby_mm * field.px_per_mm) ** 2)
