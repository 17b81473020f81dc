"""Have the hands left? Cards that were swept away and bare floor are no hands, pale ones are."""

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import CARD_PX, SIZE, Arm, PaintedTable, Pose
from vision.frames.frame import Frame
from vision.poem.clearance import Clearance
from vision.poem.watcher import PoemWatcher

OUTLINE_PX = np.array([[174.0, 163.0], [496.0, 163.0], [496.0, 347.0], [174.0, 347.0]])


@pytest.fixture
def table() -> PaintedTable:
    return PaintedTable()


def hands_are_seen(
    table: PaintedTable, poses: dict[int, Pose] | None = None, arms: tuple[Arm, ...] = ()
) -> bool:
    watcher = PoemWatcher(table.slots, table.resting())
    clearance = Clearance(watcher, OUTLINE_PX)
    for t_ms in range(0, 200, 10):
        watcher.feed(table.frame(float(t_ms), table.gray(poses, arms)))
    assert watcher.over is not None
    return clearance.hands_over_field(watcher.over, watcher.gone())


def test_a_field_at_rest_is_clear(table: PaintedTable) -> None:
    assert not hands_are_seen(table)


@pytest.mark.parametrize("gray", [60, 120, 190])
@pytest.mark.parametrize("side", [Side.NEAR, Side.FAR])
def test_a_hand_over_cards_is_seen_however_pale_it_is(table: PaintedTable, side: Side, gray: int) -> None:
    x, y = table.slots[8 if side is Side.NEAR else 2].centre_px
    sleeve = Arm(side, (x, 500.0 if side is Side.NEAR else 40.0), x, 80.0, 30)
    assert hands_are_seen(table, None, (Arm(side, (x, y), x, 40.0, gray), sleeve))


def test_a_hand_beside_the_field_leaves_it_clear(table: PaintedTable) -> None:
    assert not hands_are_seen(table, None, (Arm(Side.NEAR, (300.0, 430.0), 300.0),))


def knee_is_a_hand(table: PaintedTable, poem: int, sways_px: float = 0.0) -> bool:
    """Tell whether a knee counts that lies over the near player's first cards for two seconds."""
    watcher = PoemWatcher(table.slots, table.resting())
    clearance = Clearance(watcher, OUTLINE_PX)
    x, y = table.slots[8].centre_px
    seen = False
    for t_ms in range(0, 2000, 20):
        sway = sways_px * np.sin(t_ms / 90)
        knee = Arm(Side.NEAR, (x + sway, y), x + sway, 70.0, 50)
        watcher.feed(table.frame(float(t_ms), table.gray(None, (knee,))))
        assert watcher.over is not None
        seen = clearance.hands_over_field(watcher.over, watcher.gone(), round(t_ms * 1e6), poem)
        assert seen or t_ms > 1_400
    return seen


def test_a_knee_that_stays_is_no_hand_unless_it_lies_at_the_read_card(table: PaintedTable) -> None:
    assert not knee_is_a_hand(table, poem=6)
    assert knee_is_a_hand(table, poem=9)
    assert knee_is_a_hand(table, poem=10)
    assert knee_is_a_hand(table, poem=6, sways_px=12.0)


def row_up_to_the_edge(table: PaintedTable) -> dict[int, Pose]:
    """Return the poses of four swept cards that lie from the picture's edge to the place of card 7."""
    place = {slot.card: slot.centre_px for slot in table.slots}
    row_x = [CARD_PX[0] / 2 - 6 + step * (CARD_PX[0] - 1) for step in range(4)]
    assert row_x[0] < CARD_PX[0] / 2 < SIZE[0]
    assert row_x[-1] + CARD_PX[0] / 2 > place[7][0] - CARD_PX[0] / 2, "the row ends on a card of the field"
    return {
        number: Pose(x - float(place[number][0]), 0.0)
        for number, x in zip((8, 9, 10, 11), row_x, strict=True)
    }


def test_swept_cards_in_a_row_up_to_the_edge_are_no_hand(table: PaintedTable) -> None:
    assert not hands_are_seen(table, row_up_to_the_edge(table))


def test_neither_are_they_beside_dark_floor_that_other_cards_had_covered(table: PaintedTable) -> None:
    for card in (7, 8, 9, 10):
        table.stain(card, 60, share=0.3)
    assert not hands_are_seen(table, row_up_to_the_edge(table) | {7: Pose(absent=True)})


def test_a_bare_arm_as_pale_as_paper_is_no_row_of_cards(table: PaintedTable) -> None:
    x, y = table.slots[8].centre_px
    assert hands_are_seen(table, None, (Arm(Side.NEAR, (x, y), x, 60.0, 190),))
    assert hands_are_seen(table, {10: Pose(absent=True)}, (Arm(Side.NEAR, (x, y), x, 60.0, 190),))


@pytest.mark.parametrize(("blocks", "stays"), [(0, False), (1, False), (2, True), (12, True)])
def test_a_card_is_in_place_where_some_of_its_face_is_seen(
    table: PaintedTable, blocks: int, stays: bool
) -> None:
    clearance = Clearance(PoemWatcher(table.slots, table.resting()), OUTLINE_PX)
    gray, own = table.gray({8: Pose(absent=True)}), table.gray()
    left, top = np.rint(table.slots[7].upright_corners_px()[0]).astype(int)
    wide, tall = CARD_PX[0] / 3, CARD_PX[1] / 4
    for number in range(blocks):
        row, column = divmod(number, 3)
        part = (
            slice(top + round(row * tall), top + round((row + 1) * tall)),
            slice(left + round(column * wide), left + round((column + 1) * wide)),
        )
        gray[part] = own[part]
    in_place = clearance.cards_in_place(gray)
    assert in_place.pop(7) == stays
    assert all(in_place)


def test_a_card_that_is_darker_than_all_others_is_not_seen_in_place(table: PaintedTable) -> None:
    clearance = Clearance(PoemWatcher(table.slots, table.resting()), OUTLINE_PX)
    corners = table.slots[7].upright_corners_px()
    (x0, y0), (x1, y1) = np.rint(corners.min(axis=0)).astype(int), np.rint(corners.max(axis=0)).astype(int)
    gray = table.gray()
    gray[y0:y1, x0:x1] = (gray[y0:y1, x0:x1] * 0.45).astype(np.uint8)
    assert not clearance.cards_in_place(gray)[7]
    assert all(clearance.cards_in_place((table.gray() * 0.45).astype(np.uint8)))


def shaded(table: PaintedTable, poses: dict[int, Pose]) -> list[Frame]:
    """Return how a wide shade goes over the table for half a second."""
    return [
        table.frame(t_ms, table.gray(poses, shade=0.6, shade_from_x=700.0 - t_ms))
        for t_ms in np.arange(0.0, 500.0, 1000 / 60)
    ]


def test_cards_lie_still_although_a_shade_goes_over_them(table: PaintedTable) -> None:
    clearance = Clearance(PoemWatcher(table.slots, table.resting()), OUTLINE_PX)
    frames = shaded(table, {})
    assert clearance.lay_still(frames)
    assert not clearance.lay_still(frames[-10:]), "that is not long enough to tell"


@pytest.mark.parametrize(("hand_ms", "still"), [((150, 400), True), ((0, 250), False)])
def test_cards_lay_still_that_a_hand_hid_for_a_part_of_the_time(
    table: PaintedTable, hand_ms: tuple[int, int], *, still: bool
) -> None:
    clearance = Clearance(PoemWatcher(table.slots, table.resting()), OUTLINE_PX)
    x, y = table.slots[7].centre_px
    hand = (Arm(Side.NEAR, (x, y - 60.0), x, 80.0),)
    frames = [
        table.frame(t_ms, table.gray(None, hand if hand_ms[0] <= t_ms < hand_ms[1] else ()))
        for t_ms in np.arange(0.0, 500.0, 1000 / 60)
    ]
    assert clearance.lay_still(frames) is still


@pytest.mark.parametrize("until_ms", [230.0, 400.0])
def test_a_card_that_was_still_on_its_way_did_not_lie_still(table: PaintedTable, until_ms: float) -> None:
    clearance = Clearance(PoemWatcher(table.slots, table.resting()), OUTLINE_PX)
    away, home = shaded(table, {8: Pose(0.0, 30.0)}), shaded(table, {})
    frames = [one if one.t_ns < until_ms * 1e6 else other for one, other in zip(away, home, strict=True)]
    assert not clearance.lay_still(frames)
