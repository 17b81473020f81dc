"""Prints large kana across a torifuda, as beginners' editions print the kimariji: pink, red, blue, green.

To a gray camera the ink is anything between hardly darker than paper and as dark as the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from torifuda.typefaces import CELL_PX, EM_PX

Rng = np.random.Generator
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Overprint:
    """Kana across a card, in mm, origin in the card's centre."""

    kana: tuple[int, ...]  # numbers of the glyphs
    places_mm: NDArray[np.float64]  # shape (kana, 2); their centres before the whole is turned
    # em_mm, turn_rad: size and turn of the whole
    em_mm: float
    turn_rad: float
    bolder_mm: float  # by how much the strokes are thickened
    hollow_mm: float  # the strokes are outlines so thick; 0: they are filled

    @classmethod
    def draw(cls, rng: Rng, kana: int, card_mm: tuple[float, float]) -> Overprint:
        """Draw one to six of `kana` glyphs: in a column, two columns or a row, anywhere that holds them."""
        width, height = card_mm
        count = int(rng.choice([1, 2, 3, 4, 5, 6], p=[0.2, 0.25, 0.25, 0.15, 0.05, 0.1]))
        columns = int(rng.choice([1, 2, count], p=[0.65, 0.2, 0.15]))
        rows = -(-count // columns)
        pitch = rng.uniform(0.85, 1.15)
        largest = min(1.05 * width / (columns * pitch), 1.05 * height / (rows * pitch), 46.0)
        em = float(rng.uniform(0.5, 1.0) * largest if rng.random() < 0.85 else rng.uniform(6, 12))
        places = np.array([[-(i // rows) * pitch, i % rows * pitch] for i in range(count)]) * em
        places -= (places.min(axis=0) + places.max(axis=0)) / 2
        free = np.maximum((np.array(card_mm) - np.ptp(places, axis=0) - em) / 2, 0.0)
        middle = rng.uniform(-1, 1, 2) * free if rng.random() < 0.5 else np.zeros(2)
        return cls(
            tuple(rng.integers(0, kana, count).tolist()),
            places + middle + rng.normal(0, 1.5, 2),
            em,
            float(np.deg2rad(rng.normal(0, 3 if rng.random() < 0.9 else 20))),
            float(rng.uniform(0, 0.1) * em if rng.random() < 0.5 else 0.0),
            float(max(rng.uniform(0.03, 0.06) * em, 0.7) if rng.random() < 0.12 else 0.0),
        )


def overprint_ink(
    overprint: Overprint, glyphs: NDArray[np.uint8], shape: tuple[int, int], px_per_mm: float
) -> Floats:
    """Return how much of each pixel of a card, of shape (height, width), the overprint covers, 0..1.

    `glyphs`: cells of one typeface, shape (kana, CELL_PX, CELL_PX).
    """
    covered = np.zeros(shape, np.uint8)
    scale = overprint.em_mm * px_per_mm / EM_PX
    cos, sin = np.cos(overprint.turn_rad), np.sin(overprint.turn_rad)
    turn = np.array([[cos, -sin], [sin, cos]])
    for kana, place in zip(overprint.kana, overprint.places_mm, strict=True):
        centre = turn @ place * px_per_mm + np.array(shape[::-1]) / 2
        warp = np.column_stack([scale * turn, centre - scale * turn @ np.full(2, CELL_PX / 2)])
        laid = cv2.warpAffine(glyphs[kana], warp, shape[::-1], flags=cv2.INTER_LINEAR)
        covered = np.maximum(covered, np.asarray(laid, np.uint8))
    bold = cv2.dilate(covered, _disc(overprint.bolder_mm * px_per_mm))
    if overprint.hollow_mm:
        bold = cv2.subtract(bold, cv2.erode(bold, _disc(2 * overprint.hollow_mm * px_per_mm)))
    return np.asarray(bold, np.float32) / np.float32(255)


def _disc(across_px: float) -> NDArray[np.uint8]:
    size = 2 * round(across_px / 2) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def random_overprint(
    faces: Sequence[NDArray[np.uint8]], shape: tuple[int, int], px_per_mm: float, rng: Rng
) -> Floats:
    """Print kana of any of the typefaces across a card of a shape in pixels; see `overprint_ink`."""
    glyphs = faces[int(rng.integers(len(faces)))]
    card_mm = shape[1] / px_per_mm, shape[0] / px_per_mm
    return overprint_ink(Overprint.draw(rng, len(glyphs), card_mm), glyphs, shape, px_per_mm)
