"""Markers are found whatever they lie on: rims of any width, any cloth, small, blurred, one hidden."""

import cv2
import numpy as np
import pytest

from calibration.field.marker_finder import MarkerFinder

FAMILY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
FINDER = MarkerFinder(FAMILY, range(4))
CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)


def picture(
    side: float, rim: float, cloth: float, blur: float = 0.7, *, hidden: int | None = None
) -> tuple[np.typing.NDArray[np.uint8], dict[int, np.typing.NDArray[np.float64]]]:
    """Four markers of `side` pixels with a white rim of so much of their side, and where they are."""
    fine = 8  # samples for a pixel
    size = round(7 * side)
    wide = np.full((size * fine, size * fine), cloth, np.float32)
    tilt = np.array([[1, 0.06, 0], [-0.05, 0.97, 0.12 * side], [2e-5 / side, 1e-4 / side, 1]])
    truth = {}
    for number, at in enumerate(np.array([[1.1, 1.1], [4.6, 1.0], [4.7, 4.7], [1.0, 4.6]]) * side):
        truth[number] = cv2.perspectiveTransform((CORNERS * side + at)[None], tilt)[0] - 0.5
        if number == hidden:
            continue
        cells = cv2.aruco.generateImageMarker(FAMILY, number, 6)
        sheet = (CORNERS - 0.5) * side * (1 + 2 * rim) + at + side / 2
        cv2.fillConvexPoly(wide, fine_px(sheet, tilt, fine), 225)
        for row, column in np.ndindex(6, 6):
            cell = (CORNERS + np.array([column, row])) * side / 6 + at
            cv2.fillConvexPoly(wide, fine_px(cell, tilt, fine), 225 if cells[row, column] else 25)
    seen = cv2.GaussianBlur(cv2.resize(wide, (size, size), interpolation=cv2.INTER_AREA), (0, 0), blur)
    grain = np.random.default_rng(5).normal(0, 2, seen.shape)
    return np.clip(seen + grain, 0, 255).astype(np.uint8), truth


def fine_px(
    points: np.typing.NDArray[np.float64], tilt: np.typing.NDArray[np.float64], fine: int
) -> np.typing.NDArray[np.int32]:
    seen = cv2.perspectiveTransform(points[None], tilt)[0]
    return np.asarray(np.rint(seen * fine - 0.5), np.int32)


@pytest.mark.parametrize("rim", [0, 0.05, 0.12, 0.25, 0.6])
@pytest.mark.parametrize("cloth", [12, 25, 45, 128, 235])
@pytest.mark.parametrize("side", [20, 58])
def test_a_rim_of_any_width_on_any_cloth(rim: float, cloth: float, side: float) -> None:
    gray, truth = picture(side, rim, cloth)
    found = FINDER.find(gray)
    assert sorted(found) == [0, 1, 2, 3]
    off = max(np.linalg.norm(found[number] - truth[number], axis=1).max() for number in found)
    assert off < max(1.3, 0.05 * side)


@pytest.mark.parametrize(("side", "blur"), [(15, 1.2), (22, 2.0), (28, 2.0), (80, 2.0)])
@pytest.mark.parametrize(("rim", "cloth"), [(0, 18), (0.2, 50), (0.5, 140)])
def test_small_and_blurred_markers(side: float, blur: float, rim: float, cloth: float) -> None:
    assert sorted(FINDER.find(picture(side, rim, cloth, blur)[0])) == [0, 1, 2, 3]


@pytest.mark.parametrize("hidden", range(4))
def test_a_hidden_marker_is_not_seen_elsewhere(hidden: int) -> None:
    gray, _ = picture(40, 0.1, 40, hidden=hidden)
    assert sorted(FINDER.find(gray)) == sorted({0, 1, 2, 3} - {hidden})


def test_nothing_is_a_marker_that_is_none() -> None:
    dice = np.random.default_rng(2)
    board = np.kron(np.indices((12, 16)).sum(axis=0) % 2, np.ones((40, 40))) * 200 + 25
    noise = cv2.GaussianBlur(dice.normal(128, 400, (480, 640)), (0, 0), 4)
    cells = np.kron(dice.random((60, 80)) > 0.5, np.ones((8, 8))) * 200 + 20
    for gray in (board, noise, cells, np.zeros((480, 640))):
        assert FINDER.find(np.clip(gray, 0, 255).astype(np.uint8)) == {}
