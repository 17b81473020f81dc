"""What else lies on a photo's table: where to look for covered cards, and what is a marker."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo.overlaps import rest_of_photo, seen_markers

WOOD = (70, 110, 150)


def _square(x: int, y: int, width: int, height: int) -> NDArray[np.float64]:
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float64)


def _table() -> NDArray[np.uint8]:
    return np.full((400, 600, 3), WOOD, np.uint8)


def test_what_no_known_card_tells_of_is_found_where_it_lies() -> None:
    table = _table()
    table[100:154, 100:134] = 255
    table[200:254, 400:434] = 255
    bare = np.full((50, 75, 3), WOOD, np.uint8)
    seen = rest_of_photo(table, bare, [_square(100, 100, 34, 54)])
    assert np.abs(seen.min(axis=0) - (400, 200)).max() < 4
    assert np.abs(seen.max(axis=0) - (434, 254)).max() < 4


def test_of_the_pieces_only_the_marker_is_one() -> None:
    table = _table()
    table[100:156, 200:256] = 255
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    table[108:148, 208:248] = cv2.aruco.generateImageMarker(dictionary, 2, 40)[..., None]
    table[250:304, 300:350] = 200
    (corners,) = seen_markers(table, np.eye(3), [_square(200, 100, 56, 56), _square(300, 250, 50, 54)])
    assert np.abs(corners - (_square(208, 108, 40, 40) - 0.5)).max() < 1.5
