"""The field from four marks on its corners."""

import cv2
import numpy as np
import pytest

from calibration.failure import FailedEstimation
from calibration.field.charuco import dictionary
from calibration.field.corner_marks import CORNER_IDS, CORNER_MARK_MM, field_from_marks, find_marks
from calibration.field.geometry import FieldGeometry

SIZE = (1280, 720)
FIELD_M = (0.96, 0.56)


def table(k1: float, tilt: float, noise: float = 2.0, turned: int = 0) -> np.typing.NDArray[np.uint8]:
    """A table with the marks, seen through a lens `k1` at a tilt (perspective of the far edge)."""
    per_m = 1600
    wide, tall = round(1.3 * per_m), round(0.8 * per_m)
    floor = np.full((tall, wide), 150, np.uint8)
    half = np.array(FIELD_M) / 2
    side = round(CORNER_MARK_MM / 1e3 * per_m)
    for mark, (x, y) in zip(CORNER_IDS, ((-1, -1), (1, -1), (1, 1), (-1, 1)), strict=True):
        outer = (np.array([x, y]) * half + [0.65, 0.4]) * per_m
        left = round(outer[0] - (side if x > 0 else 0))
        top = round(outer[1] - (side if y > 0 else 0))
        floor[top - 12 : top + side + 12, left - 12 : left + side + 12] = 235
        image = cv2.aruco.generateImageMarker(dictionary(), mark, side)
        floor[top : top + side, left : left + side] = np.rot90(image, turned)
    seen = (
        np.stack(np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1])), axis=-1)
        .reshape(-1, 2)
        .astype(np.float64)
    )
    plane = true_geometry(k1, tilt)
    places = (plane.to_field(seen) + np.array([0.65, 0.4])) * per_m - 0.5
    at_x, at_y = (places[:, axis].astype(np.float32).reshape(SIZE[::-1]) for axis in (0, 1))
    gray = cv2.remap(cv2.GaussianBlur(floor, (0, 0), 1.0), at_x, at_y, cv2.INTER_LINEAR)
    grain = np.random.default_rng(3).normal(0, noise, gray.shape)
    return np.asarray(np.clip(gray + grain, 0, 255), np.uint8)


def true_geometry(k1: float, tilt: float) -> FieldGeometry:
    plane = np.array([[0.57, 0.004, 0.01], [-0.003, 0.575, -0.004], [0.02, tilt, 1.0]])
    return FieldGeometry(*SIZE, k1, plane, 0.0)


@pytest.mark.parametrize(("k1", "tilt"), [(0.0, 0.0), (-0.05, 0.1), (-0.15, 0.2)])
@pytest.mark.parametrize("turned", [0, 1])
def test_the_field_is_measured_to_a_millimetre(k1: float, tilt: float, turned: int) -> None:
    marks = find_marks(table(k1, tilt, turned=turned))
    geometry = field_from_marks(marks, FIELD_M, SIZE)
    assert isinstance(geometry, FieldGeometry), geometry
    inside = np.array([[x, y] for x in np.linspace(-0.45, 0.45, 9) for y in np.linspace(-0.25, 0.25, 5)])
    seen = true_geometry(k1, tilt).to_image(inside)
    off_m = np.linalg.norm(geometry.to_field(seen) - inside, axis=1)
    assert np.sqrt(np.mean(off_m**2)) <= (0.001 if k1 > -0.1 else 0.0025)
    assert 0 < geometry.residual_m < 0.001


def test_a_missing_mark_and_a_wrong_print_are_said() -> None:
    marks = find_marks(table(0.0, 0.0))
    del marks[CORNER_IDS[2]]
    missing = field_from_marks(marks, FIELD_M, SIZE)
    assert isinstance(missing, FailedEstimation)
    assert missing.reason == "corner 3 of 4 (bottom right) was not found"
    scaled = field_from_marks(find_marks(table(0.0, 0.0)), (FIELD_M[0] * 1.15, FIELD_M[1] * 1.15), SIZE)
    assert isinstance(scaled, FailedEstimation)
    assert "squares of 50 mm" in scaled.reason
    assert find_marks(np.zeros((480, 640), np.uint8)) == {}
