"""A whole field from one picture: names, sides, rows and places in millimetres, without any calibration."""

from typing import Any

import cv2
import numpy as np
import pytest

from referee.sides import Side
from tests.vision.field.test_layout_hardships import rigidly_fitted
from vision.field.layout_reader import LayoutReading, read_layout

TOLERANCE_MM = 20.0


def read(*frames: Any, **known: Any) -> LayoutReading:
    reading = read_layout(frames, **known)
    assert isinstance(reading, LayoutReading), str(reading)
    return reading


def errors_mm(reading: LayoutReading, truth: list[dict[str, Any]]) -> dict[int, float]:
    """Distance from truth per named card, after a rigid fit; a name that is not there fails the test."""
    real = {card["card"]: card for card in truth}
    named = [placed for placed in reading.layout if placed.card is not None]
    assert {placed.card for placed in named} <= set(real), "named a card that is not on the field"
    seen_mm = 1e3 * np.array([[placed.x_m, placed.y_m] for placed in named])
    true_mm = np.array([[real[placed.card]["x_mm"], real[placed.card]["y_mm"]] for placed in named])
    off = np.linalg.norm(rigidly_fitted(seen_mm, true_mm) - true_mm, axis=1)
    return {
        int(placed.card): float(distance) for placed, distance in zip(named, off, strict=True) if placed.card
    }


def assert_right(reading: LayoutReading, truth: list[dict[str, Any]], share: float = 1.0) -> None:
    off_mm = errors_mm(reading, truth)
    assert max(off_mm.values()) < TOLERANCE_MM
    assert len(off_mm) >= share * len(truth), sorted({card["card"] for card in truth} - set(off_mm))
    real = {card["card"]: (card["side"], card["row"]) for card in truth}
    for placed in reading.layout:
        if placed.card is not None:
            assert (placed.side.value, placed.row) == real[placed.card], placed
            assert placed.faces_owner


def test_field_in_a_typeface_never_taught_is_read(unseen_field: Any) -> None:
    reading = read(unseen_field.gray)
    assert_right(reading, unseen_field.cards, 1.0 if unseen_field.name.endswith("720") else 0.95)
    assert len(reading.layout) == len(reading.corners_px) == len(reading.confidences)


@pytest.mark.parametrize("left", [1, 2, 4, 8])
def test_few_cards_left_in_a_known_field_are_read(full_field: Any, left: int) -> None:
    known = read(full_field.gray)
    gray = full_field.gray.copy()
    for corners in full_field.corners_px[left:]:
        cv2.fillConvexPoly(
            gray, np.round(corners + 2 * np.sign(corners - corners.mean(axis=0))).astype(np.int32), 90
        )
    gray = np.where(gray == 90, cv2.GaussianBlur(gray, (0, 0), 3), gray)
    reading = read(gray, geometry=known.geometry)
    before = {placed.card: placed for placed in known.layout}
    named = [placed for placed in reading.layout if placed.card is not None]
    assert {placed.card for placed in named} == set(full_field.numbers[:left])
    for placed in named:
        assert (placed.side, placed.row) == (before[placed.card].side, before[placed.card].row)


@pytest.mark.parametrize(("turn_deg", "shift_px", "zoom"), [(2.5, 0, 1.0), (0, 30, 1.0), (0, 0, 0.85)])
def test_knocked_camera_is_noticed_and_measured_anew(
    full_field: Any, turn_deg: float, shift_px: float, zoom: float
) -> None:
    first = read(full_field.gray)
    height, width = full_field.gray.shape
    knock = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, zoom)
    knock[1, 2] += shift_px
    moved = cv2.warpAffine(full_field.gray, knock, (width, height), borderMode=cv2.BORDER_REPLICATE)
    reading = read(moved, geometry=first.geometry)
    assert reading.geometry is not first.geometry
    assert_right(reading, full_field.cards, 0.97)


def test_hand_over_some_cards_hides_only_those(full_field: Any) -> None:
    gray = full_field.gray.copy()
    cv2.line(gray, (640, 760), (420, 480), 95, 90)
    mask = cv2.line(np.zeros_like(gray), (640, 760), (420, 480), 255, 90)
    hidden = {
        number
        for number, corners in zip(full_field.numbers, full_field.corners_px, strict=True)
        if mask[tuple(np.clip(np.round(corners).astype(int), 0, [1279, 719]).T[::-1])].any()
    }
    visible = [card for card in full_field.cards if card["card"] not in hidden]
    off_mm = errors_mm(read(gray), full_field.cards)
    assert {card["card"] for card in visible} - set(off_mm) == set()


def test_cards_that_lie_upside_down_are_said_to(full_field: Any) -> None:
    gray = full_field.gray.copy()
    near = next(card for card in full_field.cards if card["side"] == "near")
    corners = np.array(near["corners_px"], np.float32)
    half_turn = cv2.getPerspectiveTransform(corners, np.roll(corners, -2, axis=0))
    turned = cv2.warpPerspective(gray, half_turn, gray.shape[::-1])
    mask = cv2.fillConvexPoly(np.zeros_like(gray), np.round(corners).astype(np.int32), 255)
    reading = read(np.where(mask > 0, turned, gray))
    placed = reading.layout.find(near["card"])
    assert placed is not None
    assert placed.side is Side.NEAR
    assert not placed.faces_owner
