"""Crossing arms: whose hand comes out on the other side, and limbs in synthetic masks."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.hands.arm_crossing import Meeting
from vision.hands.frame_map import FAR, NEAR, FrameMap
from vision.hands.limbs import Body, Limb, first_limb, followed
from vision.hands.player_map import PlayerMap

_CELL_MM = 8.0
_STEP_NS = 8_000_000


def whose(over: FrameMap, x: float, y: float) -> int:
    return int(over.players[int(y * over.scale), int(x * over.scale)])


@pytest.mark.parametrize("step_px", [25, 45, 80])
def test_a_hand_that_passes_under_the_others_arm_stays_its_own(table: PaintedTable, step_px: int) -> None:
    resting = table.resting()
    players = PlayerMap(resting, FieldModel(SlotGrid(table.slots, resting).picture, table.slots).floor, 1.0)
    far = Arm(Side.FAR, (330, 430), 700, 70.0)
    for number, reach in enumerate(np.linspace(0, 380, 380 // step_px + 1)):
        near = Arm(Side.NEAR, (600 - reach * 0.3, 500 - reach), 620, 60.0, gray=105)
        over = players.feed(table.gray(arms=[near, far]), 1 + number * _STEP_NS)
    x, y = near.tip
    assert y < 160
    assert whose(over, x, y) == NEAR
    assert whose(over, x + 6, y + 20) == NEAR
    assert whose(over, 612, 480) == NEAR
    assert whose(over, 350, 410) == FAR
    assert whose(over, 430, 315) == FAR
    assert whose(over, 670, 35) == FAR


def drawn(*ways: list[tuple[int, int]]) -> NDArray[np.bool_]:
    mask = np.zeros((90, 160), np.uint8)
    for way in ways:
        cv2.polylines(mask, [np.array(way, np.int32)], False, 1, 8)
    return mask > 0


def limb_of(*ways: list[tuple[int, int]], from_bottom: bool) -> Limb:
    limb = first_limb(
        drawn(*ways), np.full((90, 160), 100, np.uint8), from_bottom=from_bottom, cell_mm=_CELL_MM
    )
    assert limb is not None
    return limb


def test_a_limb_leads_from_the_edge_to_the_farthest_end() -> None:
    limb = limb_of([(60, 89), (64, 55), (80, 25)], from_bottom=True)
    assert np.hypot(*(limb.tip - (80, 25))) < 6
    assert limb.edge[1] == 89
    assert abs(limb.edge[0] - 60) < 5
    assert float(limb.distance(np.array([64]), np.array([55]))[0]) < 4
    assert float(limb.distance(np.array([110]), np.array([80]))[0]) > 25


def test_a_limb_ends_at_its_hand_and_not_in_shade_that_lies_farther_aside() -> None:
    limb = limb_of([(80, 89), (84, 40)], [(80, 85), (20, 75)], from_bottom=True)
    assert np.hypot(*(limb.tip - (84, 40))) < 6


def test_limbs_go_on_as_they_went_where_they_cover_each_other() -> None:
    near = limb_of([(80, 89), (80, 46)], from_bottom=True).come_from(np.array([80.0, 66.0]), 8.0)
    far = limb_of([(20, 0), (140, 60)], from_bottom=False)
    mask = drawn([(80, 89), (80, 12)], [(20, 0), (140, 60)])
    body = Body.of(mask, np.full((90, 160), 100, np.uint8), _CELL_MM)
    near, far = followed((near, far), body, 14.0)
    assert np.hypot(*(near.tip - (80, 10))) < 8
    assert np.hypot(*(far.tip - (140, 60))) < 8


def test_fingers_turn_aside_between_coarse_pictures() -> None:
    near = limb_of([(80, 89), (80, 50)], from_bottom=True).come_from(np.array([80.0, 62.0]), 17.0)
    far = limb_of([(20, 0), (30, 20)], from_bottom=False)
    mask = drawn([(70, 89), (66, 46)], [(20, 0), (30, 20)])
    body = Body.of(mask, np.full((90, 160), 100, np.uint8), _CELL_MM)
    near, far = followed((near, far), body, 17.0)
    assert np.hypot(*(near.tip - (66, 46))) < 6
    assert abs(near.edge[0] - 70) < 5  # the whole arm has moved along the border
    assert np.hypot(*(far.tip - (30, 20))) < 6


def test_a_limb_that_is_lost_is_sought_anew_in_what_the_other_one_leaves() -> None:
    """What had passed for the near player's arm was shade that has gone."""
    gray = np.full((90, 160), 100, np.uint8)
    meeting = Meeting(_CELL_MM)
    meeting.apart(drawn([(130, 89), (130, 75)]), drawn([(40, 0), (60, 40)]), gray, 1)
    met = drawn([(40, 0), (60, 44)], [(90, 89), (62, 44)], [(130, 89), (90, 89)])
    assert meeting.divided(met, gray, 1 + _STEP_NS) is not None
    alone = drawn([(40, 0), (60, 44)], [(90, 89), (62, 44)])
    clear = meeting.divided(alone, gray, 1 + 2 * _STEP_NS)
    assert clear is not None
    near, far = clear
    assert near[75, 81]
    assert far[10, 44]
    assert not far[75, 81]


def test_a_hand_that_came_in_a_moment_ago_is_expected_where_it_is_going() -> None:
    """It was nowhere near where the arms have met when it was seen first."""
    gray = np.full((90, 160), 100, np.uint8)
    meeting = Meeting(_CELL_MM)
    far = [drawn([(24, 0), (28, 10)]), drawn([(30, 0), (42, 24)])]
    near = drawn([(100, 89), (80, 40)])
    for number in range(2):
        meeting.apart(near, far[number], gray, 1 + number * 2 * _STEP_NS)
    limbs = meeting._begun(drawn([(40, 0), (56, 38)], [(100, 89), (70, 40)]))
    assert limbs is not None
    assert np.hypot(*limbs[0].velocity) < 0.2
    assert np.hypot(*(limbs[1].velocity * 16 - (14, 14))) < 5
