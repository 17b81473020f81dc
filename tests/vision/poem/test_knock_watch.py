"""Knocks in the middle of a match: all of them noticed within a second, and no hand taken for one."""

from typing import Any

import cv2
import numpy as np
import pytest

from vision.frames.frame import Frame, Gray
from vision.poem.knock_watch import KnockWatch

STEP_NS = 125_000_000
KNOCK_AT = 14


@pytest.fixture(scope="module")
def field(full_field: Any) -> Gray:
    """A field at 640 x 360."""
    return np.asarray(cv2.resize(full_field.gray, (640, 360), interpolation=cv2.INTER_AREA), np.uint8)


def shown(gray: Gray, number: int, *, arm: bool = False, moved: object = None) -> Frame:
    picture = gray.copy()
    height, width = gray.shape
    if arm:
        tip = (round(width * (0.3 + 0.02 * (number % 20))), round(height * 0.45))
        cv2.line(picture, (round(width * 0.6), height), tip, 90, 35)
    if moved is not None:
        picture = np.asarray(
            cv2.warpAffine(picture, np.asarray(moved), (width, height), borderMode=cv2.BORDER_REFLECT),
            np.uint8,
        )
    noise = np.random.default_rng(number).integers(-4, 5, gray.shape, np.int16)
    picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    return Frame(picture, number * STEP_NS, 1, number)


def knock(gray: Gray, seed: int) -> object:
    """Return a shift of 0.5 to 30 mm with a turn of up to a degree."""
    dice = np.random.default_rng(seed)
    height, width = gray.shape
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), float(dice.uniform(-1, 1)), 1.0)
    way_px, direction = dice.uniform(0.5, 30) * width / 1150, dice.uniform(0, 2 * np.pi)
    matrix[:, 2] += way_px * np.array([np.cos(direction), np.sin(direction)])
    return matrix


@pytest.mark.parametrize("arm", [False, True], ids=["free view", "an arm in view"])
def test_twenty_knocks_of_twenty_are_noticed_within_a_second(field: Gray, arm: bool) -> None:
    for seed in range(20):
        watch, moved = KnockWatch(), knock(field, seed)
        noticed = None
        for number in range(10, KNOCK_AT + 9):
            frame = shown(field, number, arm=arm, moved=moved if number >= KNOCK_AT else None)
            noticed = watch.feed(frame)
            if noticed is not None:
                break
        assert noticed is not None, seed
        assert noticed.reason == "lost_calibration"
        assert noticed.t_from_ns < KNOCK_AT * STEP_NS <= noticed.t_to_ns < KNOCK_AT * STEP_NS + 10**9


def test_hands_and_played_cards_are_no_knock(field: Gray) -> None:
    watch = KnockWatch()
    played = field.copy()
    height, width = played.shape
    part = played[: height // 2, : width // 2]
    played[: height // 2, : width // 2] = np.roll(part, 40, axis=1)
    for number in range(40):
        gray = played if number > 20 else field
        assert watch.feed(shown(gray, number, arm=10 <= number < 30)) is None


def test_a_camera_that_only_trembled_was_not_knocked(field: Gray) -> None:
    watch = KnockWatch()
    for number in range(20):
        trembles = np.array([[1, 0, 6.0], [0, 1, 0]]) if number == 10 else None
        assert watch.feed(shown(field, number, moved=trembles)) is None


def test_it_says_while_it_is_blind(field: Gray) -> None:
    watch = KnockWatch()
    told = []
    for number in range(12):  # every second picture is looked at
        gray = np.full_like(field, 60) if 4 <= number < 8 else field
        watch.feed(shown(gray, number))
        told.append(watch.is_blind)
    assert told == [False] * 4 + [True] * 4 + [False] * 4
