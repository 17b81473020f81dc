"""The light over the whole floor, and the estimate of the floor below cards."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.painted_table import PaintedTable, Pose
from vision.field.model import FieldModel, light_trend
from vision.field.slots import Floats, SlotGrid

_SHAPE = 480, 640
_ABSENT = Pose(absent=True)


def slope(left: float, right: float, middle: float = 1.0) -> Floats:
    """Return a light that falls from the left to the right edge, and is `middle` times that in the middle."""
    x = np.linspace(-1, 1, _SHAPE[1])
    light = (left + (right - left) * (x + 1) / 2) * (1 + (middle - 1) * (1 - x * x))
    return np.broadcast_to(light, _SHAPE).astype(np.float32)


def strewn(picture: Floats, share: float, value: float) -> tuple[Floats, NDArray[np.bool_]]:
    """Return a picture with squares of a value over about a share of it, and where it is bare still."""
    squares = np.random.default_rng(3).random((_SHAPE[0] // 20, _SHAPE[1] // 20)) < share
    covered = np.kron(squares, np.ones((20, 20), bool))
    return np.where(covered, np.float32(value), picture), ~covered


@pytest.mark.parametrize("light", [slope(140, 70), slope(90, 90, 1.4), slope(120, 120)])
def test_light_is_told_through_what_covers_the_floor(light: Floats) -> None:
    picture, bare = strewn(light, 0.4, 220)
    assert np.allclose(light_trend(picture, bare), light, rtol=0.04)


def test_what_is_no_floor_tells_nothing_of_the_light() -> None:
    """Borders of the tatami are no floor, though nobody has marked them."""
    light = slope(140, 90)
    picture, _ = strewn(light, 0.15, 20)
    assert np.allclose(light_trend(picture, np.ones(_SHAPE, bool)), light, rtol=0.03)


@pytest.mark.parametrize(("bare", "gray"), [(False, 120), (True, 2)], ids=["all covered", "black"])
def test_where_no_floor_is_seen_the_light_is_even(bare: bool, gray: int) -> None:
    assert np.ptp(light_trend(np.full(_SHAPE, gray, np.float32), np.full(_SHAPE, bare))) == 0


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
