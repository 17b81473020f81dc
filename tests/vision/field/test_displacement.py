"""Cards that lie a few millimetres from their place."""

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.field.displacement import Face


@pytest.mark.parametrize("shift", [(0.0, 0.0), (2.4, -1.3), (-6.0, 5.0)])
def test_a_displaced_card_is_found(table: PaintedTable, shift: tuple[float, float]) -> None:
    face = Face(table.gray().astype(np.float32), table.slots[7])
    found = face.find(table.gray({8: Pose(*shift)}))
    assert found is not None
    np.testing.assert_allclose(found.shift_px, shift, atol=0.3)
    assert found.blocks >= 8


def test_half_a_card_is_enough(table: PaintedTable) -> None:
    face = Face(table.gray().astype(np.float32), table.slots[7])
    x, y = table.slots[7].centre_px
    found = face.find(table.gray({8: Pose(3.0, 2.0)}, [Arm(Side.NEAR, (x + 25, y), x + 25, 40)]))
    assert found is not None
    np.testing.assert_allclose(found.shift_px, (3.0, 2.0), atol=0.3)


def test_a_card_that_left_is_not_found_in_what_lies_there_now(table: PaintedTable) -> None:
    face = Face(table.gray().astype(np.float32), table.slots[7])
    assert face.find(table.gray({8: Pose(absent=True)})) is None
    other = {8: Pose(absent=True), 9: Pose(-54.0, 0.0)}
    assert face.find(table.gray(other)) is None
