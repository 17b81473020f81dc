"""The speed of a hand at a card, from painted pictures."""

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.hand_cues.speed import hand_velocity
from vision.hands.player_map import PlayerMap

WINDOW = (slice(160, 460), slice(280, 860))
STILL_MS = 100.0


def measured(vx: float, vy: float, fps: float, *, arm_from_ms: float = 0.0) -> np.ndarray | None:
    """Return the velocity found for an arm that is at the card's edge when the card was last seen."""
    table = PaintedTable()
    resting = table.resting()
    field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
    players = PlayerMap(resting, field.floor, field.px_per_mm)
    slot = table.slots[9]
    x, y = slot.centre_px
    departure = Departure(WINDOW, round(STILL_MS * 1e6))
    for t_ms in np.arange(STILL_MS - 3000 / fps, STILL_MS + 60.0, 1000 / fps):
        since = t_ms - STILL_MS
        tip = (x - 50 + vx * since, y + vy * since)
        arms = [Arm(Side.NEAR, tip, tip[0], 50.0)] if t_ms >= arm_from_ms else []
        frame = table.frame(t_ms, table.gray(None, arms))
        departure.add(frame, players.feed(frame.gray, frame.t_ns))
    return hand_velocity(slot, departure)


@pytest.mark.parametrize("fps", [60.0, 120.0, 240.0])
@pytest.mark.parametrize("velocity", [(1.0, 0.0), (4.0, 0.0), (-1.5, -1.0)])
def test_slow_and_fast_hands_are_measured_at_every_frame_rate(
    velocity: tuple[float, float], fps: float
) -> None:
    found = measured(*velocity, fps)
    assert found is not None
    assert np.hypot(*(found - velocity)) < 0.4 + 0.2 * np.hypot(*velocity)


@pytest.mark.parametrize("fps", [30.0, 60.0])
def test_a_hand_that_came_in_from_outside_is_not_taken_for_a_slow_one(fps: float) -> None:
    found = measured(4.0, 0.0, fps, arm_from_ms=STILL_MS - 1.0)
    assert found is not None
    assert np.hypot(*(found - (4.0, 0.0))) < 1.2
