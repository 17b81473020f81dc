"""Explain all cards of a poem that moved together: when each one set off, and along which path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import Sight
from vision.launch.flight import Flight
from vision.launch.flight_fits import FlightFits, nearby
from vision.launch.onset import VAGUE_NS, Onset, flight_onset, slide_onset
from vision.launch.row_times import row_of


@dataclass(frozen=True, slots=True)
class Strike:
    """A card that moved."""

    number: int
    onset: Onset
    flight: Flight | None  # its path; None if it only slid or could not be followed
    timed_by: int | None = None  # the slot of the card whose pictures gave the instant; None for its own
    fitted: Flight | None = None  # its path as it was fitted, with its support then; None if that is `flight`

    @property
    def covers(self) -> Flight | None:
        """The path on which the card may lie over others, even if it tells nothing of the card itself."""
        return self.flight if self.fitted is None else self.fitted

    @property
    def timed_at(self) -> int:
        """The slot of the card whose pictures gave the instant."""
        return self.number if self.timed_by is None else self.timed_by

    @property
    def is_timed_by_others(self) -> bool:
        """Whether it was hidden so well as it flew off that its neighbours' time stands for its own."""
        return self.flight is not None and self.onset.t_ns != self.flight.launch.t_ns


def explained(
    field: FieldModel,
    departures: Mapping[int, Departure],
    sights: Mapping[int, Sequence[Sight]],
    known: FlightFits,
) -> list[Strike]:
    """Explain the motion of all cards that moved. `departures`: of each card that moved, by slot number."""
    onsets = {
        number: slide_onset(field, number, sights[number], departure)
        for number, departure in departures.items()
    }
    slides = {number: onset for number, onset in onsets.items() if onset is not None}
    struck = [number for number in departures if number not in slides]
    flights = known.flights(struck, departures, sights)
    strikes = [Strike(number, onset, None) for number, onset in slides.items()]
    for number in struck:
        found = flights.get(number)
        strikes.append(_struck(number, flight_onset(departures[number], found), found))
    strikes.sort(key=lambda strike: strike.onset.t_ns)
    return [_with_company(field, strike, strikes) for strike in strikes]


def _struck(number: int, onset: Onset, flight: Flight | None) -> Strike:
    """Return the strike of a card; a path fitted to another time and never seen has no strength."""
    if flight is None or flight.spots or not flight.borrowed:
        return Strike(number, onset, flight)
    return Strike(number, onset, replace(flight, strength=0.0), None, flight)


def _with_company(field: FieldModel, strike: Strike, strikes: Sequence[Strike]) -> Strike:
    """Narrow the time of a card that was hidden while it moved: the same hand moved its neighbours."""
    onset = strike.onset
    if onset.t_unc_ns < VAGUE_NS:
        return strike
    company = [
        other
        for other in _neighbours(field, strike, strikes, onset.latest_ns)
        if (other.flight is None) == (strike.flight is None)  # one hand presses, another sweeps
    ]
    if not company:
        return strike
    row = row_of(field.slots, strike.number, [other.number for other in company])
    beside = [other for other in company if other.number in row]  # two hands may strike at once nearby
    earliest = min(beside or company, key=lambda other: other.onset.t_ns)
    first = earliest.onset
    swept_ns = 12_000_000  # a sweeping hand reaches neighbouring cards within this time
    pressed_ns = 6_000_000  # the same for a hand that comes down: its fingers land one after another
    together_ns = pressed_ns if strike.flight is None else swept_ns
    unc_ns = float(np.hypot(first.t_unc_ns, together_ns))
    flight = strike.flight
    if flight is not None and not flight.spots:
        # it was fitted to another time, and the card was never seen on it
        flight = replace(flight, strength=0.0)
    narrowed = Onset(first.t_ns, unc_ns, onset.earliest_ns, onset.latest_ns)
    return Strike(strike.number, narrowed, flight, earliest.number, strike.flight)


def _neighbours(
    field: FieldModel, strike: Strike, strikes: Sequence[Strike], latest_ns: float
) -> list[Strike]:
    """Return the neighbours with a known time with which a card may have gone, until `latest_ns`.

    A card that still lay there well after its neighbours had gone was driven by another hand.
    """
    behind_ns = 3_000_000  # 95 of 100 neighbours set off within this time, see `vision.launch.row_times`
    return [
        other
        for other in strikes
        if other is not strike
        and other.onset.t_unc_ns < VAGUE_NS
        and strike.onset.earliest_ns - behind_ns <= other.onset.t_ns <= latest_ns
        and nearby(field, strike.number, other.number)
    ]
