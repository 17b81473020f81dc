"""How much of the arms at a card is not told from the floor."""

import cv2
import numpy as np
import pytest
from painted_table import SIZE, Arm, PaintedTable

from referee.sides import Side
from vision.departure import View
from vision.field_model import FieldModel
from vision.frames import Gray
from vision.hands import PlayerMap
from vision.slots import SlotGrid
from vision.unseen_arms import unseen_mm2


@pytest.fixture(scope="module")
def table() -> PaintedTable:
    return PaintedTable()


def view_of(table: PaintedTable, gray: Gray) -> View:
    resting = table.resting()
    bare = FieldModel(SlotGrid(table.slots, resting).picture, table.slots).floor
    over = PlayerMap(resting, bare, 1.0).feed(gray, 1)
    return View(1, gray, (slice(0, SIZE[1]), slice(0, SIZE[0])), over)


def test_a_palm_as_bright_as_the_floor_is_a_hole_in_the_hand(table: PaintedTable) -> None:
    slot = table.slots[8]
    x, y = slot.centre_px
    plain = table.gray({}, [Arm(Side.NEAR, (x, y), x, 110.0)])
    pale = plain.copy()
    palm = (slice(int(y) + 48, int(y) + 108), slice(int(x) - 30, int(x) + 30))
    pale[palm] = table.gray()[palm]  # the floor, seen through the hand
    assert unseen_mm2(slot, [view_of(table, plain)]) < 300.0
    assert unseen_mm2(slot, [view_of(table, pale)]) == pytest.approx(3600.0, rel=0.4)


def test_far_from_the_card_or_without_pictures_nothing_counts(table: PaintedTable) -> None:
    x, y = table.slots[0].centre_px
    pale = table.gray({}, [Arm(Side.NEAR, (x + 500, y + 150), x + 500, 110.0)])
    cv2.rectangle(pale, (int(x) + 480, int(y) + 200), (int(x) + 520, int(y) + 240), 150, -1)
    assert unseen_mm2(table.slots[0], [view_of(table, np.asarray(pale, np.uint8))]) == 0.0
    assert unseen_mm2(table.slots[0], []) == 0.0
