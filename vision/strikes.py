"""All cards of a poem that moved, explained together: when each of them set off, and along which path.

Cards that are struck together fly side by side and look alike from afar, so each is followed once on its own
and once more with the others' paths known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.departure import Departure
from vision.field_model import FieldModel
from vision.motion import Flight, fit_flight
from vision.onset import WEAK, Onset, flight_onset, slide_onset
from vision.slots import Sight

_NEARBY_MM = 160.0
_HIDDEN_NS = 60_000_000
_TOGETHER_NS = 12_000_000  # a hand that comes down reaches the cards under it within this time


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
    slides = {
        number: onset
        for number, departure in departures.items()
        if (onset := slide_onset(field, number, sights[number], departure)) is not None
    }
    struck = [number for number in departures if number not in slides]
    flights: dict[int, Flight] = {}
    for number in struck:
        flight = fit_flight(field, number, departures, sights=sights[number])
        if flight is not None:
            flights[number] = flight
    for number in sorted(flights, key=lambda number: -flights[number].strength):
        others = [
            flight
            for other, flight in flights.items()
            if other != number and flight.strength >= WEAK and _nearby(field, other, number)
        ]
        if others:
            again = fit_flight(field, number, departures, sights=sights[number], others=others)
            if again is not None:
                flights[number] = again
    strikes = [Strike(number, onset, None) for number, onset in slides.items()]
    for number in struck:
        found = flights.get(number)
        strikes.append(Strike(number, flight_onset(departures[number], found), found))
    strikes.sort(key=lambda strike: strike.onset.t_ns)
    return [_with_company(field, strike, strikes) for strike in strikes]


def _with_company(field: FieldModel, strike: Strike, strikes: Sequence[Strike]) -> Strike:
    """Narrow the time of a card that was hidden while it moved: its neighbours moved with the same hand."""
    onset = strike.onset
    if onset.latest_ns - onset.earliest_ns < _HIDDEN_NS:
        return strike
    company = [
        other.onset
        for other in strikes
        if other.onset.latest_ns - other.onset.earliest_ns < _HIDDEN_NS
        and onset.earliest_ns - _TOGETHER_NS <= other.onset.t_ns <= onset.latest_ns
        and _nearby(field, strike.number, other.number)
    ]
    if not company:
        return strike
    first = min(company, key=lambda other: other.t_ns)
    unc_ns = float(np.hypot(first.t_unc_ns, _TOGETHER_NS))
    return replace(strike, onset=Onset(first.t_ns, unc_ns, onset.earliest_ns, onset.latest_ns))


def _nearby(field: FieldModel, one: int, other: int) -> bool:
    apart = field.slots[one].centre_px - field.slots[other].centre_px
    return bool(apart @ apart < (_NEARBY_MM * field.px_per_mm) ** 2)
