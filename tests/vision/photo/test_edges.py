"""Corners on a photo are the card's physical edge, whatever border is printed on it."""

from typing import Any

import numpy as np
import pytest

from tests.vision.photographed_cards import Photo, photograph, printed
from vision.photo.torifuda_photo import identify, on_edges

PLACES = [(-120, -40, 10), (20, 30, 200), (140, -20, 75)]
POEMS = (5, 50, 77)
WITHIN_MM = 0.5


def photo(border_mm: float, table: float = 120, ink: float = 70) -> Photo:
    faces = {poem: printed(poem, border_mm, border=ink) for poem in POEMS}
    return photograph(faces, PLACES, 7, 1200, 20, 0, table, things=False)


def moved_out(corners: Any, by_mm: float) -> Any:
    """Return where a card's corners are with a margin around it."""
    middle = corners.mean(axis=0)
    return middle + (corners - middle) * (1 + 2 * by_mm / np.array([52.0, 73.0]).mean())


@pytest.mark.parametrize("border_mm", [0.0, 1.3, 2.0, 2.6])
@pytest.mark.parametrize(("table", "ink"), [(120, 70), (40, 90), (200, 30)])
def test_an_outline_of_the_paper_or_beside_the_card_is_moved_onto_its_edge(
    border_mm: float, table: float, ink: float
) -> None:
    seen = photo(border_mm, table, ink)
    for true in seen.cards.values():
        px_per_mm = np.linalg.norm(true[1] - true[0]) / 52
        for off in (-border_mm, 0.0, 1.3):
            (edge,) = on_edges(seen.gray, moved_out(true, off)[None])
            assert np.abs(edge - true).max() < WITHIN_MM * px_per_mm


@pytest.mark.parametrize("border_mm", [0.0, 1.3, 2.6])
def test_corners_of_named_cards_include_the_border(border_mm: float) -> None:
    seen = photo(border_mm)
    found = {card.card: card.corners_px for card in identify(seen.gray)}
    assert set(found) == set(POEMS)
    for poem, true in seen.cards.items():
        px_per_mm = np.linalg.norm(true[1] - true[0]) / 52
        assert np.abs(found[poem] - true).max() < WITHIN_MM * px_per_mm


def test_an_outline_with_no_edge_near_it_stays() -> None:
    outline = np.array([[[100.0, 100], [204, 100], [204, 246], [100, 246]]])
    plain = np.full((400, 400), 128, np.uint8)
    assert np.array_equal(on_edges(plain, outline), outline)
    assert on_edges(plain, outline[:0]).shape == (0, 4, 2)
