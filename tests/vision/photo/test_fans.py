"""Fans of cards on a photo: those below lie as the one on top does, or are turned about one end."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.painted_hanafuda import CARD_MM, PLANE, painted_deck, painted_table, put
from vision.hanafuda.identity import HanafudaReader
from vision.hanafuda.pose import corners_mm
from vision.photo import overlaps as photo_overlaps
from vision.photo.overlaps import covered_cards
from vision.plane.table_plane import find_markers

DECK = painted_deck()
APART = [("01-1", (110.0, 120.0, 0.1)), ("03-2", (230.0, 110.0, 0.7)), ("06-1", (350.0, 130.0, 1.4))]
APART += [("07-1", (470.0, 115.0, -0.4)), ("12-1", (590.0, 120.0, 0.3))]


@pytest.fixture(scope="module")
def reader() -> HanafudaReader:
    return HanafudaReader(DECK)


def photo(*cards: tuple[str, Sequence[float]]) -> Any:
    return put(painted_table(3), [(DECK.pictures[card], pose) for card, pose in (*APART, *cards)])


@pytest.mark.parametrize("step", [0.3, 0.4, -0.4])
def test_a_fan_that_a_hand_has_spread_is_named_without_its_lines(
    reader: HanafudaReader, monkeypatch: pytest.MonkeyPatch, step: float
) -> None:
    """No line is seen where the borders of cards that lie over one another have one colour."""
    arm = 60.0
    fan = [
        (card, (330 + arm * np.sin(step * n), 350 - arm * np.cos(step * n), step * n))
        for n, card in enumerate(("11-1", "07-2", "10-1", "02-2"))
    ]
    table = painted_table(3)
    picture = put(table, [(DECK.pictures[card], pose) for card, pose in fan])
    monkeypatch.setattr(photo_overlaps, "lines_mm", lambda *_: np.zeros((0, 2, 2)))
    top, pose = fan[-1]
    whole = [(PLANE.pixels(corners_mm(np.array([pose]), CARD_MM)[0]), reader.gallery.ids.index(top))]
    bare = np.asarray(cv2.resize(table, (160, 90), interpolation=cv2.INTER_AREA), np.uint8)
    markers = list(find_markers(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)).values())
    found = covered_cards(picture, reader.gallery, PLANE, bare, whole, markers=markers)
    assert [reader.gallery.ids[card.best] for card, _ in found] == ["10-1", "07-2", "11-1"]
