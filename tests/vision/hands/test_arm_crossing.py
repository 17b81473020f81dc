"""The time since two arms merged in the picture, and what is known again after they part."""

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.frames.frame import Gray
from vision.hands import player_map as hands
from vision.hands.frame_map import FrameMap
from vision.hands.player_map import PlayerMap

_STEP_NS = 8_000_000
MEETING = [0, 60, 140, 200, 220, 220, 200, 140, 60, 0]


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


def test_what_was_followed_alike_both_ways_is_clear_after_the_arms_have_parted(table: PaintedTable) -> None:
    players = map_of(table)
    overs = filmed(table, MEETING, players)
    while players.look_back():
        pass
    met = overs[4]
    doubted = np.count_nonzero(met.met_ns) / np.count_nonzero(met.players)
    assert doubted < 0.1


def test_a_way_back_is_gone_one_frame_at_a_time_when_it_is_asked_for(table: PaintedTable) -> None:
    floor, resting = floor_of(table), table.resting()
    at_once, stepwise = (PlayerMap(resting, floor, 1.0) for _ in range(2))
    # the same pictures: grain would make cells of the arms' rims each other's
    grays = [meeting_gray(table, reach) for reach in MEETING]
    expected, overs = (
        [players.feed(gray, 1 + number * _STEP_NS) for number, gray in enumerate(grays)]
        for players in (at_once, stepwise)
    )
    doubted = [over.met_ns > 0 for over in overs]
    assert any(cells.any() for cells in doubted)
    while at_once.look_back():
        pass
    changed: list[int] = []
    while stepwise.look_back():
        now = [over.met_ns > 0 for over in overs]
        changed.append(
            sum(bool((one != other).any()) for one, other in zip(doubted, now, strict=True)) - sum(changed)
        )
    assert max(changed) == 1
    assert sum(changed) > 1
    assert all(np.array_equal(one.met_ns, other.met_ns) for one, other in zip(overs, expected, strict=True))


def test_the_frames_that_wait_for_a_way_back_are_bounded(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hands, "_LONGEST_MEETING", 5)
    players = map_of(table)
    overs = filmed(table, [*MEETING, *MEETING], players)
    doubts = [float(np.mean(over.met_ns[over.players > 0] > 0)) for over in overs]
    assert doubts[4] < 0.1 < doubts[4 + len(MEETING)]  # the later meeting still waits


def test_a_way_back_is_gone_no_farther_than_asked(table: PaintedTable) -> None:
    players = map_of(table)
    overs = filmed(table, MEETING, players)
    met = [number for number, over in enumerate(overs) if over.met_ns.any()]
    doubts = {number: np.count_nonzero(overs[number].met_ns) for number in met}
    while players.look_back(1 + met[-2] * _STEP_NS):
        pass
    now = {number: np.count_nonzero(overs[number].met_ns) for number in met}
    assert [number for number in met if now[number] != doubts[number]] == met[-2:]
