"""Cards that were hidden as they started to move: their time is inferred from their neighbours'."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from tests.vision.painted_table import PaintedTable
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import Sight, SlotGrid
from vision.launch.flight import Flight, Launch
from vision.launch.flight_fits import FlightFits
from vision.launch.onset import pushed
from vision.launch.strikes import Strike, explained
from vision.sightings.spots import Spot

WINDOW = (slice(200, 420), slice(300, 760))
SLID_MS = 106.0


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


@pytest.fixture
def field() -> FieldModel:
    table = PaintedTable()
    return FieldModel(SlotGrid(table.slots, table.resting()).picture, table.slots)


def by_slot(
    field: FieldModel, departures: Mapping[int, Departure], sights: Mapping[int, Sequence[Sight]]
) -> dict[int, Strike]:
    """Return how cards moved, by the numbers of their slots."""
    strikes = explained(field, departures, sights, FlightFits(field))
    return {one.number: one for one in strikes}


def test_a_hidden_card_slid_with_those_that_the_same_hand_pressed(field: FieldModel) -> None:
    cards = {10: slid(hidden=False), 11: slid(hidden=True)}
    found = by_slot(
        field, {n: one for n, (one, _) in cards.items()}, {n: seen for n, (_, seen) in cards.items()}
    )
    seen, hidden = found[10].onset, found[11].onset
    assert abs(seen.t_ns - SLID_MS * 1e6) < seen.t_unc_ns
    assert hidden.t_ns == seen.t_ns
    assert seen.t_unc_ns < hidden.t_unc_ns < seen.t_unc_ns + 6e6


def test_a_card_that_flew_off_says_nothing_of_one_that_was_pressed(
    field: FieldModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch = Launch(104e6, 103e6, 105e6)
    flight = Flight(10, field.slots[10], 104e6, launch, np.array([2.0, 0.0]), 0.0, 1.0)

    def flights(*_: object) -> dict[int, Flight]:
        return {10: flight}

    monkeypatch.setattr(FlightFits, "flights", flights)
    departure, sights = slid(hidden=True)
    found = by_slot(field, {10: Departure(WINDOW, 100_000_000), 11: departure}, {10: [], 11: sights})
    hidden = found[11].onset
    assert hidden.t_unc_ns > 100e6


def test_a_hidden_card_went_with_those_that_touch_it_not_with_those_nearby(
    field: FieldModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flight(number: int, *launch_ms: float) -> Flight:
        launch = Launch(*(t_ms * 1e6 for t_ms in launch_ms))
        return Flight(number, field.slots[number], launch.t_ns, launch, np.array([2.0, 0.0]), 0.0, 1.0)

    struck = {4: flight(4, 104, 103, 105), 10: flight(10, 120, 119, 121), 11: flight(11, 150, 100, 200)}

    def flights(*_: object) -> dict[int, Flight]:
        return struck

    monkeypatch.setattr(FlightFits, "flights", flights)
    moved = {number: Departure(WINDOW, 100_000_000) for number in struck}
    for one in moved.values():
        one.settled_ns = 600_000_000
    found = by_slot(field, moved, {number: [] for number in struck})
    assert found[11].timed_by == 10
    del struck[10], moved[10]
    found = by_slot(field, moved, {number: [] for number in struck})
    assert found[11].timed_by == 4


@pytest.mark.parametrize(("still_ms", "timed_by"), [(100, 10), (122, 10), (126, None)])
def test_a_card_that_still_lay_there_after_its_neighbour_had_gone_did_not_go_with_it(
    field: FieldModel, monkeypatch: pytest.MonkeyPatch, still_ms: int, timed_by: int | None
) -> None:
    way = np.array([2.0, 0.0])
    launches = {10: Launch(120e6, 119e6, 121e6), 11: Launch(250e6, 90e6, 410e6)}  # its doubt is even
    struck = {n: Flight(n, field.slots[n], one.t_ns, one, way, 0.0, 1.0) for n, one in launches.items()}

    def flights(*_: object) -> dict[int, Flight]:
        return struck

    monkeypatch.setattr(FlightFits, "flights", flights)
    moved = {
        10: Departure(WINDOW, 100_000_000, settled_ns=600_000_000),
        11: Departure(WINDOW, still_ms * 1_000_000, settled_ns=600_000_000),
    }
    found = by_slot(field, moved, {10: [], 11: []})
    assert found[11].timed_by == timed_by


@pytest.mark.parametrize(("seen", "strength"), [(False, 0.0), (True, 0.7)])
def test_a_path_with_a_borrowed_time_is_believed_only_where_the_card_was_seen_on_it(
    field: FieldModel, monkeypatch: pytest.MonkeyPatch, seen: bool, strength: float
) -> None:
    way = np.array([2.0, 0.0])
    spots = (Spot(190_000_000, 80 * way),) if seen else ()
    told = Flight(10, field.slots[10], 150e6, Launch(104e6, 99e6, 109e6), way, 0.0, 0.7, spots, borrowed=True)

    def flights(*_: object) -> dict[int, Flight]:
        return {10: told}

    monkeypatch.setattr(FlightFits, "flights", flights)
    moved = {10: Departure(WINDOW, 100_000_000, settled_ns=600_000_000)}
    found = by_slot(field, moved, {10: []})[10]
    assert found.flight is not None
    assert (found.flight.strength, found.onset.t_ns) == (strength, 104e6)
    assert found.covers is told  # it may lie over others


@pytest.mark.parametrize(("seen", "strength"), [(False, 0.0), (True, 0.7)])
def test_a_path_that_was_fitted_to_another_time_is_believed_only_where_the_card_was_seen_on_it(
    field: FieldModel, monkeypatch: pytest.MonkeyPatch, seen: bool, strength: float
) -> None:
    way = np.array([2.0, 0.0])
    clear = Flight(10, field.slots[10], 104e6, Launch(104e6, 103e6, 105e6), way, 0.0, 1.0)
    spots = (Spot(190_000_000, 80 * way),) if seen else ()
    vague = Flight(11, field.slots[11], 150e6, Launch(150e6, 100e6, 200e6), way, 0.0, 0.7, spots)

    def flights(*_: object) -> dict[int, Flight]:
        return {10: clear, 11: vague}

    monkeypatch.setattr(FlightFits, "flights", flights)
    moved = {number: Departure(WINDOW, 100_000_000) for number in (10, 11)}
    for one in moved.values():
        one.settled_ns = 600_000_000
    found = by_slot(field, moved, {10: [], 11: []})
    assert found[11].onset.t_ns == found[10].onset.t_ns  # the neighbours' time
    assert (found[10].timed_by, found[11].timed_by) == (None, 10)
    flight = found[11].flight
    assert flight is not None
    assert flight.strength == strength
