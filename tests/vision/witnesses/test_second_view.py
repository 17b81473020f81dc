"""A second camera's pictures laid onto the first's, and poems that both cameras watch."""

from itertools import islice

import numpy as np
import pytest

from calibration.failure import FailedEstimation
from tests.slow_case import slow_case
from vision.field.layout_reader import LayoutReading, read_layout
from vision.simulator.hall.match import SimulatedMatch, single_poem
from vision.simulator.hall.second_camera import SecondCamera, Stand
from vision.witnesses.second_view import SecondView, match_views

SIZE = (960, 540)


@pytest.fixture(scope="module")
def table() -> tuple[SimulatedMatch, np.ndarray, LayoutReading]:
    match = single_poem("own", 5, 60, SIZE, "hall")
    pictures = [picture for _, picture in islice(match.pictures(), 4)]
    reading = read_layout(pictures)
    assert isinstance(reading, LayoutReading)
    return match, pictures[0], reading


def seen_by(match: SimulatedMatch, stand: Stand, tilt_deg: float) -> np.ndarray:
    return next(match.filmed_by(SecondCamera(size=SIZE, stand=stand, tilt_deg=tilt_deg)))[1]


@pytest.mark.parametrize(
    ("stand", "tilt_deg"), [slow_case("left", 35), ("right", 50), ("left", 65), ("far", 15)]
)
def test_every_card_is_found_in_the_second_picture(
    table: tuple[SimulatedMatch, np.ndarray, LayoutReading], stand: Stand, tilt_deg: float
) -> None:
    match, first, reading = table
    second = SecondCamera(size=SIZE, stand=stand, tilt_deg=tilt_deg)
    camera = second.draw(match._hall, match._dice(7))
    view = match_views(first, reading.geometry, reading.corners_px, seen_by(match, stand, tilt_deg))
    assert isinstance(view, SecondView)
    assert view.n >= 0.9 * len(reading.layout)
    assert view.residual_mm < 0.2
    for corners in reading.corners_px:
        floor_m = np.column_stack([match.camera.to_floor(corners), np.zeros(4)])
        off_px = np.linalg.norm(view.places(corners) - camera.to_image(floor_m), axis=1)
        assert off_px.mean() < 0.5
        assert view.sees(corners)
    top, bottom = view.row_shares(np.array([[480.0, 100.0], [480.0, 440.0]]))
    assert (top < bottom) == (stand != "far") or stand in {"left", "right"}


def test_a_map_that_is_known_is_made_exact_again(
    table: tuple[SimulatedMatch, np.ndarray, LayoutReading],
) -> None:
    match, first, reading = table
    second = seen_by(match, "left", 40)
    view = match_views(first, reading.geometry, reading.corners_px, second)
    assert isinstance(view, SecondView)
    knocked = np.roll(second, 4, axis=1)
    again = match_views(first, reading.geometry, reading.corners_px, knocked, view)
    assert isinstance(again, SecondView)
    moved = again.places(reading.corners_px[0]) - view.places(reading.corners_px[0])
    assert np.abs(moved - (4.0, 0.0)).max() < 0.3


def test_low_behind_a_player_no_camera_sees_the_cards(
    table: tuple[SimulatedMatch, np.ndarray, LayoutReading],
) -> None:
    match, first, reading = table
    view = match_views(first, reading.geometry, reading.corners_px, seen_by(match, "far", 60))
    assert isinstance(view, FailedEstimation)
    assert "behind a player the body hides them" in str(view)


def test_a_camera_that_sees_something_else_is_told() -> None:
    match = single_poem("own", 5, 60, SIZE, "hall")
    other = single_poem("own", 6, 60, SIZE, "tatami")
    first = next(match.pictures())[1]
    reading = read_layout([first])
    assert isinstance(reading, LayoutReading)
    view = match_views(first, reading.geometry, reading.corners_px, seen_by(other, "left", 35))
    assert isinstance(view, FailedEstimation)
    assert "too few" in view.reason
    bare = match_views(first, reading.geometry, reading.corners_px, np.full((540, 960), 90, np.uint8))
    assert isinstance(bare, FailedEstimation)
