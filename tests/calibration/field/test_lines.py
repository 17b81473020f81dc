"""The field measured by the lines its cards were laid on, where the cards' own size is known badly."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.field.geometry import FieldGeometry, fit_plane
from calibration.field.lines import SIDE_X_M, fit_to_lines, scale_by_rules
from calibration.field.plane_shape import Lens
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M, ROWS, TERRITORY_WIDTH_M, row_centre_y_m
from referee.sides import Side

SIZE = (1280, 720)
FOCAL = 2.6
SHARP_M, BLURRED_M = (0.0002, 0.00001), (0.0006, 0.0003)
HALF = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
FIELD = np.array([(x, y) for x in np.linspace(-0.43, 0.43, 9) for y in np.linspace(-0.25, 0.25, 5)])


def camera(tilt_deg: float, k1: float = -0.02, height_m: float = 1.6) -> FieldGeometry:
    """A lens straight above the middle, leaning towards the far side."""
    cos, sin = np.cos(np.deg2rad(tilt_deg)), np.sin(np.deg2rad(tilt_deg))
    lens_y_m = height_m * sin / cos
    # field (x, y, 1) to camera coordinates: right, down, forward
    seen = np.array(
        [[1, 0, 0], [0, cos, -cos * lens_y_m + height_m * sin], [0, -sin, sin * lens_y_m + height_m * cos]]
    )
    whole = np.linalg.inv(np.diag([FOCAL, FOCAL, 1.0]) @ seen)
    return FieldGeometry(*SIZE, k1, whole / whole[2, 2], 0.0)


def places(per_block: int, row_pitch: float = 1.0, width_m: float = TERRITORY_WIDTH_M) -> Any:
    """Blocks that grow from both side lines inwards, in every row."""
    rows = [row_pitch * row_centre_y_m(side, row) for side in Side for row in range(ROWS)]
    x = [(width_m - CARD_WIDTH_M) / 2 - 0.0526 * number for number in range(per_block)]
    return np.array([(sign * off, y) for y in rows for sign in (-1, 1) for off in x])


def papers_px(true: FieldGeometry, centres: Any, border_m: float, noise_px: float = 0.1) -> Any:
    rng = np.random.default_rng(len(centres))
    laid = centres + rng.normal(0, 0.0005, centres.shape)
    paper = HALF * (CARD_WIDTH_M - 2 * border_m, CARD_HEIGHT_M - 2 * border_m)
    return true.to_image(laid[:, None] + paper) + rng.normal(0, noise_px, (len(laid), 4, 2))


def rms_mm(geometry: FieldGeometry, true: FieldGeometry) -> float:
    """How far points all over the field are off, scale included, after a rigid fit."""
    seen = geometry.to_field(true.to_image(FIELD))
    moved = seen - seen.mean(axis=0)
    left, _, right = np.linalg.svd(moved.T @ FIELD)
    return float(1e3 * np.sqrt(np.square(moved @ left @ right - FIELD).sum(axis=1).mean()))


def measured(true: FieldGeometry, centres: Any, border_error_m: float) -> tuple[float, float]:
    """RMS of the cards' own fit and of the lines', when the border (1.3 mm) is measured wrongly."""
    papers = papers_px(true, centres, 0.0013)
    border = 2 * (0.0013 + border_error_m)
    paper_m = (CARD_WIDTH_M - border, CARD_HEIGHT_M - border)
    cards = fit_plane(papers, paper_m, SIZE)
    assert isinstance(cards, FieldGeometry)
    # what find_axes does, exactly: the middle of the field at the origin
    cards = cards.moved(0.0, -cards.to_field(true.to_image(np.zeros((1, 2))))[0])
    return rms_mm(cards, true), rms_mm(fit_to_lines(cards, papers, paper_m, SHARP_M), true)


@pytest.mark.parametrize("tilt_deg", [0.0, 5.0, 15.0])
@pytest.mark.parametrize("k1", [-0.115, 0.0])
@pytest.mark.parametrize("border_error_m", [-0.0003, 0.0002])
def test_rows_and_side_lines_give_the_scale_that_a_border_hides(
    tilt_deg: float, k1: float, border_error_m: float
) -> None:
    alone_mm, with_lines_mm = measured(camera(tilt_deg, k1), places(4), border_error_m)
    assert alone_mm > 1.5
    assert with_lines_mm < 0.6


@pytest.mark.parametrize("cards", [8, 10, 14])
def test_few_cards_are_enough_on_a_leaning_camera(cards: int) -> None:
    chosen = places(3)[np.random.default_rng(cards).permutation(36)[:cards]]
    assert measured(camera(15.0), chosen, 0.0002)[1] < 1.0


def test_a_measured_lens_stands_in_for_missing_cards() -> None:
    # four cards in one corner tell next to nothing of the lens and of the far end of the field
    errors_mm: dict[bool, list[float]] = {False: [], True: []}
    for tilt_deg, k1 in ((4.0, -0.1), (10.0, -0.06), (12.0, -0.115)):
        true = camera(tilt_deg, k1)
        papers = papers_px(true, places(2)[[0, 1, 4, 5, 8]], 0.0013)
        paper_m = (CARD_WIDTH_M - 0.0026, CARD_HEIGHT_M - 0.0026)
        for lens in (None, Lens(FOCAL, k1)):
            cards = fit_plane(papers, paper_m, SIZE, lens)
            assert isinstance(cards, FieldGeometry)
            cards = cards.moved(0.0, -cards.to_field(true.to_image(np.zeros((1, 2))))[0])
            fitted = fit_to_lines(cards, papers, paper_m, SHARP_M, lens)
            errors_mm[lens is not None].append(rms_mm(fitted, true))
    assert max(errors_mm[True]) < 0.5 * max(errors_mm[False])
    assert sum(errors_mm[True]) < 0.6 * sum(errors_mm[False])


@pytest.mark.parametrize(("row_pitch", "width_m"), [(1.04, 0.90), (1.03, 0.83), (0.97, 0.90)])
def test_players_who_lay_otherwise_are_not_forced_into_the_rule(row_pitch: float, width_m: float) -> None:
    true = camera(3.0)
    alone_mm, with_lines_mm = measured(true, places(4, row_pitch, width_m), 0.0)
    assert with_lines_mm < max(0.6, 1.2 * alone_mm)


def test_a_border_that_was_not_seen_at_all_is_made_good() -> None:
    alone_mm, with_lines_mm = measured(camera(2.0), places(3), -0.0013)
    assert alone_mm > 12
    assert with_lines_mm < 1.0


@pytest.mark.parametrize("narrower_m", [0.0015, -0.0015])
def test_papers_smeared_in_one_direction_are_made_good(narrower_m: float) -> None:
    true, centres = camera(3.0), places(4)
    # what motion blur leaves of the paper's width, the border being measured right
    paper = HALF * (CARD_WIDTH_M - 0.003 - narrower_m, CARD_HEIGHT_M - 0.003)
    papers = true.to_image(centres[:, None] + paper)
    paper_m = (CARD_WIDTH_M - 0.003, CARD_HEIGHT_M - 0.003)
    cards = fit_plane(papers, paper_m, SIZE)
    assert isinstance(cards, FieldGeometry)
    assert rms_mm(cards, true) > 3
    assert rms_mm(fit_to_lines(cards, papers, paper_m, SHARP_M), true) < 0.6


def test_in_a_blurred_picture_the_lines_say_how_large_the_cards_are() -> None:
    """Its border is read 1 mm too wide, and its papers look 0.6 mm higher and less wide than they are."""
    true, rng = camera(2.0), np.random.default_rng(5)
    centres = places(5)
    centres = centres + rng.normal(0, 0.0007, centres.shape)
    paper = HALF * (CARD_WIDTH_M - 0.0009, CARD_HEIGHT_M - 0.0003)
    papers = true.to_image(centres[:, None] + paper) + rng.normal(0, 0.2, (len(centres), 4, 2))
    paper_m = (CARD_WIDTH_M - 0.0026, CARD_HEIGHT_M - 0.0026)
    cards = fit_plane(papers, paper_m, SIZE)
    assert isinstance(cards, FieldGeometry)
    sharp, blurred = (rms_mm(fit_to_lines(cards, papers, paper_m, how), true) for how in (SHARP_M, BLURRED_M))
    assert min(sharp, rms_mm(cards, true)) > 5
    assert blurred < 0.6


PAPER_M = CARD_WIDTH_M - 0.003
SEEN_M = 0.0002  # how well a border is measured that was seen
UNSEEN_M = 0.0015


def laid(rows: float = 1.0, sides: float = 1.0, slip_m: float = 0.0008) -> NDArray[np.float64]:
    """Six rows, five cards each, out to both side lines; rows or side lines further out where asked."""
    x_m = sides * np.array([-SIDE_X_M, -SIDE_X_M + 0.053, -0.1, SIDE_X_M - 0.053, SIDE_X_M])
    y_m = rows * np.array([row_centre_y_m(side, row) for side in Side for row in range(ROWS)])
    places = np.stack(np.meshgrid(x_m, y_m), axis=-1).reshape(-1, 2)
    return np.asarray(places + np.random.default_rng(1).normal(0, slip_m, places.shape))


@pytest.mark.parametrize("misread", [0.89, 0.94, 1.0, 1.05])
def test_a_field_laid_by_the_rules_says_by_how_much_its_cards_were_misread(misread: float) -> None:
    assert scale_by_rules(laid() / misread, PAPER_M, UNSEEN_M) == pytest.approx(misread, abs=0.006)


@pytest.mark.parametrize("misread", [0.92, 0.95])
def test_a_deck_that_seems_to_have_no_border_may_have_one(misread: float) -> None:
    assert scale_by_rules(laid() / misread, CARD_WIDTH_M, SEEN_M) == pytest.approx(misread, abs=0.006)


@pytest.mark.parametrize(("rows", "sides"), [(1.04, 1.0), (1.0, 0.96), (1.05, 1.03), (0.97, 1.04)])
def test_players_who_lay_otherwise_are_believed_where_the_border_was_seen(rows: float, sides: float) -> None:
    assert scale_by_rules(laid(rows, sides), PAPER_M, SEEN_M) == 1.0


def test_rows_further_apart_between_the_right_side_lines_are_wider_gaps() -> None:
    assert scale_by_rules(laid(1.07), PAPER_M, UNSEEN_M) == pytest.approx(1.0, abs=0.006)
