"""Cards that a benchmark moves in the pictures of a film: below hands, and nothing else."""

import numpy as np
import pytest

from benchmarks.disturbances.field import Field, Pose
from referee.sides import Side
from tests.vision import painted_table
from tests.vision.painted_table import Arm, PaintedTable


@pytest.fixture
def table() -> PaintedTable:
    return PaintedTable(noise=0.0)


@pytest.fixture
def field(table: PaintedTable) -> Field:
    corners_px = {number + 1: slot.corners_px for number, slot in enumerate(table.slots)}
    sides = {number + 1: str(slot.side) for number, slot in enumerate(table.slots)}
    rest = table.gray().astype(np.float32)
    return Field(rest, corners_px, sides, frozenset({1}), {}, 1, "far", None, 0, 0.0)


def test_a_moved_card_looks_as_if_it_truly_lay_there(table: PaintedTable, field: Field) -> None:
    edited = field.moved_by(table.gray(), {8: Pose(3.0, 2.0)})
    truly = table.gray({8: painted_table.Pose(3.0, 2.0)})
    was = np.abs(table.gray().astype(int) - truly).mean()
    assert np.abs(edited.astype(int) - truly).mean() < 0.1 * was


def test_a_hand_over_a_moved_card_stays_where_it_is(table: PaintedTable, field: Field) -> None:
    x, y = (float(side) for side in table.slots[7].centre_px)
    gray = table.gray(arms=[Arm(Side.NEAR, (x, y), x)])
    arm = np.abs(gray.astype(int) - table.gray()) > 40
    edited = field.moved_by(gray, {8: Pose(3.0, 2.0)})
    changed = np.abs(edited.astype(int) - gray) > 25
    below_arm = np.count_nonzero(changed & arm) / np.count_nonzero(changed)
    assert changed.any()
    assert below_arm < 0.05
    assert field.covered(gray, 8) > 0.3
    assert field.covered(gray, 2) == 0.0
