"""The light over the whole floor, and the estimate of the floor below cards."""

import numpy as np

from tests.vision.painted_table import PaintedTable, Pose
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid

_ABSENT = Pose(absent=True)


def test_the_floor_below_the_last_card_of_a_row_is_as_dark_as_the_light_makes_it() -> None:
    """Beside it the floor is seen on one side only, where the picture's corner is darker, or lighter."""
    table = PaintedTable()
    across = 1.4 * np.exp(-np.square(np.arange(960) / 450))[None]
    resting = [np.clip(np.rint(gray * across), 0, 255).astype(np.uint8) for gray in table.resting()]
    field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
    bare = np.clip(table.gray(dict.fromkeys(range(1, 13), _ABSENT)) * across, 0, 255)
    for slot in (table.slots[0], table.slots[5], table.slots[11]):
        low, high = slot.corners_px.min(axis=0).astype(int), slot.corners_px.max(axis=0).astype(int)
        place = slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
        guessed, true = field.floor[place], bare[place]
        columns = guessed.mean(axis=0) / true.mean(axis=0)
        assert abs(columns - 1).max() < 0.05
