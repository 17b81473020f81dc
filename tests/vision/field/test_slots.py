"""The result of a look at a card: its face in place, shifted, shaded, covered, or the floor."""

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.field.slots import SlotGrid, sights_of


@pytest.fixture(scope="module")
def grid(table: PaintedTable) -> SlotGrid:
    return SlotGrid(table.slots, table.resting())


def test_a_card_at_rest_is_seen_whole_and_in_place(table: PaintedTable, grid: SlotGrid) -> None:
    sight = sights_of(grid.look(table.gray()), 5)[3]
    assert (sight.t_ns, sight.seen) == (5, 12)
    assert sight.length_px < 0.05
    assert not sight.is_moved(0.2)


@pytest.mark.parametrize("shade", [0.9, 0.7, 0.5])
def test_a_shadow_neither_hides_nor_moves_a_card(table: PaintedTable, grid: SlotGrid, shade: float) -> None:
    centre_x = float(table.slots[3].centre_px[0])
    sight = sights_of(grid.look(table.gray(shade=shade, shade_from_x=centre_x)), 0)[3]
    assert sight.seen >= 9
    assert sight.length_px < 0.15


def test_the_bare_floor_is_told_from_card_and_hand(table: PaintedTable, grid: SlotGrid) -> None:
    x, y = table.slots[5].centre_px
    gray = table.gray({4: Pose(absent=True)}, [Arm(Side.FAR, (x, y + 30), x, 90)])
    which = np.arange(12)
    floor = grid.block_means(np.full(gray.shape, 150, np.float32))
    bare = grid.bare(grid.look(gray), which, floor, np.ones(12, np.float32)).sum(axis=1)
    assert bare[3] == 12
    assert bare[5] == 0
    assert bare[7] == 0
