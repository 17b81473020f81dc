"""All cards of a poem that moved, explained together: when each of them set off, and along which path.

Cards that are struck together fly side by side and look alike from afar, so each is followed once on its own
and once more with the others' paths known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vision.departure import Departure
from vision.field_model import FieldModel
from vision.motion import Flight, fit_flight
from vision.onset import WEAK, Onset, bracket, flight_onset, slide_onset
from vision.slots import Sight

_NEARBY_MM = 160.0


@dataclass(frozen=True, slots=True)
class Strike:
    """A card that moved.

    Attributes
    ----------
    number : index of its slot.
    onset : when it began to move.
    flight : its path, or None where it only slid or could not be followed.
    """

    number: int
    onset: Onset
    flight: Flight | None


def explain(
    field: FieldModel,
    departures: Mapping[int, Departure],
    sights: Mapping[int, Sequence[Sight]],
) -> list[Strike]:
    """Explain the motion of all cards that moved.

    Parameters
    ----------
    field : the resting field.
    departures : for each card that moved, by the number of its slot.
    sights : what each frame showed of those cards.
    """
    gone = set(departures)
    slides = {
        number: onset
        for number, departure in departures.items()
        if (onset := slide_onset(field, number, sights[number], departure)) is not None
    }
    struck = [number for number in departures if number not in slides]
    flights: dict[int, Flight] = {}
    for number in struck:
        latest_ns = bracket(departures[number])[1]
        flight = fit_flight(field, number, departures[number], latest_ns, gone=gone, sights=sights[number])
        if flight is not None:
            flights[number] = flight
    for number in sorted(flights, key=lambda number: -flights[number].strength):
        others = [
            flight
            for other, flight in flights.items()
            if other != number and flight.strength >= WEAK and _nearby(field, flight, flights[number])
        ]
        if others:
            latest_ns = bracket(departures[number])[1]
            again = fit_flight(
                field, number, departures[number], latest_ns, gone=gone, sights=sights[number], others=others
            )
            if again is not None:
                flights[number] = again
    strikes = [Strike(number, onset, None) for number, onset in slides.items()]
    for number in struck:
        found = flights.get(number)
        strikes.append(Strike(number, flight_onset(departures[number], found), found))
    return sorted(strikes, key=lambda strike: strike.onset.t_ns)


def _nearby(field: FieldModel, one: Flight, other: Flight) -> bool:
    apart = one.slot.centre_px - other.slot.centre_px
    return bool(apart @ apart < (_NEARBY_MM * field.px_per_mm) ** 2)
