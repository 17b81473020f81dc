"""Cards that were hidden as they started to move: their time is inferred from their neighbours'."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import Sight
from vision.launch.flight import Flight, Launch
from vision.launch.onset import pushed
from vision.launch.strikes import FlightFits, Strike, explained
from vision.sightings.spots import Spot

WINDOW = (slice(200, 420), slice(300, 760))
SLID_MS = 106.0
WAY_PX = np.array([2.0, 0.0])  # pixels per millisecond


def slid(*, hidden: bool) -> tuple[Departure, list[Sight]]:
    """Return a card that slid by two millimetres, under a hand or in full view."""
    departure = Departure(WINDOW, 100_000_000)
    departure.final_shift_px, departure.settled_ns = np.array([2.0, 0.0]), 600_000_000
    times_ms = np.zeros(0) if hidden else np.arange(60.0, 160.0, 1000 / 240)
    if not hidden:
        departure.still_ns = round(max(t for t in times_ms if t < SLID_MS) * 1e6)
    shifts = pushed(times_ms - SLID_MS, 10.0) * 2.0
    sights = [
        Sight(round(t * 1e6), 12, np.array([shift, 0.0], np.float32))
        for t, shift in zip(times_ms, shifts, strict=True)
    ]
    return departure, sights


class KnownFlights(FlightFits):
    """Flights that are given instead of fitted."""

    def __init__(self, field: FieldModel, *flights: Flight) -> None:
        super().__init__(field)
        self.known = {flight.number: flight for flight in flights}

    def flights(self, *_: object) -> dict[int, Flight]:
        return self.known


def by_slot(
    field: FieldModel,
    departures: Mapping[int, Departure],
    sights: Mapping[int, Sequence[Sight]] | None = None,
    flights: Sequence[Flight] = (),
) -> dict[int, Strike]:
    """Return how cards moved, by the numbers of their slots; nobody saw them if no sights are given."""
    fits = KnownFlights(field, *flights) if flights else FlightFits(field)
    seen = dict.fromkeys(departures, ()) if sights is None else sights
    return {one.number: one for one in explained(field, departures, seen, fits)}


def gone(still_ms: float = 100) -> Departure:
    """Return a card that was last seen in place at an instant, and left."""
    return Departure(WINDOW, round(still_ms * 1e6), settled_ns=600_000_000)


def flight(
    field: FieldModel,
    number: int,
    *launch_ms: float,
    even_ms: float | None = None,
    strength: float = 1.0,
    spots: tuple[Spot, ...] = (),
    borrowed: bool = False,
) -> Flight:
    """Return a flight to the right by its launch: median, early and late, milliseconds."""
    launch = Launch(*(t_ms * 1e6 for t_ms in launch_ms))
    t_ns = launch.t_ns if even_ms is None else even_ms * 1e6
    slot = field.slots[number]
    return Flight(number, slot, t_ns, launch, WAY_PX, 0.0, strength, spots, borrowed=borrowed)


def test_a_hidden_card_slid_with_those_that_the_same_hand_pressed(field: FieldModel) -> None:
    cards = {10: slid(hidden=False), 11: slid(hidden=True)}
    found = by_slot(
        field, {n: one for n, (one, _) in cards.items()}, {n: seen for n, (_, seen) in cards.items()}
    )
    seen, hidden = found[10].onset, found[11].onset
    assert abs(seen.t_ns - SLID_MS * 1e6) < seen.t_unc_ns
    assert hidden.t_ns == seen.t_ns
    assert seen.t_unc_ns < hidden.t_unc_ns < seen.t_unc_ns + 6e6


def test_a_card_that_flew_off_says_nothing_of_one_that_was_pressed(field: FieldModel) -> None:
    departure, sights = slid(hidden=True)
    found = by_slot(
        field, {10: gone(), 11: departure}, {10: [], 11: sights}, [flight(field, 10, 104, 103, 105)]
    )
    assert found[11].onset.t_unc_ns > 100e6


@pytest.mark.parametrize(("touching", "timed_by"), [(True, 10), (False, 4)])
def test_a_hidden_card_went_with_those_that_touch_it_not_with_those_nearby(
    field: FieldModel, touching: bool, timed_by: int
) -> None:
    struck = [flight(field, 4, 104, 103, 105), flight(field, 11, 150, 100, 200)]
    struck += [flight(field, 10, 120, 119, 121)] if touching else []
    found = by_slot(field, {one.number: gone() for one in struck}, flights=struck)
    assert found[11].timed_by == timed_by


@pytest.mark.parametrize(("still_ms", "timed_by"), [(100, 10), (122, 10), (126, None)])
def test_a_card_that_still_lay_there_after_its_neighbour_had_gone_did_not_go_with_it(
    field: FieldModel, still_ms: int, timed_by: int | None
) -> None:
    doubtful = flight(field, 11, 250, 90, 410)  # its doubt is even
    found = by_slot(
        field, {10: gone(), 11: gone(still_ms)}, flights=[flight(field, 10, 120, 119, 121), doubtful]
    )
    assert found[11].timed_by == timed_by


SEEN = (Spot(190_000_000, 80 * WAY_PX),)


@pytest.mark.parametrize(("spots", "strength"), [((), 0.0), (SEEN, 0.7)])
def test_a_path_with_a_borrowed_time_is_believed_only_where_the_card_was_seen_on_it(
    field: FieldModel, spots: tuple[Spot, ...], strength: float
) -> None:
    told = flight(field, 10, 104, 99, 109, even_ms=150, strength=0.7, spots=spots, borrowed=True)
    found = by_slot(field, {10: gone()}, flights=[told])[10]
    assert found.flight is not None
    assert (found.flight.strength, found.onset.t_ns) == (strength, 104e6)
    assert found.covers is told  # it may lie over others


@pytest.mark.parametrize(("spots", "strength"), [((), 0.0), (SEEN, 0.7)])
def test_a_path_that_was_fitted_to_another_time_is_believed_only_where_the_card_was_seen_on_it(
    field: FieldModel, spots: tuple[Spot, ...], strength: float
) -> None:
    clear = flight(field, 10, 104, 103, 105)
    vague = flight(field, 11, 150, 100, 200, strength=0.7, spots=spots)
    found = by_slot(field, {10: gone(), 11: gone()}, flights=[clear, vague])
    assert found[11].onset.t_ns == found[10].onset.t_ns  # the neighbours' time
    assert (found[10].timed_by, found[11].timed_by) == (None, 10)
    assert found[11].flight is not None
    assert found[11].flight.strength == strength
