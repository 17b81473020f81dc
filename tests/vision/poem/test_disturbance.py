"""Disturbance: a knocked camera and a switched lamp are noticed, a played poem is not mistaken for one."""

import cv2
import numpy as np
import pytest

from calibration.field.geometry import FieldGeometry
from referee.facts import Gap, Touch, Unprovable
from referee.layout import Layout, PlacedCard
from referee.sides import Side
from vision.field.layout_reader import LayoutReading
from vision.field.slots import Slot, SlotGrid
from vision.frames.frame import Gray
from vision.poem.disturbance import as_long_as, disturbance, lies_as_it_lay

PX_PER_MM = 1.0
MS = 1_000_000


def field() -> tuple[Gray, list[Slot]]:
    rng = np.random.default_rng(3)
    floor = cv2.GaussianBlur(rng.integers(60, 160, (360, 640)).astype(np.float32), (0, 0), 1.2)
    slots: list[Slot] = []
    for column in range(5):
        for row in range(2):
            x, y = 80 + 100 * column, 60 + 150 * row
            face = cv2.GaussianBlur(rng.choice([40.0, 210.0], (73, 52), p=[0.3, 0.7]), (0, 0), 1.0)
            floor[y : y + 73, x : x + 52] = face
            corners = np.array([[x, y], [x + 52, y], [x + 52, y + 73], [x, y + 73]], np.float64)
            slots.append(Slot(1 + len(slots), Side.NEAR, corners))
    return floor.astype(np.uint8), slots


def reason(picture: Gray) -> str | None:
    rest, slots = field()
    gap = disturbance(SlotGrid(slots, [rest]), picture, PX_PER_MM, 10, 20)
    assert gap is None or (gap.t_from_ns, gap.t_to_ns) == (10, 20)
    return None if gap is None else gap.reason


def moved(x_px: float, y_px: float) -> Gray:
    rest, _ = field()
    motion = np.array([[1, 0, x_px], [0, 1, y_px]], np.float32)
    return np.asarray(cv2.warpAffine(rest, motion, (640, 360), borderMode=cv2.BORDER_REFLECT), np.uint8)


@pytest.mark.parametrize("shift_px", [(0.6, 0.0), (0.0, -2.0), (20.0, 9.0)])
def test_knocked_camera(shift_px: tuple[float, float]) -> None:
    assert reason(moved(*shift_px)) == "lost_calibration"


@pytest.mark.parametrize("factor", [0.6, 1.3])
def test_switched_lamp(factor: float) -> None:
    rest, _ = field()
    dimmed = (rest * 0.7).astype(np.uint8)
    slots = field()[1]
    gap = disturbance(SlotGrid(slots, [dimmed]), (dimmed * factor).astype(np.uint8), PX_PER_MM, 10, 20)
    assert gap is not None
    assert gap.reason == "light_changed"


@pytest.mark.parametrize("blur_px", [0.8, 1.1])
def test_a_lens_that_changed_its_focus_is_no_lamp(blur_px: float) -> None:
    rest, slots = field()
    grid, soft = SlotGrid(slots, [rest]), np.asarray(cv2.GaussianBlur(rest, (0, 0), blur_px), np.uint8)
    told = [disturbance(grid, soft, PX_PER_MM, 10, 20, light=light) for light in (1.0, 0.97, 0.6, None)]
    reasons = [None if gap is None else gap.reason for gap in told]
    assert reasons == ["focus_changed", "focus_changed", "light_changed", "light_changed"]


def test_a_lamp_that_is_switched_on_white_paper_is_seen_on_the_floor() -> None:
    rest, slots = field()
    gap = disturbance(SlotGrid(slots, [rest]), rest, PX_PER_MM, 10, 20, light=1.3)
    assert gap == Gap(10, 20, "light_changed")


@pytest.mark.parametrize(
    ("switched_ns", "spoiled_ns"),
    [((500, 510), (440, 570)), ((990, 1200), (930, 1000)), ((20, 30), (100, 100)), (None, (100, 1000))],
    ids=["amid the poem", "at its end", "before it", "nobody knows when"],
)
def test_a_switched_lamp_spoils_no_more_than_the_time_in_which_it_is_switched(
    switched_ns: tuple[int, int] | None, spoiled_ns: tuple[int, int]
) -> None:
    known = None if switched_ns is None else (switched_ns[0] * MS, switched_ns[1] * MS)
    spoiled = as_long_as(Gap(100 * MS, 1000 * MS, "light_changed"), known, [touch(200), unproven(300)])
    assert spoiled == Gap(spoiled_ns[0] * MS, spoiled_ns[1] * MS, "light_changed")


def touch(t_ms: int, unc_ms: int = 5) -> Touch:
    return Touch(1, Side.NEAR, t_ms * MS, unc_ms * MS)


def unproven(t_ms: int, unc_ms: int = 5) -> Unprovable:
    return Unprovable(1, Side.NEAR, t_ms * MS, unc_ms * MS, "no_card_motion")


@pytest.mark.parametrize("fact", [touch(500), touch(450), unproven(560), touch(300, unc_ms=150)])
def test_what_happens_as_a_lamp_is_switched_is_told_by_nobody(fact: Touch | Unprovable) -> None:
    whole = Gap(100 * MS, 1000 * MS, "light_changed")
    assert as_long_as(whole, (500 * MS, 510 * MS), [touch(200), fact]) == whole


def test_swept_cards_and_a_hand_are_no_knock() -> None:
    picture, slots = field()
    for slot in slots[:6]:
        x, y = slot.corners_px[0].astype(int)
        picture[y : y + 73, x : x + 52] = 110
    picture[200:360, 300:380] = 60
    assert reason(picture) is None


def reading(tilt: float = 0.0) -> LayoutReading:
    """Return the field as read by a geometry whose perspective is off by so much."""
    _, slots = field()
    plane = np.array([[0.32, 0, 0], [0, 0.32, 0], [tilt, 0, 1.0]])
    geometry = FieldGeometry(640, 360, 0.0, plane, 0.0)
    centres_m = geometry.to_field(np.array([slot.centre_px for slot in slots]))
    cards = [
        PlacedCard(slot.card, slot.side, 0, float(x_m), float(y_m))
        for slot, (x_m, y_m) in zip(slots, centres_m, strict=True)
    ]
    return LayoutReading(
        Layout(tuple(cards)), geometry, tuple(slot.corners_px for slot in slots), (1.0,) * len(slots)
    )


@pytest.mark.parametrize("tilt", [0.0, 0.003])
def test_two_readings_of_one_field_may_differ_in_their_perspective(tilt: float) -> None:
    rest, slots = field()
    assert lies_as_it_lay(SlotGrid(slots, [rest]), [rest], reading(), reading(tilt), 0.3 * PX_PER_MM)


@pytest.mark.parametrize("number", [0, 4, 7])
def test_a_card_that_was_touched_does_not_lie_as_it_lay(number: int) -> None:
    rest, slots = field()
    x, y = slots[number].corners_px[0].astype(int)
    around = rest[y - 4 : y + 77, x - 4 : x + 56]
    aside = np.array([[1, 0, 0.9], [0, 1, 0]], np.float32)
    touched = rest.copy()
    touched[y - 4 : y + 77, x - 4 : x + 56] = cv2.warpAffine(
        around, aside, around.shape[::-1], borderMode=cv2.BORDER_REFLECT
    )
    assert not lies_as_it_lay(SlotGrid(slots, [rest]), [touched], reading(), reading(), 0.3 * PX_PER_MM)
