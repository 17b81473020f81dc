"""The plane of a table: the map between its millimetres and a picture's pixels.

It is found from four markers in the table's corners, or from corners that somebody has pointed out. Table
coordinates are millimetres from the outer corner of the upper left marker, x to the right, y down, as in a
recording's `[table]`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from calibration.field.marker_finder import MarkerFinder
from vision.frames.frame import Gray
from vision.plane.printed_table import MARKER_MM

Points = NDArray[np.float64]

PX_PER_MM: Final = 1.25
"""Scale of the view from above, pixels per millimetre: a little finer than 720p shows a table of 800 mm."""
MARGIN_MM: Final = 30.0  # margin of the view from above around the table, millimetres
MARKER_PLACES: Final = ("top left", "top right", "bottom right", "bottom left")
"""The corner of each marker, for people, by the marker's number."""


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """A camera's view of a table."""

    size_mm: tuple[float, float]
    to_px: NDArray[np.float64]  # shape (3, 3), homography from table millimetres to picture pixels

    @property
    def view_size_px(self) -> tuple[int, int]:
        """Width and height of the view from above, pixels."""
        width, height = (round((side + 2 * MARGIN_MM) * PX_PER_MM) for side in self.size_mm)
        return width, height

    @property
    def px_per_mm(self) -> float:
        """Pixels of the picture per millimetre at the centre of the table."""
        x, y = self.size_mm[0] / 2, self.size_mm[1] / 2
        corners = self.pixels(np.array([[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]))
        return float(np.sqrt(cv2.contourArea(corners.astype(np.float32))))

    @property
    def corners_px(self) -> Points:
        """The table's corners in the picture, shape (4, 2), clockwise from its upper left one."""
        return self.pixels(_outline(self.size_mm).astype(np.float64))

    def from_above(self, picture: Picture) -> Picture:
        """Return the table as seen straight from above, `PX_PER_MM` pixels per millimetre.

        `picture`: shape (height, width, 3), the camera's picture.
        """
        view = self.to_px @ VIEW_TO_MM
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpPerspective(
                picture, view, self.view_size_px, flags=flags, borderMode=cv2.BORDER_REPLICATE
            ),
            np.uint8,
        )

    def pixels(self, points_mm: Points) -> Points:
        """Return the pixels of points of the table in the picture; shapes (..., 2)."""
        flat = np.asarray(points_mm, np.float64).reshape(1, -1, 2)
        return np.asarray(cv2.perspectiveTransform(flat, self.to_px), np.float64).reshape(points_mm.shape)


VIEW_TO_MM: Final = np.array([[1 / PX_PER_MM, 0, -MARGIN_MM], [0, 1 / PX_PER_MM, -MARGIN_MM], [0, 0, 1]])
"""From pixels of the view from above to table millimetres."""


def view_px(points_mm: Points) -> Points:
    """Return the pixels of points of the table in the view from above; shapes (..., 2)."""
    return (np.asarray(points_mm, np.float64) + MARGIN_MM) * PX_PER_MM


def view_mm(points_px: Points) -> Points:
    """Return the points of the table that pixels of the view from above show; shapes (..., 2)."""
    return np.asarray(points_px, np.float64) / PX_PER_MM - MARGIN_MM


def find_markers(gray: Gray, *, thoroughly: bool = True) -> dict[int, Points]:
    """Return the corners of the table's visible markers, by their number 0..3; each of shape (4, 2).

    `gray`: shape (height, width). `thoroughly`: spend time on small, blurred and rimless ones, as
    `calibration.field.marker_finder` does.
    """
    return _finder().find(gray, thoroughly=thoroughly)


def register(markers: dict[int, Points], size_mm: tuple[float, float]) -> TablePlane | None:
    """Return the table's plane from its markers, or None if they do not show it beyond doubt.

    One false marker among four is left out if the other three agree and no three that include it do.

    `markers`: the result of `find_markers`; at least three are needed. `size_mm`: width and height of the
    table, from outer corner to outer corner of its markers.
    """
    numbers = sorted(markers)
    if len(numbers) < 3:
        return None
    plane, off_mm = _fitted(markers, numbers, size_mm)
    # Largest root mean square distance of the markers' corners from their places on a flat table.
    max_residual_mm = 2.5
    if off_mm <= max_residual_mm or len(numbers) == 3:
        return plane if off_mm <= max_residual_mm else None
    # one of them may be false or lie elsewhere; if more than one may be the false one, it is unknown which
    threes = [_fitted(markers, [*numbers[:n], *numbers[n + 1 :]], size_mm) for n in range(len(numbers))]
    fitting = [plane for plane, off_mm in threes if off_mm <= max_residual_mm]
    return fitting[0] if len(fitting) == 1 else None


def size_of(
    markers: dict[int, Points], sizes_mm: Sequence[tuple[float, float]]
) -> tuple[float, float] | None:
    """Return which of these sizes a table has, judged by its markers; None if no single one fits.

    Markers of a known side show how far apart they lie. With a wrong size, a fifth wider or a seventh deeper,
    their corners miss every plane by at least 2.5 mm; with the right one they fit to 0.8 mm.
    """
    numbers = sorted(markers)
    if len(numbers) < 3:
        return None
    fits, most_mm, apart_mm = [_fitted(markers, numbers, size)[1] for size in sizes_mm], 1.4, 0.7
    *_, best = order = sorted(range(len(sizes_mm)), key=lambda at: -fits[at])
    if fits[best] > most_mm or any(fits[at] < fits[best] + apart_mm for at in order[:-1]):
        return None
    return sizes_mm[best]


def _fitted(
    markers: dict[int, Points], numbers: Sequence[int], size_mm: tuple[float, float]
) -> tuple[TablePlane | None, float]:
    """Return the plane on which these markers lie, and the RMS error of their corners, millimetres."""
    where = marker_corners_mm(size_mm)
    seen = np.concatenate([markers[number] for number in numbers])
    wanted = np.concatenate([where[number] for number in numbers])
    found: Any = cv2.findHomography(wanted, seen)[0]
    if found is None:  # the corners lie on one line
        return None, np.inf
    to_px = np.asarray(found, np.float64)
    back = cv2.perspectiveTransform(seen[None], np.linalg.inv(to_px))[0]
    off_mm = float(np.sqrt(np.square(back - wanted).sum(axis=1).mean()))
    return TablePlane(size_mm, to_px), off_mm if np.isfinite(off_mm) else np.inf


def plane_of_corners(
    corners: Sequence[tuple[float, float]], size_mm: tuple[float, float], picture_px: tuple[int, int]
) -> TablePlane:
    """Return the plane of a table whose corners somebody has pointed out.

    `corners`: four places as shares of the picture's width and height, clockwise from the upper left.
    `picture_px`: width and height of the picture.
    """
    seen = np.array(corners, np.float32) * np.array(picture_px, np.float32)
    return TablePlane(size_mm, np.asarray(cv2.getPerspectiveTransform(_outline(size_mm), seen), np.float64))


def corners_of(plane: TablePlane, picture_px: tuple[int, int]) -> list[tuple[float, float]]:
    """Return a table's corners in the picture, as `plane_of_corners` takes them."""
    shares = plane.corners_px / np.array(picture_px)
    return [(float(x), float(y)) for x, y in shares]


def _outline(size_mm: tuple[float, float]) -> NDArray[np.float32]:
    width, height = size_mm
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)


def marker_corners_mm(size_mm: tuple[float, float]) -> dict[int, Points]:
    """Return the corners of the four markers on the table, clockwise from each marker's upper left one."""
    right, low = size_mm[0] - MARKER_MM, size_mm[1] - MARKER_MM
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * MARKER_MM
    return {n: square + start for n, start in enumerate([(0, 0), (right, 0), (right, low), (0, low)])}


@cache
def _finder() -> MarkerFinder:
    return MarkerFinder(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), range(4))
