"""Outlines beside a card that are no cards, told from cards that lie partly under another."""

import cv2
import numpy as np
import pytest

from vision.cards.phantom_cards import phantom_cards

_SIZE = np.array([56.0, 80.0])


def _outline(x: float, y: float = 60.0) -> np.ndarray:
    return np.asarray(np.array([x, y]) + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * _SIZE)


def _field(*cards: np.ndarray) -> np.ndarray:
    """Cards with columns of strokes on a grained floor, each over those before it."""
    rng = np.random.default_rng(3)
    picture = np.clip(rng.normal(120, 8, (200, 400)), 0, 255).astype(np.uint8)
    for corners in cards:
        (x0, y0), (x1, y1) = corners[0].astype(int), corners[2].astype(int)
        cv2.rectangle(picture, (x0, y0), (x1 - 1, y1 - 1), 225, -1)
        for x in range(x0 + 10, x1 - 8, 14):
            for y in range(y0 + 10, y1 - 12, 12):
                cv2.rectangle(picture, (x, y), (x + 6, y + 6), 30, -1)
    return picture


@pytest.mark.parametrize("x", [176, 232, 310])
def test_floor_is_no_card_beside_one_or_by_itself(x: int) -> None:
    cards = [_outline(60), _outline(140)]
    outlines = np.array([*cards, _outline(x)])
    found = phantom_cards(_field(*cards), outlines, np.array([True, True, False]))
    assert found.tolist() == [False, False, True]


def test_a_printed_card_in_a_deep_shadow_stays() -> None:
    cards = [_outline(60), _outline(140), _outline(240)]
    picture = _field(*cards)
    picture[:, 220:] = picture[:, 220:] // 2
    assert not phantom_cards(picture, np.array(cards), np.array([True, True, False])).any()


def test_an_outline_across_two_named_cards_is_no_card() -> None:
    cards = [_outline(60), _outline(117)]  # a line of print in each was taken for its edge
    found = phantom_cards(_field(*cards), np.array([*cards, _outline(88)]), np.array([True, True, False]))
    assert found.tolist() == [False, False, True]
