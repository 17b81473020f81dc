"""Fields of beginners' decks, which print large kana across their cards in an ink of another colour."""

from itertools import islice
from typing import Any

import cv2
import numpy as np
import pytest

from tests.slow_case import slow_case
from tests.vision.photographed_cards import INKS, kana_across
from vision.field.layout_reader import LayoutReading, read_layout
from vision.frames.frame import Gray
from vision.simulator.hall.match import SimulatedMatch


def overprinted(gray: Any, reading: LayoutReading, ink: str) -> Any:
    """Print kana across every named card of a gray picture; returns it in colour."""
    colour = np.dstack([gray.astype(np.float32)] * 3)
    for placed, corners in zip(reading.layout, reading.corners_px, strict=True):
        if placed.card is None:
            continue
        across = kana_across(placed.card)
        height, width = across.shape
        card = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        warp = cv2.getPerspectiveTransform(card, corners.astype(np.float32))
        laid = cv2.warpPerspective(across, warp, gray.shape[::-1], flags=cv2.INTER_AREA)
        (left, top), (right, bottom) = (
            corners.min(axis=0).astype(int) - 2,
            corners.max(axis=0).astype(int) + 3,
        )
        around = np.s_[max(top, 0) : bottom, max(left, 0) : right]
        colour[around] *= 1 - laid[around][..., None] * (1 - np.array(INKS[ink], np.float32) / 255)
    return colour.astype(np.uint8)


@pytest.fixture(scope="module")
def field() -> tuple[Gray, LayoutReading]:
    """A field of plain torifuda, and how it is read."""
    frame = next(islice(SimulatedMatch(3, 60, (1280, 720), "tatami", 20), 1))
    plain = read_layout([frame.gray])
    assert isinstance(plain, LayoutReading)
    return frame.gray, plain


@pytest.mark.parametrize(
    ("ink", "width"),
    [
        slow_case(ink, width) if (width == 640) is (ink in ("pink", "blue")) else (ink, width)
        for ink in INKS
        for width in (1280, 640)
    ],
)
def test_a_field_is_read_through_coloured_kana(
    field: tuple[Gray, LayoutReading], ink: str, width: int
) -> None:
    picture, plain = field
    shown = overprinted(picture, plain, ink)
    gray = np.asarray(cv2.cvtColor(shown, cv2.COLOR_BGR2GRAY), np.uint8)
    small = cv2.resize(shown, (width, width * 9 // 16), interpolation=cv2.INTER_AREA)  # as a camera sent it
    found = read_layout([gray], colour=lambda: small)
    assert isinstance(found, LayoutReading)
    named = {placed.card for placed in found.layout} - {None}
    all_cards = {placed.card for placed in plain.layout} - {None}
    assert named <= all_cards
    assert len(named) >= (len(all_cards) if width == 1280 else 0.9 * len(all_cards))
