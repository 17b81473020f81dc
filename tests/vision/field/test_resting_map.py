"""When a lamp was switched: between which pictures, however fast, and despite other flicker."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import SIZE, Arm, PaintedTable
from vision.field.model import FieldModel
from vision.field.resting_map import Lighting, RowLight
from vision.field.slots import SlotGrid
from vision.frames.frame import Gray
from vision.hands.frame_map import NEAR, FrameMap
from vision.hands.player_map import PlayerMap

MS = 1_000_000
STEP_MS = 10


def lit(light: Callable[[float], float], until_ms: int = 1000) -> Lighting:
    """Follow a light, a factor at each instant in ms, in a picture in which one arm is darker throughout."""
    lighting = Lighting()
    for t_ms in range(0, until_ms, STEP_MS):
        sparse = np.full((20, 36), round(100 * light(t_ms)), np.uint8)
        sparse[5:15, 10:14] = 40
        lighting.note(sparse, t_ms * MS)
    return lighting


@pytest.mark.parametrize("factor", [0.7, 1.4])
def test_a_lamp_is_switched_between_two_pictures(factor: float) -> None:
    switched = lit(lambda t_ms: factor if t_ms > 403 else 1.0).switched_ns()
    assert switched == (400 * MS, 410 * MS)
    assert lit(lambda t_ms: factor if t_ms > 203 else 1.0).factor == pytest.approx(factor)


def test_the_farthest_light_since_an_instant_is_told_though_it_came_back() -> None:
    dipped = lit(lambda t_ms: 0.7 if 300 <= t_ms < 450 else 1.0)
    assert dipped.factor == pytest.approx(1.0)
    assert dipped.farthest_since(200 * MS) == pytest.approx(0.7)
    assert dipped.farthest_since(500 * MS) == pytest.approx(1.0)
    flashed = lit(lambda t_ms: 1.5 if 300 <= t_ms < 310 else 1.0)
    assert flashed.farthest_since(0) == pytest.approx(1.0), "a single picture may be an arm's"
    assert Lighting().farthest_since(0) == pytest.approx(1.0)


_STEP_NS = 16_000_000


def under(gray: Gray, x: float, y: float, depth: float = 0.5, radius: float = 170.0) -> Gray:
    """Return a picture with the round shade of somebody who walks by, its edge 0.3 m wide."""
    columns, rows = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    shade = 1 / (1 + np.exp((np.hypot(columns - x, rows - y) - radius) / 80.0))
    return np.asarray(np.clip(gray * (1 - depth * shade), 0, 255), np.uint8)


def map_of(table: PaintedTable, resting: list[Gray]) -> PlayerMap:
    field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
    return PlayerMap(resting, field.floor, field.px_per_mm)


def passing(table: PaintedTable, players: PlayerMap, arms: list[Arm]) -> list[FrameMap]:
    """Let the shade walk from left to right over the whole field."""
    ways = np.linspace(-150, SIZE[0] + 150, 40)
    return [
        players.feed(under(table.gray(arms=arms), x, 300), 1 + number * _STEP_NS)
        for number, x in enumerate(ways)
    ]


def test_the_place_where_a_shade_lay_is_no_arm_when_it_has_gone(table: PaintedTable) -> None:
    resting = [under(gray, 520, 330) for gray in table.resting()]
    over = map_of(table, resting).feed(table.gray())
    assert over.area < 0.01 * over.mask.size


def test_an_arm_in_a_shade_is_an_arm(table: PaintedTable) -> None:
    arm = Arm(Side.NEAR, (400, 250), 420, 70.0, gray=70)
    players = map_of(table, table.resting())
    bare = players.feed(table.gray(arms=[arm]))
    shaded = passing(table, map_of(table, table.resting()), [arm])
    cells = (bare.players == NEAR).astype(np.uint8)
    inner = cv2.erode(cells, np.ones((3, 3), np.uint8)) > 0
    around = cv2.dilate(cells, np.ones((9, 9), np.uint8)) > 0
    for over in shaded:
        assert (over.players[inner] == NEAR).mean() > 0.9
    assert np.median([(over.mask[~around] > 0).mean() for over in shaded]) < 0.01


def rippled(gray: Gray, t_s: float, depth: float) -> Gray:
    """Light a picture with a lamp of 119.6 Hz, read out in 9 ms."""
    rows_s = t_s + np.linspace(-0.5, 0.5, len(gray)) * 0.009
    light = 1 + depth * np.sin(2 * np.pi * 119.6 * rows_s)
    return np.clip(gray * light[:, None], 0, 255).astype(np.uint8)


def after_quiet(table: PaintedTable, depth: float) -> RowLight:
    light = RowLight(np.mean(table.resting(), axis=0).astype(np.float32))
    for index in range(20):
        light.feed(table.frame(33.0 * index, rippled(table.gray(), 0.033 * index, depth)), 0.0)
    return light


@pytest.mark.parametrize("depth", [0.05, 0.15, 0.25])
def test_bands_of_rippling_lamps_are_evened_out_below_hands_too(table: PaintedTable, depth: float) -> None:
    light = after_quiet(table, depth)
    x, y = (float(side) for side in table.slots[8].centre_px)
    truly = table.gray(arms=[Arm(Side.NEAR, (x, y), x)])
    seen = light.feed(table.frame(700.0, rippled(truly, 0.7, depth)), 0.5).gray
    off = np.abs(seen.astype(int) - truly)
    bands = np.abs(rippled(truly, 0.7, depth).astype(int) - truly)
    assert light.ripples
    assert off.mean() < max(2.5, 0.25 * bands.mean())


def test_a_hand_is_no_ripple(table: PaintedTable) -> None:
    light = RowLight(np.mean(table.resting(), axis=0).astype(np.float32))
    for index in range(20):
        arm = Arm(Side.NEAR, (480.0, 500.0 - 15.0 * index), 480.0, 90.0)
        light.feed(table.frame(33.0 * index, table.gray(arms=[arm])), 0.0)
    assert not light.ripples
