"""Rough places are moved onto their cards, even if these are partly covered."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.painted_card_table import CARD_MM, PLANE, painted_table, put
from tests.vision.painted_hanafuda import painted_deck
from vision.hanafuda.fitting.pose_fit import CardFitter, FittedPrint, slopes_of
from vision.hanafuda.gallery import COARSE, CardGallery
from vision.hanafuda.pose import Poses, cell_centres_mm, distinct_places, on_table, uncovered

DECK = painted_deck()
GALLERY = CardGallery.of(DECK)
CARD = GALLERY.ids.index("03-1")
WHICH = np.array([CARD])
TRUE = np.array([[300.0, 250.0, 0.4]])


def fitter(*others: tuple[str, tuple[float, float, float]]) -> CardFitter:
    cards = [(DECK.pictures[card], pose) for card, pose in (("03-1", tuple(TRUE[0])), *others)]
    view = PLANE.from_above(np.asarray(put(painted_table(), cards), np.uint8))
    return CardFitter(view, GALLERY.fine, CARD_MM)


def seen(pose: Poses, *over: tuple[float, float, float]) -> NDArray[np.bool_]:
    return uncovered(pose, np.array(over).reshape(-1, 3), GALLERY.fine.grid, CARD_MM)


@pytest.mark.parametrize("off", [(1.2, 0, 0), (-0.8, 1.0, 0.03), (0, -1.3, -0.04), (0.5, 0.5, 0.05)])
def test_a_card_nearby_is_reached_along_its_slopes(off: tuple[float, float, float]) -> None:
    start = TRUE + np.array(off)
    poses, fit = fitter().descended(start, WHICH, seen(start), (0.7, 0.025))
    assert np.abs(poses - TRUE)[0, :2].max() < 0.2
    assert abs(poses[0, 2] - TRUE[0, 2]) < 0.01
    assert fit[0] > 0.95


def test_a_card_farther_off_is_reached_in_steps() -> None:
    start = TRUE + np.array([3.5, -2.0, 0.0])
    rough, before = fitter().climbed(start, WHICH, seen(start), (2.0, 0.08))
    assert np.linalg.norm((rough - TRUE)[0, :2]) < 1.8
    assert before[0] > 0.5


def test_what_covers_a_card_does_not_draw_it_along() -> None:
    over = (312.0, 262.0, 0.9)
    start = TRUE + np.array([0.9, -0.7, 0.02])
    poses, fit = fitter(("08-1", over)).descended(start, WHICH, seen(start, over), (0.7, 0.025))
    assert np.abs(poses - TRUE)[0, :2].max() < 0.3
    assert fit[0] > 0.9


def test_a_fit_is_as_alike_as_the_gallery_says() -> None:
    dice = np.random.default_rng(3)
    crops = dice.normal(0, 40, (4, 240, 3)).astype(np.float32)
    visible = dice.random((4, 240)) > np.array([[0.0], [0.3], [0.6], [0.9]])
    which = np.array([5, 60, 95, 0])
    fitted = FittedPrint(GALLERY.coarse, which, visible).likeness(crops[:, None])[:, 0]
    assert fitted == pytest.approx(GALLERY.coarse.likeness(crops, visible)[np.arange(4), which], abs=1e-5)


def test_slopes_say_how_a_print_changes() -> None:
    centres = cell_centres_mm(COARSE, CARD_MM)

    def seen_from(x: float, y: float, turn: float) -> object:
        places = on_table(np.array([[x, y, turn]]), centres)[0]
        wave = np.sin(places[:, 0] / 9) + np.cos(places[:, 1] / 11 + places[:, 0] / 17)
        return np.repeat(wave[None, :, None], 3, axis=2).astype(np.float32)

    slopes = slopes_of(np.asarray(seen_from(0, 0, 0)), COARSE, CARD_MM).reshape(3, 20, 12, 3)[:, 1:-1, 1:-1]
    for axis, step in enumerate((0.2, 0.2, 0.01)):
        move = np.eye(3)[axis] * step
        change = (np.asarray(seen_from(*move)) - np.asarray(seen_from(*-move))) / (2 * step)
        wanted = change.reshape(20, 12, 3)[1:-1, 1:-1]
        assert np.abs(slopes[axis] - wanted).max() < 0.03 * np.abs(wanted).max() + 1e-3


def test_a_cell_is_covered_where_any_card_lies_over_it() -> None:
    dice = np.random.default_rng(5)
    poses = np.column_stack([dice.uniform(0, 150, (60, 2)), dice.uniform(0, 6, 60)])
    over = np.column_stack([dice.uniform(0, 150, (5, 2)), dice.uniform(0, 6, 5)])
    expected = np.ones((60, 240), bool)
    slack = CARD_MM[0] / COARSE[0] / 2
    for number, pose in enumerate(poses):
        places = on_table(pose[None], cell_centres_mm(COARSE, CARD_MM))[0]
        for x, y, turn in over:
            away = places - (x, y)
            across = np.abs(np.cos(turn) * away[:, 0] + np.sin(turn) * away[:, 1])
            down = np.abs(np.cos(turn) * away[:, 1] - np.sin(turn) * away[:, 0])
            expected[number] &= (across > CARD_MM[0] / 2 + slack) | (down > CARD_MM[1] / 2 + slack)
    assert 0.1 < expected.mean() < 0.9
    assert (uncovered(poses, over, COARSE, CARD_MM) != expected).mean() < 1e-3  # single precision
    assert uncovered(poses, over[:0], COARSE, CARD_MM).all()


def test_of_proposals_of_one_place_the_most_promising_is_asked() -> None:
    poses = np.array([[0, 0, 0.1], [1, 1, 0.12], [50, 0, 3.1], [51, 0, 0.02], [90, 0, 1.0]])
    surplus = np.array([0.4, 0.6, 0.5, 0.3, 0.1], np.float32)
    chosen, same = distinct_places(poses, surplus, surplus)
    assert chosen.tolist() == [1, 2]  # the last is no card at all
    assert sorted(same.tolist()) == [0, 1, 2, 3]
