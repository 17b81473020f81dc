"""The reading of another publisher's card hardly depends on its inks, and rotates with the card."""

from typing import Any

import cv2
import numpy as np
import pytest

from vision.hanafuda.crops import crop_size_px
from vision.hanafuda.kinds import CELL_PX, CHANNELS, WAYS, strokes, upside_down
from vision.simulator.art.hanafuda import drawn_deck


@pytest.fixture(scope="module")
def cards() -> Any:
    pictures = drawn_deck().pictures
    size = crop_size_px()
    return [
        cv2.resize(pictures[card], size, interpolation=cv2.INTER_AREA) for card in ("01-1", "06-2", "08-1")
    ]


def alike(one: Any, other: Any) -> Any:
    """Correlation of each card's edges, and of its inks."""
    parts = []
    for channels in (slice(0, WAYS), slice(WAYS, CHANNELS)):
        flat = [cells[..., channels].reshape(len(cells), -1) for cells in (one, other)]
        parts.append([float(np.corrcoef(a, b)[0, 1]) for a, b in zip(*flat, strict=True)])
    return parts


def test_less_light_and_less_contrast_change_little(cards: Any) -> None:
    dim = [np.asarray(60 + 0.4 * card, np.uint8) for card in cards]
    edges, inks = alike(strokes(cards), strokes(dim))
    assert min(edges) > 0.95
    assert min(inks) > 0.95


def test_a_card_turned_upside_down_is_the_same_turned(cards: Any) -> None:
    turned = strokes([np.ascontiguousarray(card[::-1, ::-1]) for card in cards])
    assert turned == pytest.approx(upside_down(strokes(cards)), abs=0.05)
    width, height = crop_size_px()
    assert turned.shape == (3, height // CELL_PX, width // CELL_PX, CHANNELS)
