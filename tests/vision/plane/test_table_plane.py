"""Four markers give the table's plane; too few, or markers out of place, give none."""

import cv2
import numpy as np
import pytest

from tests.vision.painted_hanafuda import PLANE, SIZE_MM, painted_table
from vision.plane.table_plane import MARGIN_MM, PX_PER_MM, find_markers, register, view_px

PICTURE = painted_table()
MARKERS = find_markers(np.asarray(cv2.cvtColor(PICTURE, cv2.COLOR_BGR2GRAY), np.uint8))


@pytest.mark.parametrize("hidden", [None, 0, 1, 2, 3])
def test_the_plane_is_found_with_one_marker_hidden(hidden: int | None) -> None:
    plane = register({n: corners for n, corners in MARKERS.items() if n != hidden}, SIZE_MM)
    assert plane is not None
    points = np.array([[400.0, 280.0], [100.0, 420.0], [700.0, 140.0]])
    assert np.abs(plane.pixels(points) - PLANE.pixels(points)).max() < (1.0 if hidden is None else 3.0)


@pytest.mark.parametrize("false", [0, 1, 2, 3])
@pytest.mark.parametrize("at_px", [(640.0, 360.0), (250.0, 500.0)])
def test_one_false_marker_is_left_out(false: int, at_px: tuple[float, float]) -> None:
    """The print of a box or of a screen may hold the number of a marker that lies elsewhere, or is hidden."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 17.0 + at_px
    plane = register({**MARKERS, false: square}, SIZE_MM)
    assert plane is not None
    points = np.array([[400.0, 280.0], [100.0, 420.0], [700.0, 140.0]])
    assert np.abs(plane.pixels(points) - PLANE.pixels(points)).max() < 3.0


def test_markers_that_lie_elsewhere_are_no_table() -> None:
    moved = {**MARKERS, 1: MARKERS[1] + (60, 90), 3: MARKERS[3] - (90, 50)}
    assert register(moved, SIZE_MM) is None
    three = {number: corners for number, corners in moved.items() if number != 3}
    assert register({**three, 1: MARKERS[1] + (90, -40)}, SIZE_MM) is None


def test_the_view_from_above_shows_the_table_to_scale() -> None:
    view = PLANE.from_above(PICTURE)
    assert view.shape == (
        round((560 + 2 * MARGIN_MM) * PX_PER_MM),
        round((800 + 2 * MARGIN_MM) * PX_PER_MM),
        3,
    )
    # the first marker's own black border begins at the table's corner
    x, y = np.rint(view_px(np.array([2.5, 20.0]))).astype(int)
    assert view[y, x].max() < 90
    x, y = np.rint(view_px(np.array([-4.0, 20.0]))).astype(int)
    assert view[y, x].min() > 150
