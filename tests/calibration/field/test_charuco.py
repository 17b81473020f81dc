"""The printed sheet: in true size, found in pictures, and what it tells of a lens that is known."""

import shutil
import subprocess
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.failure import FailedEstimation
from calibration.field.board_pdf import PAGE_MM, RULER_MM, board_origin_mm, write_board
from calibration.field.charuco import (
    COLUMNS,
    ROWS,
    SQUARE_MM,
    BoardView,
    LensCalibration,
    board,
    dictionary,
    find_board,
    fit_lens,
)
from calibration.field.corner_marks import CORNER_IDS, CORNER_MARK_MM, field_from_marks, find_marks
from calibration.field.geometry import FieldGeometry

SIZE = (1280, 720)
FOCAL_PX, CENTRE_PX = 1050.0, (655.0, 352.0)
DISTORTION = (-0.16, 0.04, 0.0, 0.0)
_PX_PER_MM = 4


@cache
def sheet() -> Any:
    """The sheet with a white rim of 90 pixels, as blurred as a picture of it."""
    size = round(COLUMNS * SQUARE_MM * _PX_PER_MM), round(ROWS * SQUARE_MM * _PX_PER_MM)
    rimmed = cv2.copyMakeBorder(board().generateImage(size), 90, 90, 90, 90, cv2.BORDER_CONSTANT, value=255)
    return cv2.GaussianBlur(rimmed, (0, 0), 1.6)


@cache
def rays() -> Any:
    """Where each pixel looks, shape (pixels, 3): the lens's bending undone by fixed-point iteration."""
    x, y = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    bent = np.column_stack([(x.ravel() - CENTRE_PX[0]) / FOCAL_PX, (y.ravel() - CENTRE_PX[1]) / FOCAL_PX])
    straight = bent.copy()
    for _ in range(8):
        radius2 = np.square(straight).sum(axis=1, keepdims=True)
        straight = bent / (1 + DISTORTION[0] * radius2 + DISTORTION[1] * radius2**2)
    return np.column_stack([straight, np.ones(len(straight))])


def photograph(turn_deg: tuple[float, ...], at_mm: tuple[float, ...], seed: int = 0) -> Any:
    """Photograph the sheet: turned about x, y, z, its middle at `at_mm` before a lens that bends lines."""
    turn = np.eye(3)
    for axis, angle in enumerate(np.deg2rad(turn_deg)):
        turn = cv2.Rodrigues(np.eye(3)[axis] * angle)[0] @ turn
    middle_mm = np.array([COLUMNS, ROWS]) * SQUARE_MM / 2
    plane = np.column_stack([turn[:, 0], turn[:, 1], np.array(at_mm)])
    on_sheet = rays() @ np.linalg.inv(plane).T
    places = (on_sheet[:, :2] / on_sheet[:, 2:] + middle_mm) * _PX_PER_MM + 90 - 0.5
    at_x, at_y = (places[:, axis].astype(np.float32).reshape(SIZE[::-1]) for axis in (0, 1))
    seen = cv2.remap(sheet(), at_x, at_y, cv2.INTER_LINEAR, borderValue=90)
    grain = np.random.default_rng(seed).normal(0, 2.0, seen.shape)
    return np.clip(seen * 0.85 + 15 + grain, 0, 255).astype(np.uint8)


POSES = [
    ((0, 0, 0), (0, 0, 420)), ((25, 0, 3), (-60, 30, 430)), ((-28, 5, -4), (60, -20, 440)),
    ((0, 30, 8), (-70, -30, 430)), ((4, -30, 95), (60, 10, 450)), ((18, 18, 30), (-100, 60, 480)),
    ((-15, 20, -20), (110, -60, 480)), ((10, -15, 60), (-110, -50, 470)), ((-20, -20, 10), (110, 60, 470)),
]  # fmt: skip


@pytest.fixture(scope="module")
def views() -> list[BoardView]:
    found = [find_board(photograph(turn, at, seed)) for seed, (turn, at) in enumerate(POSES)]
    return [view for view in found if isinstance(view, BoardView)]


def test_a_known_lens_is_found_again(views: list[BoardView]) -> None:
    assert len(views) >= 8
    lens = fit_lens(views, SIZE)
    assert isinstance(lens, LensCalibration), lens
    assert lens.rms_px <= 0.3
    assert lens.rms_mm <= 0.15
    assert lens.focal_px == pytest.approx((FOCAL_PX, FOCAL_PX), rel=0.01)
    assert lens.centre_px == pytest.approx(CENTRE_PX, abs=8)
    assert lens.distortion[0] == pytest.approx(DISTORTION[0], abs=0.03)


def test_too_little_to_go_by_is_said(views: list[BoardView]) -> None:
    few = fit_lens(views[:3], SIZE)
    assert isinstance(few, FailedEstimation)
    assert "3 usable views" in few.reason
    flat = [find_board(photograph((0, 0, turn), (0, 0, 420), turn)) for turn in range(7)]
    never = fit_lens([view for view in flat if isinstance(view, BoardView)], SIZE)
    assert isinstance(never, FailedEstimation)
    assert "tilted" in never.reason
    small = [BoardView(view.corners_px * 0.1 + 300, view.corners_mm) for view in views]
    corner = fit_lens(small, SIZE)
    assert isinstance(corner, FailedEstimation)
    assert "cover only" in corner.reason


def test_a_bent_sheet_does_not_pass(views: list[BoardView]) -> None:
    dice = np.random.default_rng(1)
    bent = [
        BoardView(view.corners_px + dice.normal(0, 4, view.corners_px.shape), view.corners_mm)
        for view in views
    ]
    lens = fit_lens(bent, SIZE)
    assert isinstance(lens, FailedEstimation)
    assert "do not agree" in lens.reason


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Both pages at 254 dots per inch: ten for each millimetre."""
    folder = tmp_path_factory.mktemp("pdf")
    write_board(folder / "board.pdf")
    pdftoppm = shutil.which("pdftoppm")
    if pdftoppm is None:
        pytest.skip("needs pdftoppm to look at the PDF (Debian: poppler-utils)")
    command = [pdftoppm, "-r", "254", "-gray", str(folder / "board.pdf"), str(folder / "page")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""  # the reader found nothing to complain about
    return [cv2.imread(str(path), cv2.IMREAD_GRAYSCALE) for path in sorted(folder.glob("page*.pgm"))]


def test_the_pdf_has_the_sheet_in_true_size(pages: list[Any]) -> None:
    page = pages[0]
    assert page.shape == (pytest.approx(PAGE_MM[1] * 10, abs=1), pytest.approx(PAGE_MM[0] * 10, abs=1))
    view = find_board(page)
    assert isinstance(view, BoardView)
    assert len(view.corners_mm) == (COLUMNS - 1) * (ROWS - 1)
    expected = (view.corners_mm + board_origin_mm()) * 10 - 0.5
    assert np.abs(view.corners_px - expected).max() < 1.0  # a tenth of a millimetre
    low = round((PAGE_MM[1] - 12) * 10) + 1
    line = np.flatnonzero(page[low, : round((board_origin_mm()[0] + RULER_MM + 2) * 10)] < 128)
    assert np.ptp(line) == pytest.approx(RULER_MM * 10, abs=5)


def test_the_second_page_has_the_corner_marks(pages: list[Any]) -> None:
    marks = find_marks(pages[1])
    assert sorted(marks) == list(CORNER_IDS)
    sides = [np.linalg.norm(corners[1] - corners[0]) for corners in marks.values()]
    assert sides == pytest.approx([500.0] * 4, abs=2)


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
