"""Cards that were hidden as they started to move: their time is inferred from their neighbours'."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from referee.facts import Touch
from tests.vision.painted_table import PaintedTable, Pose, swept
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import Sight
from vision.frames.frame import Frame
from vision.launch import strikes
from vision.launch.flight import Flight, Launch, Trail, find_trail, quantiles
from vision.launch.onset import pushed
from vision.launch.strikes import FlightFits, Strike, explained, in_rows
from vision.poem.watcher import PoemWatcher
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


@pytest.mark.parametrize(("touching", "timed_by"), [(True, 10), (False, 4)])
def test_a_hidden_card_went_with_those_that_touch_it_not_with_those_nearby(
    field: FieldModel, touching: bool, timed_by: int
) -> None:
    struck = [flight(field, 4, 104, 103, 105), flight(field, 11, 150, 100, 200)]
    struck += [flight(field, 10, 120, 119, 121)] if touching else []
    found = by_slot(field, {one.number: gone() for one in struck}, flights=struck)
    assert found[11].timed_by == timed_by


_MS = 1e6
_EDGES_NS = np.arange(90.0, 160.25, 0.25) * _MS


def flight_of_row_times(field: FieldModel, number: int, t_ms: float, half_ms: float) -> Flight:
    """Return a card that set off at about an instant, evenly likely up to `half_ms` before and after."""
    middles_ms = (_EDGES_NS[1:] + _EDGES_NS[:-1]) / 2 / _MS
    chance = np.where(np.abs(middles_ms - t_ms) < half_ms, 1.0, 1e-6)
    launch = quantiles(_EDGES_NS, chance)
    way = np.array([1.0, 0.0])
    return Flight(number, field.slots[number], t_ms * _MS, launch, way, 0.0, 0.6, chances=(_EDGES_NS, chance))


def test_a_hidden_card_set_off_with_the_neighbour_that_is_seen(field: FieldModel) -> None:
    hidden, seen = in_rows(
        field, [flight_of_row_times(field, 7, 120.0, 20.0), flight_of_row_times(field, 8, 105.0, 2.0)], {}
    )
    assert abs(hidden.launch.t_ns / _MS - 105.0) < 1.5
    assert seen.launch == flight_of_row_times(field, 8, 105.0, 2.0).launch
    assert hidden.launch.early_ns < 105.0 * _MS < hidden.launch.late_ns
    assert hidden.launch.half_ns >= seen.launch.half_ns


def test_what_a_cards_own_pictures_rule_out_its_neighbours_do_not_tell(field: FieldModel) -> None:
    told, _ = in_rows(
        field, [flight_of_row_times(field, 7, 140.0, 15.0), flight_of_row_times(field, 8, 105.0, 2.0)], {}
    )
    assert told.launch.t_ns > 125.0 * _MS


@pytest.fixture(scope="module")
def swipe() -> list[Frame]:
    return swept()


def watched(frames: list[Frame]) -> PoemWatcher:
    table = PaintedTable()
    watcher = PoemWatcher(table.slots, table.resting())
    for frame in frames:
        watcher.feed(frame)
    return watcher


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the slots whose cards' flights are fitted, in order."""
    fitted: list[int] = []

    def noted(field: FieldModel, number: int, departure: Departure, **known: Any) -> Trail | None:
        fitted.append(number)
        return find_trail(field, number, departure, **known)

    monkeypatch.setattr(strikes, "find_trail", noted)
    return fitted


def test_a_poem_that_is_asked_about_again_makes_no_fit_anew(swipe: list[Frame], fits: list[int]) -> None:
    watcher = watched(swipe)
    assert not fits, "nothing is explained before it is asked for"
    expected = watcher.finish()
    assert {fact.card for fact in expected if isinstance(fact, Touch)} >= {12}
    assert sorted(set(fits)) == [10, 11]
    fits.clear()
    later, away = swipe[-1], {card: Pose(700.0, 80.0) for card in (11, 12)}
    watcher.feed(PaintedTable().frame(later.t_ns / 1e6 + 8, PaintedTable().gray(away)))
    assert len(watcher.finish()) == len(expected)
    assert not fits
