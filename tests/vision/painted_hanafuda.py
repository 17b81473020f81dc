"""A deck painted for tests, and tables with its cards lying on them in known places."""

from typing import Any

import cv2
import numpy as np

from calibration.decks.deck import Deck
from referee.cards.hanafuda import HANAFUDA

SIZE = (198, 324)


def painted_deck(seed: int = 0) -> Deck:
    """White cards with a black border and coloured discs, each in its own places."""
    return Deck("hanafuda", "painted", {card: _paint(seed * 100 + i) for i, card in enumerate(HANAFUDA)})


def lay(table: Any, picture: Any, corners_px: Any) -> None:
    """Draw a card on a table in place; corners clockwise from its upper left one."""
    # four times finer and averaged, so that edges are as soft as a camera's
    fine = cv2.resize(table, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
    source = np.array([[0, 0], [SIZE[0], 0], [SIZE[0], SIZE[1]], [0, SIZE[1]]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, ((corners_px + 0.5) * 4 - 0.5).astype(np.float32))
    extent = (fine.shape[1], fine.shape[0])
    warped = cv2.warpPerspective(picture, matrix, extent)
    inside = cv2.warpPerspective(np.full(picture.shape[:2], 255, np.uint8), matrix, extent) > 127
    fine[inside] = warped[inside]
    table[:] = cv2.resize(fine, (table.shape[1], table.shape[0]), interpolation=cv2.INTER_AREA)


def corners(middle: tuple[float, float], width_px: float, turn_deg: float) -> Any:
    """Corners of a flat card seen straight from above; shape (4, 2)."""
    half = np.array([[-33, -54], [33, -54], [33, 54], [-33, 54]]) / 66 * width_px
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return half @ np.array([[c, s], [-s, c]]) + middle


def _paint(seed: int) -> Any:
    dice = np.random.default_rng(seed)
    picture = np.full((SIZE[1], SIZE[0], 3), 240, np.uint8)
    for _ in range(6):
        middle = [int(x) for x in dice.uniform(0.1, 0.9, 2) * SIZE]
        cv2.circle(picture, middle, SIZE[0] // 6, [int(x) for x in dice.integers(0, 200, 3)], -1)
    cv2.rectangle(picture, (0, 0), (SIZE[0] - 1, SIZE[1] - 1), (20, 20, 20), 9)
    return picture
