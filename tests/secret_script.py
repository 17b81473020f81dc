"""A club's own deck of torifuda in a hand that nobody else can read, and pictures of it on a field.

Every kana is a few random strokes, so nothing that was ever taught to a reader helps; and a brush never draws
them twice alike: each card has its own wobble, and stays as it is from picture to picture.
"""

from typing import Any

import cv2
import numpy as np

from calibration.decks.deck import Deck, picture_size_px
from referee.cards.poems import POEMS
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M, Layout
from referee.sides import Side
from vision.simulator.drawing.camera import Camera

SIZE_MM = (52.0, 73.0)
KANA_PX = 74


def strokes(kana: str, script: int) -> Any:
    """Points of three strokes of a kana in this script, in a square of side 1."""
    return np.random.default_rng([script, ord(kana)]).uniform(0.08, 0.92, (3, 4, 2))


def draw_card(poem: int, script: int = 0) -> Any:
    """The picture of a card, as it would be enrolled."""
    width, height = picture_size_px(*SIZE_MM)
    dice = np.random.default_rng([script, poem, 1])
    picture = np.full((height, width, 3), (222, 234, 240), np.uint8)
    for column, text in enumerate(POEMS[poem].torifuda_columns):
        pitch = (height - 2 * 58) / max(len(text) - 1, 4)
        for place, kana in enumerate(text):
            middle = np.array([width / 2 + (1 - column) * 90, 58 + place * pitch])
            points = strokes(kana, script) - 0.5 + dice.normal(0, 0.02, (3, 4, 2))
            drawn = np.round(middle + points * min(KANA_PX, pitch)).astype(np.int32)
            cv2.polylines(picture, list(drawn), False, (40, 36, 34), 6, cv2.LINE_AA)
    cv2.rectangle(picture, (0, 0), (width - 1, height - 1), (60, 90, 40), 16)
    return picture


def secret_deck(script: int = 0) -> Deck:
    """All hundred cards, enrolled."""
    return Deck("karuta", "club", {str(poem): draw_card(poem, script) for poem in POEMS}, *SIZE_MM)


def photograph(layout: Layout, camera: Camera, script: int = 0, noise: float = 2.0) -> Any:
    """A gray picture of a field of these cards."""
    dice = np.random.default_rng(len(layout))
    size = (2 * camera.width_px, 2 * camera.height_px)
    floor = cv2.GaussianBlur(dice.normal(112, 60, (size[1], size[0])), (0, 0), 5).astype(np.float32)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (CARD_WIDTH_M / 2, CARD_HEIGHT_M / 2)
    for placed in layout:
        assert placed.card is not None
        card = cv2.cvtColor(draw_card(placed.card, script), cv2.COLOR_BGR2GRAY).astype(np.float32)
        height, width = card.shape
        turn = placed.angle_rad + (np.pi if placed.side is Side.FAR else 0.0)
        cos, sin = np.cos(turn), np.sin(turn)
        corners_m = half @ np.array([[cos, sin], [-sin, cos]]) + (placed.x_m, placed.y_m)
        seen = 2 * camera.to_image(np.column_stack([corners_m, np.zeros(4)])) + 0.5
        source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        low, high = np.floor(seen.min(axis=0)).astype(int) - 2, np.ceil(seen.max(axis=0)).astype(int) + 3
        warp = cv2.getPerspectiveTransform(source, (seen - low).astype(np.float32))
        # what is seen small is averaged, not picked
        soft = cv2.GaussianBlur(card, (0, 0), 0.3 * width / np.ptp(seen[:, 0]))
        box = int(high[0] - low[0]), int(high[1] - low[1])
        inside = cv2.warpPerspective(np.ones_like(card), warp, box)
        part = floor[low[1] : high[1], low[0] : high[0]]
        part[:] = part * (1 - inside) + cv2.warpPerspective(soft, warp, box) * inside
    small = cv2.resize(floor, (camera.width_px, camera.height_px), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 0.6) * 0.85 + dice.normal(0, noise, small.shape)
    return np.clip(small, 0, 255).astype(np.uint8)
