"""The time since two arms merged in the picture."""

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.frames.frame import Gray
from vision.hands.frame_map import FrameMap
from vision.hands.player_map import PlayerMap

_STEP_NS = 8_000_000


@pytest.fixture(scope="module")
def table() -> PaintedTable:
    return PaintedTable()


def floor_of(table: PaintedTable) -> NDArray[np.float32]:
    return FieldModel(SlotGrid(table.slots, table.resting()).picture, table.slots).floor


def map_of(table: PaintedTable) -> PlayerMap:
    return PlayerMap(table.resting(), floor_of(table), 1.0)


def filmed(table: PaintedTable, reaches: list[int], players: PlayerMap | None = None) -> list[FrameMap]:
    """Let the near arm reach up by so many pixels, frame by frame, beside a far arm that stays."""
    players = players or map_of(table)
    return [
        players.feed(meeting_gray(table, reach), 1 + number * _STEP_NS)
        for number, reach in enumerate(reaches)
    ]


def meeting_gray(table: PaintedTable, reach: int) -> Gray:
    arms = [Arm(Side.FAR, (520, 300), 500, 60.0), Arm(Side.NEAR, (470, 500 - reach), 460, 50.0, gray=90)]
    return table.gray(arms=arms)


def test_arms_apart_have_not_met(table: PaintedTable) -> None:
    assert not any(over.met_ns.any() for over in filmed(table, [0, 30, 60]))


def test_a_meeting_is_as_old_as_its_first_frame(table: PaintedTable) -> None:
    overs = filmed(table, [0, 60, 200, 220, 230])
    assert [int(over.met_ns.max()) for over in overs] == [0, 0, *[1 + 2 * _STEP_NS] * 3]
