"""How long arms have been one in the picture, and what is clear again when they have parted."""

import numpy as np
import pytest
from painted_table import Arm, PaintedTable

from referee.sides import Side
from vision.field_model import FieldModel
from vision.hands import Over, PlayerMap
from vision.slots import SlotGrid

_STEP_NS = 8_000_000


@pytest.fixture(scope="module")
def table() -> PaintedTable:
    return PaintedTable()


def filmed(table: PaintedTable, reaches: list[int]) -> list[Over]:
    """Let the near arm reach up by so many pixels, frame by frame, beside a far arm that stays."""
    resting = table.resting()
    players = PlayerMap(resting, FieldModel(SlotGrid(table.slots, resting).picture, table.slots).floor, 1.0)
    far = Arm(Side.FAR, (520, 300), 500, 60.0)
    return [
        players.feed(
            table.gray(arms=[far, Arm(Side.NEAR, (470, 500 - reach), 460, 50.0, gray=90)]),
            1 + number * _STEP_NS,
        )
        for number, reach in enumerate(reaches)
    ]


def test_arms_apart_have_not_met(table: PaintedTable) -> None:
    assert not any(over.met_ns.any() for over in filmed(table, [0, 30, 60]))


def test_a_meeting_is_as_old_as_its_first_frame(table: PaintedTable) -> None:
    overs = filmed(table, [0, 60, 200, 220, 230])
    assert [int(over.met_ns.max()) for over in overs] == [0, 0, *[1 + 2 * _STEP_NS] * 3]


def test_what_was_followed_alike_both_ways_is_clear_after_the_arms_have_parted(table: PaintedTable) -> None:
    overs = filmed(table, [0, 60, 140, 200, 220, 220, 200, 140, 60, 0])
    met = overs[4]
    doubted = np.count_nonzero(met.met_ns) / np.count_nonzero(met.players)
    assert doubted < 0.1
