"""The field's plane and lens, measured from rectangles of known size."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.failure import FailedEstimation
from calibration.field.axes import find_axes, row_of
from calibration.field.geometry import FieldGeometry, fit_plane
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M, ROWS, row_centre_y_m
from referee.sides import Side

SIZE = (1280, 720)
CARD = (CARD_WIDTH_M, CARD_HEIGHT_M)


def camera(k1: float = -0.02, tilt: tuple[float, float] = (0.03, -0.05), zoom: float = 1.7) -> FieldGeometry:
    homography = np.linalg.inv(np.array([[zoom, 0.02, 0.01], [-0.02, zoom, 0.03], [tilt[0], tilt[1], 1.0]]))
    return FieldGeometry(*SIZE, k1, homography / homography[2, 2], 0.0)


def cards_m(places: Any, turns: Any) -> Any:
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD) / 2
    cos, sin = np.cos(turns), np.sin(turns)
    return (
        half @ np.stack([np.stack([cos, sin], -1), np.stack([-sin, cos], -1)], -2)
        + np.asarray(places)[:, None]
    )


def full_field() -> Any:
    rows = [row_centre_y_m(side, row) for side in Side for row in range(ROWS)]
    return np.array([(x, y) for y in rows for x in (-0.409, -0.356, -0.303, 0.2, 0.356, 0.409)])


def distances(points: Any) -> Any:
    return np.linalg.norm(points[:, None] - points[None], axis=2)


@given(st.floats(-0.5, 0.5), st.floats(-0.3, 0.3))
def test_picture_and_field_map_onto_each_other(x: float, y: float) -> None:
    seen = camera().to_image(np.array([[x, y]]))
    assert np.allclose(camera().to_field(seen), [[x, y]], atol=1e-8)


@pytest.mark.parametrize("k1", [-0.03, 0.0, 0.005])
@pytest.mark.parametrize("tilt", [(0.0, 0.0), (0.04, -0.08), (-0.1, 0.1)])
def test_cards_alone_give_scale_tilt_and_lens(k1: float, tilt: tuple[float, float]) -> None:
    rng = np.random.default_rng(1)
    places = full_field()
    true = camera(k1, tilt)
    seen = true.to_image(cards_m(places, rng.normal(0, 0.02, len(places)))) + rng.normal(
        0, 0.15, (len(places), 4, 2)
    )
    fitted = fit_plane(seen, CARD, SIZE)
    assert isinstance(fitted, FieldGeometry)
    found = fitted.to_field(seen).mean(axis=1)
    off_m = np.abs(distances(found) - distances(places))
    assert off_m.max() < 0.004
    assert np.median(off_m) < 0.0015
    assert fitted.residual_m < 0.0005


def test_badly_cut_cards_have_no_say() -> None:
    rng = np.random.default_rng(5)
    places = full_field()
    seen = camera().to_image(cards_m(places, np.zeros(len(places)))) + rng.normal(0, 0.1, (len(places), 4, 2))
    clean = fit_plane(seen, CARD, SIZE)
    seen[:6, 1:3] += 9.0
    spoilt = fit_plane(seen, CARD, SIZE)
    assert isinstance(clean, FieldGeometry)
    assert isinstance(spoilt, FieldGeometry)
    apart = distances(spoilt.to_field(seen[6:]).mean(axis=1)) - distances(
        clean.to_field(seen[6:]).mean(axis=1)
    )
    assert np.abs(apart).max() < 0.003


def test_too_few_cards_are_refused_with_a_reason() -> None:
    failed = fit_plane(camera().to_image(cards_m(full_field()[:3], np.zeros(3))), CARD, SIZE)
    assert isinstance(failed, FailedEstimation)
    assert not failed
    assert "3 cards found" in str(failed)


def test_what_is_no_plane_of_cards_is_refused() -> None:
    corners = np.random.default_rng(2).uniform(0, 700, (12, 4, 2))
    failed = fit_plane(corners, CARD, SIZE)
    assert isinstance(failed, FailedEstimation)
    assert "rectangles" in failed.reason


@pytest.mark.parametrize("turn_deg", [-3.0, 0.0, 2.0])
@pytest.mark.parametrize("kept", [8, 15, 36])
def test_axes_lie_along_the_rows_and_between_the_territories(turn_deg: float, kept: int) -> None:
    rng = np.random.default_rng(kept)
    places = full_field()[rng.permutation(36)[:kept]] + rng.normal(0, 0.0008, (kept, 2))
    angle = np.deg2rad(turn_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    seen = places @ turn.T + np.array([0.012, -0.025])
    axes = find_axes(seen, angle + rng.normal(0, 0.01, kept), places[:, 1] < 0)
    back = axes.apply(seen)
    assert np.abs(back[:, 1] - places[:, 1]).max() < 0.008
    assert [row_of(y) for y in back[:, 1]] == [row_of(y) for y in places[:, 1]]


def test_way_up_tells_territories_apart_where_rows_do_not() -> None:
    # One row only, in the middle of the picture: it is the near one when its cards stand upright.
    row = np.array([(x, 0.0) for x in (-0.409, -0.356, 0.2, 0.356, 0.409)])
    for upside_down, side in ((False, Side.NEAR), (True, Side.FAR)):
        axes = find_axes(row, np.zeros(5), np.full(5, upside_down))
        assert {row_of(y)[0] for y in axes.apply(row)[:, 1]} == {side}
