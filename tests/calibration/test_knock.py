"""A knocked camera, told from cards that were played and from a hand in the view."""

import cv2
import numpy as np
import pytest

from calibration.failure import FailedEstimation
from calibration.knock import CameraMotion, Steadiness

Picture = np.typing.NDArray[np.uint8]


@pytest.fixture(scope="module")
def table() -> Picture:
    """Cards with print on a grainy floor, shape (360, 640)."""
    dice = np.random.default_rng(4)
    gray = np.full((360, 640), 120, np.uint8)
    for row in range(6):
        for column in range(10):
            x, y = 40 + 57 * column, 25 + 55 * row
            gray[y : y + 42, x : x + 30] = 225
            for _ in range(9):
                at = dice.integers(2, [26, 36])
                cv2.circle(gray, (int(x + at[0]), int(y + at[1])), 2, 30, -1)
    return grainy(cv2.GaussianBlur(gray, (0, 0), 0.7), 0)


def grainy(gray: object, seed: int) -> Picture:
    noise = np.random.default_rng(seed).normal(0, 2.5, (360, 640))
    return np.clip(np.asarray(gray) + noise, 0, 255).astype(np.uint8)


def moved(gray: Picture, dx: float, dy: float, turn_deg: float = 0.0) -> Picture:
    matrix = cv2.getRotationMatrix2D((319.5, 179.5), turn_deg, 1.0)
    matrix[:, 2] += np.array([dx, dy])
    return grainy(cv2.warpAffine(gray, matrix, (640, 360), borderMode=cv2.BORDER_REFLECT), 9)


def motion_px(before: Picture, after: Picture) -> float:
    motion = Steadiness(before).motion(after)
    assert isinstance(motion, CameraMotion)
    return motion.most_px


@pytest.mark.parametrize(("dx", "dy"), [(0.5, 0.0), (0.0, -2.0), (6.0, 5.0), (-25.0, 12.0)])
def test_a_shift_is_measured(table: Picture, dx: float, dy: float) -> None:
    assert motion_px(table, moved(table, dx, dy)) == pytest.approx(np.hypot(dx, dy), abs=0.1)


def test_a_camera_that_stands_still_does_not_move(table: Picture) -> None:
    assert motion_px(table, grainy(table, 3)) < 0.05


def test_cards_that_were_played_are_not_the_camera(table: Picture) -> None:
    played = table.copy()
    played[80:190, 30:280] = np.roll(table[80:190, 30:280], 9, axis=1)
    assert motion_px(table, played) < 0.1


def test_a_covered_view_says_nothing(table: Picture) -> None:
    covered = table.copy()
    covered[:, :520] = 90
    motion = Steadiness(table).motion(covered)
    assert isinstance(motion, FailedEstimation)
    assert "too little in common" in motion.reason


def test_cards_that_were_laid_back_beside_their_places_are_not_the_camera(table: Picture) -> None:
    """Late in a match a handful of cards bear all corners; half of them are half a pixel off at once."""
    few = np.full_like(table, 120)
    few[:, 30:90], few[:, 540:610] = table[:, 30:90], table[:, 540:610]
    nudged = few.copy()
    nudged[:, 500:] = moved(few, 0.5, 0.4)[:, 500:]
    assert motion_px(few, grainy(nudged, 5)) < 0.1
    assert motion_px(few, moved(few, 0.5, 0.4)) == pytest.approx(np.hypot(0.5, 0.4), abs=0.1)
