"""Cards with paper as dark as the floor: worn ones, or another edition."""

from itertools import islice
from typing import Any

import cv2
import numpy as np
import pytest

from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M
from tests.slow_case import slow_case
from vision.field.layout_reader import LayoutReading, read_layout
from vision.simulator.hall.match import SimulatedMatch

PX_PER_MM = 4
BORDER_MM = 4  # with the edge's own blur


@pytest.fixture(scope="module")
def field() -> tuple[Any, LayoutReading]:
    """A plain field and how it is read."""
    gray = next(islice(SimulatedMatch(3, 60, (1280, 720), "tatami", 20), 1)).gray
    reading = read_layout([gray])
    assert isinstance(reading, LayoutReading)
    return gray, reading


def dimmed(
    field: tuple[Any, LayoutReading], chosen: list[int], above: float, *, mirrored: bool = False
) -> Any:
    """Replace cards by borderless ones, so much brighter than the floor; mirrored, nobody can read them."""
    gray, reading = field
    rng = np.random.default_rng(1)
    picture = gray.astype(np.float32)
    floor = float(np.median(gray))
    size = (round(1e3 * CARD_WIDTH_M * PX_PER_MM), round(1e3 * CARD_HEIGHT_M * PX_PER_MM))
    upright = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32) - 0.5
    rim = BORDER_MM * PX_PER_MM
    for number in chosen:
        corners = reading.corners_px[number].astype(np.float32)
        face = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(corners, upright), size)
        ink = np.zeros_like(face)
        ink[rim:-rim, rim:-rim] = 1 - face[rim:-rim, rim:-rim] / np.percentile(face, 85)
        dim = (floor + above) * (1 - np.clip(ink[:, ::-1] if mirrored else ink, 0, 1))
        back = cv2.getPerspectiveTransform(upright, corners)
        laid = cv2.warpPerspective(dim, back, gray.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        where = cv2.warpPerspective(np.ones_like(dim), back, gray.shape[::-1])
        where = cv2.dilate(where, np.ones((5, 5)))  # the plain card's edge goes, too
        grain = np.asarray(rng.normal(0, 2, laid.shape), np.float32)
        picture = picture + where * (laid + grain - picture)
    return np.clip(picture, 0, 255).astype(np.uint8)


def lying_at(reading: LayoutReading, corners: Any) -> list[int | None]:
    """What is said to lie in a place of the picture."""
    middle, near = corners.mean(axis=0), np.linalg.norm(corners[1] - corners[0]) / 3
    return [
        placed.card
        for placed, found in zip(reading.layout, reading.corners_px, strict=True)
        if np.linalg.norm(found.mean(axis=0) - middle) < near
    ]


@pytest.mark.parametrize("above", [15, slow_case(3), slow_case(0), -5])
def test_dim_cards_among_plain_ones_are_there(field: tuple[Any, LayoutReading], above: float) -> None:
    plain = field[1]
    chosen = list(range(0, len(plain.layout), 4))
    found = read_layout([dimmed(field, chosen, above)])
    assert isinstance(found, LayoutReading)
    cards = [placed.card for placed in plain.layout]
    lying = [lying_at(found, corners) for corners in plain.corners_px]
    assert all(there in ([card], [None]) for there, card in zip(lying, cards, strict=True))
    assert len(found.layout) == len(cards)
    assert found.named >= len(cards) - 1
