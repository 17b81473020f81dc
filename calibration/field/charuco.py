"""Calibrate a lens with a printed sheet of squares and marks (ChArUco).

The sheet is A4, nine by six squares of 28 mm with marks of 21 mm (ArUco, 5 x 5 bits) in the white ones. The
marks number every corner, even if part of the sheet is out of view. Lens model and fit: Zhang, "A flexible
new technique for camera calibration" (2000), as OpenCV implements it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.failure import FailedEstimation

Floats = NDArray[np.float64]
Points = NDArray[np.float32]

COLUMNS, ROWS = 9, 6
SQUARE_MM, MARK_MM = 28.0, 21.0
MIN_CORNERS = 12
MIN_VIEWS = 6
MOST_RMS_PX = 1.0
_MIN_SPREAD = 0.25
"""Least share of the picture, along each side, that the corners of all views together must span."""
_MIN_TILT = 0.06
"""Least foreshortening that some view must show; otherwise focal length and distance are ambiguous."""


def dictionary() -> cv2.aruco.Dictionary:
    """Return the family of marks on the sheet; numbers from 90 on are free for single marks."""
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)


def board() -> cv2.aruco.CharucoBoard:
    """Return the sheet, in millimetres."""
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARK_MM, dictionary())


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """The sheet as seen in one picture."""

    corners_px: Floats  # shape (N, 2); inner corners of the squares in the picture
    corners_mm: Floats  # shape (N, 2); the same corners on the sheet


@dataclass(frozen=True, slots=True, eq=False)
class LensCalibration:
    """A measured lens."""

    width_px: int
    height_px: int
    focal_px: tuple[float, float]  # focal length along x and y
    centre_px: tuple[float, float]  # where the optical axis meets the picture
    distortion: tuple[float, float, float, float]  # k1, k2, p1, p2 of OpenCV's model
    rms_px: float  # root mean square distance between seen and predicted corners
    rms_mm: float
    views: int  # number of pictures used
    k1: float  # radial distortion as in `calibration.field.plane_shape`, around the picture's centre


def find_board(gray: NDArray[np.uint8]) -> BoardView | FailedEstimation:
    """Find the sheet in a gray picture, shape (height, width)."""
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board()).detectBoard(gray)
    found: Any = ids  # None if nothing was found, whatever the stubs say
    count = 0 if found is None else len(found)
    if count < MIN_CORNERS:
        return FailedEstimation(
            f"{count} corners of the sheet found, at least {MIN_CORNERS} are needed",
            "hold the sheet flat, in focus and evenly lit, so that it fills a good part of the picture",
        )
    known = np.asarray(board().getChessboardCorners(), np.float64)
    return BoardView(np.asarray(corners, np.float64).reshape(-1, 2), known[np.asarray(found).reshape(-1), :2])


def fit_lens(views: Sequence[BoardView], picture_size: tuple[int, int]) -> LensCalibration | FailedEstimation:
    """Fit the lens to several views of the sheet, all of one camera at one picture size and focus."""
    if len(views) < MIN_VIEWS:
        return FailedEstimation(
            f"{len(views)} usable views of the sheet, at least {MIN_VIEWS} are needed",
            "show it in every part of the picture, straight and tilted",
        )
    everything = np.concatenate([view.corners_px for view in views]) / picture_size
    span = np.ptp(everything, axis=0)
    if span.min() < _MIN_SPREAD:
        return FailedEstimation(
            f"the views cover only {100 * span[0]:.0f} x {100 * span[1]:.0f} % of the picture",
            "show the sheet near the corners of the picture too",
        )
    if max(_foreshortening(view) for view in views) < _MIN_TILT:
        return FailedEstimation(
            "the sheet was never tilted", "show it at 20 to 40 degrees in a few of the pictures"
        )
    seen = [view.corners_px.astype(np.float32) for view in views]
    known = [np.pad(view.corners_mm, ((0, 0), (0, 1))).astype(np.float32) for view in views]
    rms_px, matrix, distortion, shifts = _fit(known, seen, picture_size, cv2.CALIB_FIX_K3)
    if rms_px > MOST_RMS_PX:
        return FailedEstimation(
            f"the views do not agree with one lens (typical misfit {rms_px:.2f} px)",
            "keep the sheet flat on a board, switch autofocus off, and avoid motion blur",
        )
    k1, k2, p1, p2 = (float(value) for value in distortion.ravel()[:4])
    (focal_x, _, centre_x), (_, focal_y, centre_y) = matrix[:2].tolist()
    return LensCalibration(
        *picture_size,
        (focal_x, focal_y),
        (centre_x, centre_y),
        (k1, k2, p1, p2),
        rms_px,
        float(rms_px * np.median([shift[2, 0] for shift in shifts]) / focal_x),
        len(views),
        _one_coefficient(known, seen, picture_size),
    )


def _one_coefficient(known: list[Points], seen: list[Points], picture_size: tuple[int, int]) -> float:
    """Return k1 of `calibration.field.plane_shape`, fitted separately around the picture's centre."""
    one_tangent = cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K2 | cv2.CALIB_FIX_K3
    flags = one_tangent | cv2.CALIB_FIX_PRINCIPAL_POINT | cv2.CALIB_FIX_ASPECT_RATIO
    _, matrix, distortion, _ = _fit(known, seen, picture_size, flags)
    half_width_rays = picture_size[0] / 2 / float(matrix[0, 0])
    return float(distortion.ravel()[0]) * half_width_rays**2


def _fit(
    known: list[Points], seen: list[Points], picture_size: tuple[int, int], flags: int
) -> tuple[float, Floats, Floats, Any]:
    """Return the misfit in pixels, the camera matrix, the distortion and the sheets' positions."""
    width, height = picture_size
    # a focal length of about the picture's width, a lens of 53 degrees, is near enough to start from
    guess = np.array([[width, 0, (width - 1) / 2], [0, width, (height - 1) / 2], [0, 0, 1]], np.float64)
    rms_px, matrix, distortion, _, shifts = cv2.calibrateCamera(
        known, seen, picture_size, guess, np.zeros(5), flags=flags | cv2.CALIB_USE_INTRINSIC_GUESS
    )
    return rms_px, np.asarray(matrix, np.float64), np.asarray(distortion, np.float64), shifts


def _foreshortening(view: BoardView) -> float:
    """Return how much the sheet's scale differs between directions or from end to end, as a share."""
    plane, _ = cv2.findHomography(view.corners_mm, view.corners_px)
    middle = view.corners_mm.mean(axis=0)
    reach = np.ptp(view.corners_mm, axis=0).max() / 2
    steps = np.array([[0, 0], [reach, 0], [-reach, 0], [0, reach], [0, -reach]]) + middle
    at = cv2.perspectiveTransform(steps[None].astype(np.float64), plane)[0]
    sides = np.linalg.norm(at[1:] - at[0], axis=1)
    return float(sides.max() / sides.min() - 1)
