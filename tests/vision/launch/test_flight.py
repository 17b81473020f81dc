"""Flights of struck cards, found again in pictures painted with them."""

import numpy as np
import pytest

from tests.vision.painted_table import PaintedTable, Pose
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.hands.player_map import PlayerMap
from vision.launch.flight import Flight
from vision.launch.onset import WEAK, flight_onset
from vision.launch.strikes import FlightFits

WINDOW = (slice(200, 420), slice(300, 760))


class Strike:
    """Cards that set off at an instant with a velocity in pixels per millisecond, seen at 120 fps."""

    def __init__(self, flights: dict[int, tuple[float, float, float, float]]) -> None:
        self.table = PaintedTable()
        resting = self.table.resting()
        self.field = FieldModel(SlotGrid(self.table.slots, resting).picture, self.table.slots)
        players = PlayerMap(resting, self.field.floor, self.field.px_per_mm)
        self.departures = {card - 1: Departure(WINDOW, 100_000_000) for card in flights}
        for number, t_ms in enumerate(np.arange(100.0, 160.0, 1000 / 120)):
            poses = {
                card: Pose(vx * max(0.0, t_ms - t0), vy * max(0.0, t_ms - t0), turn * max(0.0, t_ms - t0))
                for card, (t0, vx, vy, turn) in flights.items()
            }
            frame = self.table.frame(t_ms, self.table.gray(poses))
            over = players.feed(frame.gray)
            absent = frozenset(self.departures) if number else frozenset()
            for departure in self.departures.values():
                if number == 1:
                    departure.seen_gone_ns = frame.t_ns
                departure.add(frame, over, absent, absent)

    def flights(self) -> dict[int, Flight]:
        """Return how the cards flew off."""
        numbers = list(self.departures)
        return FlightFits(self.field).flights(numbers, self.departures, dict.fromkeys(numbers, ()))


@pytest.mark.parametrize(("vx", "vy", "turn"), [(2.0, 0.0, 0.0), (3.0, 1.5, 0.5), (1.0, -1.0, -0.5)])
def test_a_flight_is_found_with_its_instant(vx: float, vy: float, turn: float) -> None:
    strike = Strike({12: (104.0, vx, vy, turn)})
    departure = strike.departures[11]
    flight = strike.flights()[11]
    assert flight.strength > WEAK
    np.testing.assert_allclose(flight.velocity_px, (vx, vy), atol=0.35)
    assert flight.launch.early_ns < 104e6 < flight.launch.late_ns
    assert abs(flight.launch.t_ns / 1e6 - 104.0) < 2.0  # cards may also take on their speed in 3 ms
    onset = flight_onset(departure, flight)
    assert abs(onset.t_ns / 1e6 - 104.0) < onset.t_unc_ns / 1e6
