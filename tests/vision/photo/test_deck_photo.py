"""Cards cut out of a photo on which they lie in rows, by their edges, whatever the table's colour."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo.deck_photo import CardSnap, cut_cards

SIZE_MM = (33.0, 54.0)
WIDTH, HEIGHT, BORDER = 99, 162, 7
WOOD, BROWN, DARK = (60, 80, 100), (58, 78, 104), (20, 20, 20)


def _grid(dice: np.random.Generator, own_border: int) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return a photo of three rows of eight, most borders of the table's colour, and corners."""
    photo = np.full((720, 1280, 3), WOOD, np.uint8)
    corners = []
    for number in range(24):
        row, column = divmod(number, 8)
        x, y = np.array([40 + 150 * column, 50 + 215 * row]) + dice.integers(-4, 5, 2)
        photo[y : y + HEIGHT, x : x + WIDTH] = DARK if number < own_border else BROWN
        paper = photo[y + BORDER : y + HEIGHT - BORDER, x + BORDER : x + WIDTH - BORDER]
        paper[:] = 235
        cv2.circle(paper, (40, int(dice.integers(40, 110))), 25, dice.integers(0, 200, 3).tolist(), -1)
        right, low = x + WIDTH, y + HEIGHT
        corners.append(np.array([[x, y], [right, y], [right, low], [x, low]], np.float64) - 0.5)
    noisy = photo + dice.normal(0, 2, photo.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), np.array(corners)


def test_a_border_of_the_tables_colour_belongs_to_the_card() -> None:
    photo, corners = _grid(np.random.default_rng(5), own_border=10)
    cards = cut_cards(photo, SIZE_MM, 24)
    assert len(cards) == len(corners)
    off_px = np.array([card.corners_px for card in cards]) - corners
    assert np.abs(off_px).max() < BORDER / 2


def test_where_cards_hide_most_of_the_table_the_rest_of_it_still_tells_their_edges() -> None:
    photo = np.full((720, 1280, 3), WOOD, np.uint8)
    lying = []
    for x in range(20, 1150, WIDTH + 26):
        for y in range(20, 550, HEIGHT + 26):
            photo[y : y + HEIGHT, x : x + WIDTH] = 235
            lying.append(
                np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]]) - 0.5 + np.array([x, y])
            )
    middle = lying[len(lying) // 2]
    rough = [outline + np.array([5, -4]) for outline in lying]
    fitted = CardSnap(photo, HEIGHT, rough).fit(rough[len(lying) // 2])
    assert fitted is not None
    assert np.abs(fitted - middle).max() < 3
    # taken for the table, the paper has no edges
    blind = CardSnap(photo, HEIGHT, []).fit(rough[len(lying) // 2])
    assert blind is None or np.abs(blind - middle).max() > 6
