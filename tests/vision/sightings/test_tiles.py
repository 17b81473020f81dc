"""Tiles of a face compared with what is shown, against OpenCV's own template matching."""

import cv2
import numpy as np
import pytest

from vision.sightings.tiles import Tiles, framed

BOXES = [(slice(4, 20), slice(3, 15)), (slice(20, 37), slice(15, 26)), (slice(37, 50), slice(3, 15))]


@pytest.fixture
def face() -> np.ndarray:
    return np.random.default_rng(3).uniform(20, 230, (54, 30)).astype(np.float32)


def test_tiles_are_alike_as_template_matching_says(face: np.ndarray) -> None:
    shown = (0.4 * face + np.random.default_rng(4).uniform(0, 200, face.shape)).astype(np.float32)
    other = np.ascontiguousarray(face[::-1])
    tiles = Tiles(face, BOXES)
    expected = [
        [float(cv2.matchTemplate(shown[box], one[box], cv2.TM_CCOEFF_NORMED).item()) for box in BOXES]
        for one in (face, other)
    ]
    found = tiles.alike(tiles.normed(shown), np.stack([tiles.normed(face), tiles.normed(other)]))
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_a_tile_without_print_is_like_nothing(face: np.ndarray) -> None:
    tiles = Tiles(face, BOXES)
    flat = np.full_like(face, 90.0)
    assert np.abs(tiles.alike(tiles.normed(flat), tiles.normed(face))).max() == 0


def test_tiles_are_found_where_the_face_was_shifted_to(face: np.ndarray) -> None:
    around = np.random.default_rng(5).uniform(20, 230, (54 + 14, 30 + 14)).astype(np.float32)
    around[7 + 2 : 7 + 2 + 54, 7 - 3 : 7 - 3 + 30] = face
    scores = Tiles(face, BOXES).around(around, 7)
    assert scores.shape == (3, 15, 15)
    assert scores[:, 7 + 2, 7 - 3] == pytest.approx(np.ones(3), abs=1e-4)
    assert scores[:, 0, 14].max() < 0.5


def test_the_mask_shows_the_tiles_that_are_seen(face: np.ndarray) -> None:
    mask = Tiles(face, BOXES).mask(np.array([True, False, True]), face.shape)
    assert (mask[4:20, 3:15] == 255).all()
    assert not mask[20:37, 15:26].any()
    assert int((mask > 0).sum()) == 16 * 12 + 13 * 12


@pytest.mark.parametrize("low", [(2, 1), (-2, 3), (8, -3), (5, 4)])
def test_what_lies_outside_of_a_picture_is_black(low: tuple[int, int]) -> None:
    picture = np.arange(1.0, 81.0, dtype=np.float32).reshape(8, 10)
    bordered = np.pad(picture, 20)
    x, y = (place + 20 for place in low)
    found = framed(picture, np.array(low), np.add(low, [6, 5]))
    np.testing.assert_array_equal(found, bordered[y : y + 5, x : x + 6])


@pytest.mark.parametrize("low", [(-6, 0), (-9, 2), (10, 0), (40, 3), (0, -5), (2, 8), (-30, -30)])
def test_a_part_wholly_outside_of_a_picture_is_black(low: tuple[int, int]) -> None:
    found = framed(np.ones((8, 10), np.float32), np.array(low), np.add(low, [6, 5]))
    np.testing.assert_array_equal(found, np.zeros((5, 6), np.float32))
