"""Cameras that tremble and mats that creep: the pictures come back, what a hand did stays."""

import cv2
import numpy as np
import pytest

from tests.vision.painted_table import PX_PER_MM, PaintedTable, Pose
from vision.field.slots import SlotGrid, sights_of
from vision.field.steady_view import SteadyView
from vision.frames.frame import Gray

_MIDDLE = 255  # the row between the two rows of cards


@pytest.fixture
def grid(table: PaintedTable) -> SlotGrid:
    return SlotGrid(table.slots, table.resting())


def shaken(gray: Gray, x: float, y: float, turn_deg: float = 0.0) -> Gray:
    height, width = gray.shape
    warp = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 1.0)
    warp = warp + np.array([[0.0, 0.0, x], [0.0, 0.0, y]])
    return np.asarray(cv2.warpAffine(gray, warp, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def shifts_after(grid: SlotGrid, table: PaintedTable, *pictures: Gray) -> np.ndarray:
    """Return where each card seems to lie in the last picture, (12, 2), after all were steadied."""
    steadied = SteadyView(grid, PX_PER_MM)
    nothing, nobody = np.zeros(12), np.zeros(12, np.bool_)
    seen = [
        steadied.feed(table.frame(8.0 * index, gray), nothing, nobody) for index, gray in enumerate(pictures)
    ]
    return np.array([sight.shift_px for sight in sights_of(grid.look(seen[-1].gray), 0)])


@pytest.mark.parametrize(("x", "y", "turn_deg"), [(0.3, -0.2, 0.0), (1.2, 0.9, 0.05), (-2.4, 1.1, -0.1)])
def test_a_camera_that_trembles_moves_no_card(
    grid: SlotGrid, table: PaintedTable, x: float, y: float, turn_deg: float
) -> None:
    off = shifts_after(grid, table, shaken(table.gray(), x, y, turn_deg))
    assert np.hypot(*off.T).max() < 0.15


def test_a_mat_that_creeps_moves_no_card_and_leaves_the_other_mat(
    grid: SlotGrid, table: PaintedTable
) -> None:
    gray = table.gray()
    gray[_MIDDLE:] = shaken(gray, 1.4, 0.5)[_MIDDLE:]
    assert np.hypot(*shifts_after(grid, table, gray).T).max() < 0.15


def test_what_a_hand_pressed_stays_pressed_below_a_trembling_camera(
    grid: SlotGrid, table: PaintedTable
) -> None:
    pressed = {8: Pose(0.6, 0.3), 9: Pose(0.6, 0.3)}
    off = shifts_after(grid, table, shaken(table.gray(pressed), -0.8, 0.4))
    assert off[7] == pytest.approx([0.6, 0.3], abs=0.15)
    assert off[8] == pytest.approx([0.6, 0.3], abs=0.15)
    assert np.hypot(*off[[0, 1, 2, 3, 4, 5, 6, 9, 10, 11]].T).max() < 0.15
