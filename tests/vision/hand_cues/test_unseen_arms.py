"""How much of the arms at a card is not told from the floor."""

from dataclasses import replace

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import SIZE, Arm, PaintedTable
from vision.departures.departure import View
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.frames.frame import Gray
from vision.hand_cues.unseen_arms import unseen_mm2
from vision.hands.frame_map import FAR, NEAR, NOBODY
from vision.hands.player_map import PlayerMap


@pytest.fixture(scope="module")
def table() -> PaintedTable:
    return PaintedTable()


def view_of(table: PaintedTable, gray: Gray) -> View:
    resting = table.resting()
    bare = FieldModel(SlotGrid(table.slots, resting).picture, table.slots).floor
    over = PlayerMap(resting, bare, 1.0).feed(gray, 1)
    return View(1, gray, (slice(0, SIZE[1]), slice(0, SIZE[0])), over)


def pale_hands(table: PaintedTable, far_reach_mm: float) -> View:
    """Return a near hand with a palm as bright as the floor, and a far arm that ends `far_reach_mm` below."""
    x, y = table.slots[8].centre_px
    view = view_of(table, table.gray({}, [Arm(Side.NEAR, (x, y), x, 110.0)]))
    players = np.zeros_like(view.over.players)
    scale = view.over.scale
    rows, columns = np.mgrid[: players.shape[0], : players.shape[1]]
    right, down = (columns + 0.5) / scale - x, (rows + 0.5) / scale - y
    players[(np.abs(right) < 55) & (down > -30)] = NEAR
    players[(np.abs(right) < 55) & (down < far_reach_mm)] = FAR
    players[(np.abs(right) < 30) & (down > 48) & (down < 108)] = NOBODY
    return replace(view, over=replace(view.over, players=players))


def test_a_palm_as_bright_as_the_floor_leaves_open_whose_fingers_are_beyond_it(table: PaintedTable) -> None:
    slot = table.slots[8]
    assert unseen_mm2(slot, [pale_hands(table, 48.0)]) == pytest.approx(3600.0, rel=0.4)


def test_a_palm_that_only_its_own_hand_surrounds_leaves_nothing_open(table: PaintedTable) -> None:
    assert unseen_mm2(table.slots[8], [pale_hands(table, 20.0)]) == 0.0


def test_far_from_the_card_or_without_pictures_nothing_counts(table: PaintedTable) -> None:
    assert unseen_mm2(table.slots[0], [pale_hands(table, 48.0)]) == 0.0
    assert unseen_mm2(table.slots[8], []) == 0.0
