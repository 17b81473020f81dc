"""Cards that vanish at once, and hands that only cover them: whole columns of blocks are lost at once."""

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable
from vision.departures.card_track import has_vanished
from vision.field.slots import BLOCKS
from vision.poem.watcher import PoemWatcher

WHOLE = np.ones(BLOCKS, np.bool_)
STEP_NS = 1_000_000_000 // 240


def without(rows: slice, columns: slice) -> np.ndarray:
    left = WHOLE.copy()
    left[rows, columns] = False
    return left.ravel()


def test_what_is_left_of_a_card_and_lost_at_once_has_left() -> None:
    assert has_vanished(WHOLE.ravel(), np.zeros(WHOLE.size, np.bool_), STEP_NS)
    assert has_vanished(without(slice(None), slice(0, 1)), np.zeros(WHOLE.size, np.bool_), STEP_NS)


@pytest.mark.parametrize(
    ("rows", "columns"), [(slice(None), slice(0, 1)), (slice(0, 1), slice(None)), (slice(0, 0), slice(0, 0))]
)
def test_an_edge_hides_a_row_or_a_column_of_blocks_at_once(rows: slice, columns: slice) -> None:
    assert not has_vanished(WHOLE.ravel(), without(rows, columns), STEP_NS)


def test_a_card_does_not_leave_that_an_arm_comes_over() -> None:
    table = PaintedTable()
    watcher = PoemWatcher(table.slots, table.resting())
    x, y = table.slots[8].centre_px
    gone = []
    for t_ms in np.arange(0.0, 120.0, 1000 / 240):
        edge_x = min(x - 120 + 2.5 * t_ms, x)
        arms = [Arm(Side.NEAR, (edge_x, y - 60), edge_x, 60.0)]
        watcher.feed(table.frame(t_ms, table.gray(None, arms)))
        gone.append(bool(watcher.gone()[8]))
    assert not any(gone)
