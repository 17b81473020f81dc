"""The owners of arms, despite shadows, flicker and arms that meet."""

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.frames.frame import Gray
from vision.hands.frame_map import FAR, NEAR, STRANGER, FrameMap
from vision.hands.player_map import PlayerMap


def player_map(table: PaintedTable) -> PlayerMap:
    resting = table.resting()
    field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
    return PlayerMap(resting, field.floor, field.px_per_mm)


def label_at(over: FrameMap, scale: float, x: float, y: float) -> int:
    return int(over.players[int(y * scale), int(x * scale)])


def test_arms_belong_to_the_edge_they_come_from(table: PaintedTable) -> None:
    arms = [Arm(Side.NEAR, (300, 350), 320), Arm(Side.FAR, (600, 200), 580)]
    players = player_map(table)
    over = players.feed(table.gray(arms=arms))
    assert label_at(over, players.scale, 305, 380) == NEAR
    assert label_at(over, players.scale, 598, 180) == FAR
    assert label_at(over, players.scale, 800, 270) == 0


@pytest.mark.parametrize("from_right", [False, True])
def test_an_arm_from_the_left_or_right_is_no_players(table: PaintedTable, *, from_right: bool) -> None:
    players = player_map(table)

    def reaching(to_x: int, *arms: Arm) -> FrameMap:
        gray = table.gray(arms=arms)
        gray[240:290, :to_x] = 90
        return players.feed(gray[:, ::-1].copy() if from_right else gray, to_x)

    def label(over: FrameMap, x: float, y: float) -> int:
        return label_at(over, players.scale, over.shape_px[1] - 1 - x if from_right else x, y)

    near = Arm(Side.NEAR, (300, 420), 320)
    for to_x in (60, 120, 180):
        assert label(reaching(to_x), to_x - 20, 265) == STRANGER
    over = reaching(230, near)
    assert label(over, 210, 265) == STRANGER
    assert label(over, 305, 450) == NEAR
    met = Arm(Side.NEAR, (250, 280), 320)
    over = reaching(230, met)
    assert label(over, 150, 265) == STRANGER
    assert label(over, 310, 480) == NEAR


def test_a_hand_that_comes_in_over_a_black_rim_belongs_to_that_edge(table: PaintedTable) -> None:
    """A film with black bars, or a sleeve as gray as the floor, shows no arm that reaches the edge."""

    def barred(gray: Gray) -> Gray:
        seen = gray.copy()
        seen[:30] = seen[-30:] = 0
        return seen

    resting = [barred(gray) for gray in table.resting()]
    field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
    players = PlayerMap(resting, field.floor, field.px_per_mm)
    far = Arm(Side.FAR, (700, 90), 700, gray=70)
    over = players.feed(barred(table.gray(arms=[far])))
    assert label_at(over, players.scale, 700, 70) == FAR
    near = Arm(Side.NEAR, (660, 400), 650, gray=70)
    over = players.feed(barred(table.gray(arms=[far, near])))
    assert label_at(over, players.scale, 700, 70) == FAR
    assert label_at(over, players.scale, 658, 430) == NEAR


@pytest.mark.parametrize(("tip", "meets"), [(275, False), (235, True), (215, True)])
def test_a_hand_without_an_arm_stays_its_players_when_the_other_arm_meets_it(
    table: PaintedTable, tip: int, *, meets: bool
) -> None:
    """A sleeve as gray as the floor, or a black bar: what is seen of the far player reaches no edge."""

    def barred(gray: Gray) -> Gray:
        seen = gray.copy()
        seen[:40] = 0
        return seen

    resting = [barred(gray) for gray in table.resting()]
    field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
    players = PlayerMap(resting, field.floor, field.px_per_mm)
    far = Arm(Side.FAR, (700, 170), 700, gray=70)
    players.feed(barred(table.gray(arms=[far])))
    for near_tip in (330, 300, tip):
        near = Arm(Side.NEAR, (680, near_tip), 650)
        over = players.feed(barred(table.gray(arms=[far, near])))
    assert label_at(over, players.scale, 700, 90) == FAR
    assert label_at(over, players.scale, 655, 450) == NEAR
    assert bool(over.met_ns.any()) is meets


def test_a_card_that_lies_elsewhere_is_nobodys_arm(table: PaintedTable) -> None:
    players = player_map(table)
    over = players.feed(table.gray({9: Pose(300.0, 0.0)}))
    assert over.area > 0
    assert not over.players.any()


def test_a_cameras_black_tells_nothing_of_the_light(table: PaintedTable) -> None:
    def dark(gray: Gray) -> Gray:
        seen = gray.copy()
        seen[:, : gray.shape[1] // 2] = 0
        return seen

    resting = [dark(gray) for gray in table.resting()]
    field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
    over = PlayerMap(resting, field.floor, field.px_per_mm).feed(resting[0])
    part = (slice(200, 300), slice(20, 200))  # deep in the black half
    assert over.light_at(part) == pytest.approx(1.0, abs=0.02)
    assert over.area == 0
    assert field.light_around(0, np.zeros_like(resting[0])) > 0.0  # it is divided by


@pytest.mark.parametrize("shade", [0.93, 0.75, 0.55])
def test_wide_soft_shade_is_nobodys(table: PaintedTable, shade: float) -> None:
    over = player_map(table).feed(table.gray(shade=shade, shade_from_x=500))
    assert np.count_nonzero(over.players) < 0.01 * over.players.size


def test_arms_that_meet_stay_apart(table: PaintedTable) -> None:
    players = player_map(table)
    over = players.feed(table.gray())
    for step in range(6):
        near = Arm(Side.NEAR, (400, 400 - 22 * step), 400)
        far = Arm(Side.FAR, (400, 120 + 22 * step), 400)
        over = players.feed(table.gray(arms=[near, far]))
    assert label_at(over, players.scale, 400, 420) == NEAR
    assert label_at(over, players.scale, 400, 120) == FAR
    assert label_at(over, players.scale, 400, 330) == NEAR
    assert label_at(over, players.scale, 400, 200) == FAR


def test_a_fast_hand_that_rushes_into_the_others_arm_stays_its_own(table: PaintedTable) -> None:
    players = player_map(table)
    over = players.feed(table.gray())
    far = Arm(Side.FAR, (520, 330), 480, 90.0)
    for reach in (0, 40, 80, 120, 160, 200):
        near = Arm(Side.NEAR, (380 + reach * 0.6, 480 - reach), 330, 50.0, gray=90)
        over = players.feed(table.gray(arms=[far, near]))
    assert label_at(over, players.scale, 490, 285) == NEAR
    assert label_at(over, players.scale, 440, 360) == NEAR
    assert label_at(over, players.scale, 530, 330) == FAR
    assert label_at(over, players.scale, 480, 120) == FAR


def test_light_is_measured_where_it_falls(table: PaintedTable) -> None:
    over = player_map(table).feed(table.gray(shade=0.7, shade_from_x=480))
    light = over.light_at((slice(100, 120), slice(0, 960)))
    assert light.shape == (20, 960)
    assert light[:, 40].mean() == pytest.approx(1.0, abs=0.03)
    assert light[:, 920].mean() == pytest.approx(0.7, abs=0.03)
    near = over.light_near(np.array([[40.0, 110.0], [920.0, 110.0]]))
    np.testing.assert_allclose(near, (1.0, 0.7), atol=0.03)


@pytest.mark.parametrize(
    ("reaches", "met_since"), [([0, 30, 60], [0, 0, 0]), ([0, 60, 200, 220, 230], [0, 0, 3, 3, 3])]
)
def test_a_meeting_of_arms_is_as_old_as_its_first_frame(
    table: PaintedTable, reaches: list[int], met_since: list[int]
) -> None:
    """The near arm reaches up by so many pixels, frame by frame, beside a far arm that stays."""
    players, found = player_map(table), []
    for number, reach in enumerate(reaches, 1):
        near = Arm(Side.NEAR, (470, 500 - reach), 460, 50.0, gray=90)
        over = players.feed(table.gray(arms=[Arm(Side.FAR, (520, 300), 500, 60.0), near]), number)
        found.append(int(over.met_ns.max()))
    assert found == met_since
