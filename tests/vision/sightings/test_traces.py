"""Where a picture shows traces of a card that left: whole, half covered, and beside cards that look alike."""

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.hands.player_map import PlayerMap
from vision.sightings.traces import ANGLES_DEG, Traces, traces_of

WINDOW = (slice(160, 460), slice(280, 860))
STILL_NS, GONE_NS, NOW_NS = 100_000_000, 116_000_000, 108_000_000


class Scene:
    """One picture of a card that has left its place, 8 ms after it was last seen there."""

    def __init__(self, poses: dict[int, Pose], arms: list[Arm], left: tuple[int, ...]) -> None:
        table = PaintedTable()
        resting = table.resting()
        self.slots = table.slots
        field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
        over = PlayerMap(resting, field.floor, field.px_per_mm).feed(table.gray(poses, arms))
        departure = Departure(WINDOW, STILL_NS, seen_gone_ns=GONE_NS)
        departure.add(table.frame(NOW_NS / 1e6, table.gray(poses, arms)), over, frozenset(left))
        (view,) = departure.after()
        self.traces: Traces = traces_of(field, 11, view, STILL_NS)

    def energy(self, x: float, y: float, angle_deg: int = 0) -> float:
        index = ANGLES_DEG.index(angle_deg)
        column, row = np.rint((self.traces.offsets[index] + (x, y)) / self.traces.cell).astype(int)
        return float(self.traces.maps[index][row, column])

    def best(self) -> tuple[float, float, int]:
        index = int(np.argmin([one.min() for one in self.traces.maps]))
        row, column = np.unravel_index(int(self.traces.maps[index].argmin()), self.traces.maps[index].shape)
        at = np.array([column, row]) * self.traces.cell - self.traces.offsets[index]
        return float(at[0]), float(at[1]), ANGLES_DEG[index]


@pytest.mark.parametrize("turn_deg", [-30, 0, 20])
def test_a_card_in_full_view_is_found_with_its_angle(turn_deg: int) -> None:
    x, y, angle_deg = Scene({12: Pose(90.0, 40.0, turn_deg)}, [], (11,)).best()
    assert (abs(x - 90), abs(y - 40)) <= (4, 4)
    assert abs(angle_deg - turn_deg) <= 10


@pytest.mark.parametrize("gray", [120, 150])  # the second is as bright as the floor
def test_half_a_card_is_enough(gray: int) -> None:
    centre_x, centre_y = 470.0 + 90.0, 310.0
    arm = Arm(Side.NEAR, (centre_x + 22, centre_y), centre_x + 22, 44.0, gray)
    scene = Scene({12: Pose(90.0, 0.0)}, [arm], (11,))
    assert scene.energy(90, 0) < min(scene.energy(150, 0), scene.energy(60, 0), scene.energy(90, 40))


def test_a_hand_that_looks_like_the_floor_hardly_speaks_against_the_card() -> None:
    """The card still lies under it, and nothing else is seen of it."""
    arm = Arm(Side.NEAR, (470.0, 240.0), 470.0, 90.0, 138)
    assert Scene({}, [arm], (11,)).energy(0, 0) <= 0.1
