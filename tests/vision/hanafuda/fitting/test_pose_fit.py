"""Rough places are moved onto their cards, even if these are partly covered."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.painted_hanafuda import CARD_MM, PLANE, painted_deck, painted_table, put
from vision.hanafuda.fitting.pose_fit import CardFitter
from vision.hanafuda.gallery import CardGallery
from vision.hanafuda.pose import Poses, distinct_places, uncovered

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


def test_what_covers_a_card_does_not_draw_it_along() -> None:
    over = (312.0, 262.0, 0.9)
    start = TRUE + np.array([0.9, -0.7, 0.02])
    poses, fit = fitter(("08-1", over)).descended(start, WHICH, seen(start, over), (0.7, 0.025))
    assert np.abs(poses - TRUE)[0, :2].max() < 0.3
    assert fit[0] > 0.9


def test_of_proposals_of_one_place_the_most_promising_is_asked() -> None:
    poses = np.array([[0, 0, 0.1], [1, 1, 0.12], [50, 0, 3.1], [51, 0, 0.02], [90, 0, 1.0]])
    surplus = np.array([0.4, 0.6, 0.5, 0.3, 0.1], np.float32)
    chosen, same = distinct_places(poses, surplus, surplus)
    assert chosen.tolist() == [1, 2]  # the last is no card at all
    assert sorted(same.tolist()) == [0, 1, 2, 3]
