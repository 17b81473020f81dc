"""A deck painted for tests, and tables with its cards lying on them in known places."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from calibration.decks.deck import Deck
from referee.cards.hanafuda import HANAFUDA
from vision.frames.frame import Frame
from vision.hanafuda.pose import corners_mm
from vision.plane.table_plane import TablePlane, marker_corners_mm

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


SIZE_MM = (800.0, 560.0)
CARD_MM = (33.0, 54.0)
TO_PX = np.array([[1.12, 0.01, 185.0], [0.02, 1.13, 45.0], [2e-5, 1e-5, 1.0]])
PLANE = TablePlane(SIZE_MM, TO_PX)  # how the painted table appears in a picture of 1280 x 720


def painted_table(
    seed: int = 0, colour: tuple[int, int, int] = (120, 80, 50), plane: TablePlane = PLANE
) -> Any:
    """The table with its markers and nothing else; shape (720, 1280, 3)."""
    grain = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 12, (720, 1280, 3)), (0, 0), 1.5)
    picture = np.clip(np.array(colour) + grain, 0, 255).astype(np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number, square in marker_corners_mm(SIZE_MM).items():
        quiet = (square - square.mean(axis=0)) * 1.5 + square.mean(axis=0)
        cv2.fillConvexPoly(picture, np.rint(plane.pixels(quiet)).astype(np.int32), (235, 235, 235))
        marker = cv2.cvtColor(cv2.aruco.generateImageMarker(dictionary, number, 240), cv2.COLOR_GRAY2BGR)
        source = np.array([[0, 0], [240, 0], [240, 240], [0, 240]], np.float32) - 0.5
        to_picture = cv2.getPerspectiveTransform(source, plane.pixels(square).astype(np.float32))
        drawn = cv2.warpPerspective(marker, to_picture, (1280, 720))
        inside = cv2.warpPerspective(np.full((240, 240), 255, np.uint8), to_picture, (1280, 720)) > 127
        picture[inside] = drawn[inside]
    return picture


def put(picture: Any, cards: Sequence[tuple[Any, Sequence[float]]], plane: TablePlane = PLANE) -> Any:
    """Return the picture with cards (its print, its pose) laid on it, the later ones over the earlier."""
    picture = picture.copy()
    for face, pose in cards:
        quad = plane.pixels(corners_mm(np.array([pose], np.float64), CARD_MM)[0])
        left, top = np.floor(quad.min(axis=0)).astype(int) - 3
        right, low = np.ceil(quad.max(axis=0)).astype(int) + 4
        part = picture[top:low, left:right].copy()
        lay(part, face, quad - (left, top))
        picture[top:low, left:right] = part
    return picture


def frame(picture: Any, t_ms: float, index: int = 0) -> Frame:
    """A camera's frame of a picture."""
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return Frame(gray, round(t_ms * 1e6), 1, index, None, lambda: picture)
