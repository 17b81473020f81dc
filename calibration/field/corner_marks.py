"""Measure the field from four printed marks on its corners, for tables without cards of a known size.

Each mark is a square of known side. Its outer corner lies on a corner of the field, which fixes the plane.
How well all four marks then measure as squares of their true side gives the lens and the trust in the result.
"""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from calibration.failure import FailedEstimation
from calibration.field.charuco import dictionary
from calibration.field.geometry import FieldGeometry
from calibration.field.marker_finder import MarkerFinder
from calibration.field.plane_shape import undistort

Floats = NDArray[np.float64]

CORNER_IDS = (90, 91, 92, 93)
"""Numbers of the marks on the picture's corners: upper left, upper right, lower right, lower left."""
CORNERS = ("top left", "top right", "bottom right", "bottom left")  # names of those corners, for people
CORNER_MARK_MM = 50.0
_K1 = (-0.25, 0.1)
_PRIOR_K1, _PRIOR_SPREAD = -0.02, 0.06
_NOISE_M = 0.0004
_MOST_MISFIT_M = 0.004


def find_marks(gray: NDArray[np.uint8]) -> dict[int, Floats]:
    """Return the corner marks in a gray picture: number to corners (4, 2), from the mark's own upper left."""
    return _finder().find(gray)


@cache
def _finder() -> MarkerFinder:
    return MarkerFinder(dictionary(), CORNER_IDS)


def field_from_marks(
    marks: dict[int, Floats],
    field_size_m: tuple[float, float],
    picture_size: tuple[int, int],
    k1: float | None = None,
) -> FieldGeometry | FailedEstimation:
    """Fit the field's plane, with its origin at the centre, to the marks on its corners.

    `field_size_m`: distance between the outer corners of the marks, across and along the picture. `k1`: the
    lens, if it was measured; otherwise it is fitted too.
    """
    missing = [number for number, mark in enumerate(CORNER_IDS) if mark not in marks]
    if missing:
        places = ", ".join(f"corner {number + 1} of 4 ({CORNERS[number]})" for number in missing)
        return FailedEstimation(
            f"{places} {'was' if len(missing) == 1 else 'were'} not found",
            "lay all four marks flat on the field's corners, with a white rim and even light",
        )
    squares = np.stack([_by_place(marks[mark]) for mark in CORNER_IDS])
    middle = (np.array(picture_size) - 1) / 2
    seen = (squares - middle) / (picture_size[0] / 2)
    if k1 is None:
        fitted = minimize_scalar(lambda value: _cost(seen, field_size_m, value), bounds=_K1, method="bounded")
        k1 = float(fitted.x)
    plane = _plane(seen, field_size_m, k1)
    residual_m = float(np.sqrt(np.mean(np.square(_misfits(seen, plane, k1)))))
    if not np.isfinite(residual_m) or residual_m > _MOST_MISFIT_M:
        return FailedEstimation(
            f"the marks do not come out as squares of {CORNER_MARK_MM:.0f} mm "
            f"(typical misfit {1e3 * residual_m:.1f} mm)",
            "print them at 100 %, lay them flat, and check the distances between them",
        )
    return FieldGeometry(*picture_size, k1, plane, residual_m)


def _by_place(square: Floats) -> Floats:
    """Return a mark's corners from the picture's upper left, clockwise, however the mark is turned."""
    ordered = square[np.argsort(np.arctan2(*(square - square.mean(axis=0)).T[::-1]))]
    return np.asarray(np.roll(ordered, -int(np.argmin(ordered.sum(axis=1))), axis=0))


def _plane(seen: Floats, field_size_m: tuple[float, float], k1: float) -> Floats:
    outer = undistort(seen[np.arange(4), np.arange(4)], k1).astype(np.float32)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(field_size_m) / 2
    return np.asarray(cv2.getPerspectiveTransform(outer, half.astype(np.float32)), np.float64)


def _misfits(seen: Floats, plane: Floats, k1: float) -> Floats:
    """Return how much too long each side and diagonal of each mark is, shape (4, 6), metres."""
    flat = undistort(seen, k1)
    mapped = flat @ plane[:, :2].T + plane[:, 2]
    corners = mapped[..., :2] / mapped[..., 2:]
    pairs = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3))
    sides = np.stack([np.linalg.norm(corners[:, a] - corners[:, b], axis=1) for a, b in pairs], axis=1)
    true_m = CORNER_MARK_MM / 1e3 * np.array([1, 1, 1, 1, np.sqrt(2), np.sqrt(2)])
    return np.asarray(sides - true_m)


def _cost(seen: Floats, field_size_m: tuple[float, float], k1: float) -> float:
    misfit = np.square(_misfits(seen, _plane(seen, field_size_m, k1), k1) / _NOISE_M).sum()
    return float(misfit + np.square((k1 - _PRIOR_K1) / _PRIOR_SPREAD))
