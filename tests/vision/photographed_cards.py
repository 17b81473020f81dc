"""Photos of torifuda on a table, taken at a slant: cards in a typeface the reader was never taught."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from referee.cards.poems import POEMS
from vision.simulator.drawing.style import STYLES
from vision.simulator.hall.table import text_ink

PX_PER_MM = 3.5
TABLE_MM = 560
INKS = {"pink": (190, 150, 240), "red": (50, 40, 215), "blue": (200, 90, 40), "orange": (40, 150, 245)}
"""Blue, green and red of inks in which beginners' editions print the kimariji."""


@dataclass(frozen=True)
class Photo:
    """A gray picture and, per card, its number and true corners in reading order."""

    gray: Any
    cards: dict[int, Any]


def printed(poem: int, border_mm: float, paper: float = 225, ink: float = 40, border: float = 70) -> Any:
    """Print one card of 52 x 73 mm."""
    size = (round(52 * PX_PER_MM), round(73 * PX_PER_MM))
    text = cv2.resize(text_ink(POEMS[poem].torifuda_columns, STYLES["holdout"].typeface), size)
    face = paper * (1 - text) + ink * text
    edge = round(border_mm * PX_PER_MM)
    if edge:
        rim = np.ones(face.shape, bool)
        rim[edge:-edge, edge:-edge] = False
        face[rim] = border
    return face.astype(np.float32)


def kana_across(poem: int) -> Any:
    """How much of each pixel of a card two large kana cover: the first two of its own text."""
    column = text_ink((POEMS[poem].torifuda_columns[0][:2], "", ""), STYLES["holdout"].typeface)
    rows, columns = np.nonzero(column > 0.3)
    ink = column[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    face = np.zeros((round(73 * PX_PER_MM), round(52 * PX_PER_MM)), np.float32)
    rim = round(5 * PX_PER_MM)
    face[rim:-rim, rim:-rim] = cv2.resize(ink, (face.shape[1] - 2 * rim, face.shape[0] - 2 * rim))
    return face


def wood(rng: Any, brightness: float) -> Any:
    """Paint a table top with grain and joints."""
    size = round(TABLE_MM * PX_PER_MM)
    grain = cv2.GaussianBlur(rng.standard_normal((size, size // 24)).astype(np.float32), (0, 0), 1.5)
    table = brightness * (1 + 0.06 * cv2.resize(grain, (size, size)) / grain.std())
    for joint in range(0, size, size // 5):
        table[joint : joint + 5] *= 0.6
    return table


def clutter(table: Any, rng: Any) -> None:
    """Put a cup, a printed page, a phone and a blank note on the table."""
    size = table.shape[0]
    spots = rng.uniform(0.1, 0.9, (4, 2)) * size
    cv2.circle(table, spots[0].astype(int).tolist(), 150, 235, -1)
    cv2.circle(table, spots[0].astype(int).tolist(), 125, 60, -1)
    for spot, sides, tone in ((1, (560, 800), 238), (2, (280, 580), 20), (3, (300, 300), 215)):
        box = cv2.boxPoints((tuple(spots[spot]), sides, float(rng.uniform(0, 90))))
        cv2.fillConvexPoly(table, box.astype(np.int32), tone)
        if spot == 1:
            for line in np.linspace(0.1, 0.9, 22):
                begin = box[0] + 0.1 * (box[1] - box[0]) + line * (box[3] - box[0])
                end = begin + rng.uniform(0.5, 0.8) * (box[1] - box[0])
                cv2.line(table, begin.astype(int).tolist(), end.astype(int).tolist(), 90, 4)


def photograph(  # noqa: PLR0917
    faces: dict[int, Any],
    places: Any,
    seed: int,
    width: int = 1600,
    tilt_deg: float = 30.0,
    roll_deg: float = 0.0,
    brightness: float = 120.0,
    things: bool = True,
) -> Photo:
    """Lay cards at `places` (x, y in mm from the table's middle, turn in degrees) and look at them."""
    rng = np.random.default_rng(seed)
    table = wood(rng, brightness)
    if things:
        clutter(table, rng)
    middle = table.shape[0] / 2
    laid = {}
    for (poem, face), (x, y, turn) in zip(faces.items(), places, strict=True):
        cos, sin = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
        shape = np.array([[-26, -36.5], [26, -36.5], [26, 36.5], [-26, 36.5]])
        corners = (shape @ np.array([[cos, sin], [-sin, cos]]) + (x, y)) * PX_PER_MM + middle - 0.5
        left, top = (corners.min(axis=0) - 2).astype(int)
        right, bottom = (corners.max(axis=0) + 3).astype(int)
        sheet = np.array([[0, 0], [face.shape[1], 0], face.shape[::-1], [0, face.shape[0]]]) - 0.5
        target = (corners - (left, top)).astype(np.float32)
        warp = cv2.getPerspectiveTransform(sheet.astype(np.float32), target)
        size = (int(right - left), int(bottom - top))
        mask = cv2.warpPerspective(np.ones_like(face), warp, size)
        card = cv2.warpPerspective(face, warp, size, borderMode=cv2.BORDER_REPLICATE)
        part = table[top:bottom, left:right]
        part[:] = part * (1 - mask) + card * mask
        laid[poem] = corners
    height = width * 3 // 4
    focal = 1.2 * width
    lean, _ = cv2.Rodrigues(np.array([np.deg2rad(tilt_deg), 0.0, 0.0]))
    roll, _ = cv2.Rodrigues(np.array([0.0, 0.0, np.deg2rad(roll_deg)]))
    view = roll @ lean
    distance = 1.15 * focal * table.shape[0] / width
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    to_photo = lens @ np.column_stack([view[:, 0], view[:, 1], [0, 0, distance]])
    to_photo = to_photo @ np.array([[1, 0, -middle], [0, 1, -middle], [0, 0, 1]])
    soft = cv2.GaussianBlur(table, (0, 0), max(0.3, 0.4 * distance / focal))
    gray = cv2.warpPerspective(soft, to_photo, (width, height), borderValue=brightness)
    gray = gray + rng.normal(0, 3, gray.shape)
    seen = {poem: cv2.perspectiveTransform(corners[None], to_photo)[0] for poem, corners in laid.items()}
    return Photo(np.clip(gray, 0, 255).astype(np.uint8), seen)


def scattered(rng: Any, count: int) -> list[tuple[float, float, float]]:
    """Draw places apart from each other, every card turned as it fell."""
    places: list[tuple[float, float, float]] = []
    while len(places) < count:
        x, y = rng.uniform(-200, 200), rng.uniform(-140, 140)
        if all(np.hypot(x - other[0], y - other[1]) > 92 for other in places):
            places.append((x, y, float(rng.uniform(0, 360))))
    return places
