"""Explain all cards of a poem that moved together: when each one set off, and along which path."""

from collections.abc import Collection, Hashable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from referee.layout import CARD_WIDTH_M
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import Sight, Slot
from vision.imaging.outline_distance import outside_px
from vision.launch.flight import Flight, Launch, Trail, find_trail, quantiles, views_of
from vision.launch.onset import VAGUE_NS, WEAK, Onset, flight_onset, slide_onset
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


def row_of(slots: Sequence[Slot], number: int, among: Collection[int]) -> list[int]:
    """Return a card and those of `among` that touch it, directly or through others, nearest first."""
    row = [number]
    for one in row:
        row += [other for other in among if other not in row and are_touching(slots[one], slots[other])]
    return row


@lru_cache(maxsize=4096)  # the same rows are asked for often
def are_touching(one: Slot, other: Slot) -> bool:
    """Tell whether two cards lie edge to edge."""
    middles_px = other.centre_px - one.centre_px
    farthest_mm = 100.0  # between centres: more than a card's diagonal
    if float(middles_px @ middles_px) > (farthest_mm * one.px_per_mm) ** 2:
        return False
    apart_px = np.concatenate(
        [outside_px(one.corners_px, other.corners_px), outside_px(other.corners_px, one.corners_px)]
    )
    # within this gap, a card that is pushed reaches the next one in a few milliseconds
    touching_mm = 6.0
    return float(apart_px.min()) < touching_mm * one.px_per_mm


def in_rows(
    field: FieldModel, flights: Sequence[Flight], known: MutableMapping[tuple[Flight, Flight], Flight]
) -> list[Flight]:
    """Return the flights, with the instants of badly seen cards improved by the best one of their row.

    The hand that drives the row gives neighbours similar errors. So only one neighbour is asked, and no card
    gets a narrower interval than that one.

    `known`: results of earlier calls, by flight and best of its row; added to.
    """
    by_number = {flight.number: flight for flight in flights}
    found = []
    for flight in flights:
        row = row_of(field.slots, flight.number, by_number)
        best = by_number[min(row, key=lambda number: by_number[number].launch.half_ns)]
        if (flight, best) not in known:
            known[flight, best] = _improved(flight, best)
        found.append(known[flight, best])
    return found


def _improved(flight: Flight, best: Flight) -> Flight:
    """Return a flight with its instant improved by another card of its row."""
    launch = best.launch
    better_share = 0.7  # share of a card's own doubt above which a neighbour's tells nothing
    if flight.chances is None or launch.half_ns > better_share * flight.launch.half_ns:
        return flight
    edges_ns, chance = flight.chances
    middles_ns = (edges_ns[1:] + edges_ns[:-1]) / 2
    ahead = _cards_ahead(flight, best)
    # per card ahead: the delay, and its standard deviation
    next_ns, at_once_ns = 1.0e6, 1.2e6
    sigma_ns = float(np.hypot(launch.half_ns / 2, at_once_ns * abs(ahead) ** 0.5))
    off = (middles_ns - launch.t_ns - next_ns * ahead * (best.strength >= WEAK)) / sigma_ns
    near = np.exp(-(off**2) / 2) / (sigma_ns * np.sqrt(2 * np.pi))
    together_chance = 0.95  # otherwise a hand struck them one after the other
    otherwise = (1 - together_chance) / (edges_ns[-1] - edges_ns[0])
    found = quantiles(edges_ns, chance * (together_chance * near + otherwise))
    half_ns = max(found.half_ns, launch.half_ns)
    told = Launch(found.t_ns, found.t_ns - half_ns, found.t_ns + half_ns)
    return replace(flight, launch=told, borrowed=flight.launch.half_ns > VAGUE_NS)


def _cards_ahead(flight: Flight, best: Flight) -> float:
    """Return how many cards ahead of `best`, on its way, a card lay; negative if behind it."""
    apart_px = flight.slot.centre_px - best.slot.centre_px
    cards = float(np.hypot(*apart_px)) / (CARD_WIDTH_M * 1000 * flight.slot.px_per_mm)
    return cards if float(apart_px @ best.velocity_px) > 0 else -cards


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
    behind_ns = 3_000_000  # 95 of 100 neighbours set off within this time, see `in_rows`
    return [
        other
        for other in strikes
        if other is not strike
        and other.onset.t_unc_ns < VAGUE_NS
        and strike.onset.earliest_ns - behind_ns <= other.onset.t_ns <= latest_ns
        and nearby(field, strike.number, other.number)
    ]
