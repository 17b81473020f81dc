"""Where a paper's edge lies between two pixels, whichever part of a pixel it falls into."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.border import refine

FINE = 20
PX_PER_MM = 0.85
BORDER_MM, WIDE_MM, TALL_MM = 1.3, 49.4, 70.4
PAPER, INK, FLOOR = 225.0, 70.0, 140.0


def picture(left_px: float, top_px: float) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Draw a card whose sides are parallel to the picture's; returns it and its paper's corners."""
    size = (90, 80)
    fine = np.full((size[0] * FINE, size[1] * FINE), FLOOR, np.float32)

    def fill(grown_mm: float, level: float) -> None:
        x0, x1 = (left_px - grown_mm * PX_PER_MM, left_px + (WIDE_MM + grown_mm) * PX_PER_MM)
        y0, y1 = (top_px - grown_mm * PX_PER_MM, top_px + (TALL_MM + grown_mm) * PX_PER_MM)
        rows, columns = (slice(round(a * FINE), round(b * FINE)) for a, b in ((y0, y1), (x0, x1)))
        fine[rows, columns] = level

    fill(BORDER_MM, INK)
    fill(0.0, PAPER)
    blurred = cv2.GaussianBlur(fine, (0, 0), 0.5 * FINE)
    gray = cv2.resize(blurred, size[::-1], interpolation=cv2.INTER_AREA)
    right_px, low_px = left_px + WIDE_MM * PX_PER_MM, top_px + TALL_MM * PX_PER_MM
    corners = [[left_px, top_px], [right_px, top_px], [right_px, low_px], [left_px, low_px]]
    return np.rint(gray).astype(np.uint8), np.array(corners) - 0.5


def test_an_edge_is_placed_alike_wherever_between_two_pixels_it_falls() -> None:
    off = []
    for phase in np.arange(0.0, 1.0, 0.1):
        gray, corners = picture(15.0 + phase, 12.0 + phase)
        off.append(refine(gray, corners[None] + 0.4)[0] - corners)
    assert np.std(off, axis=0).max() < 0.12
    assert np.abs(np.mean(off, axis=0)).max() < 0.25


def test_an_edge_that_is_turned_against_its_outline_is_looked_at_along_itself() -> None:
    """Outlines of blobs are turned by some pixels over a card: at a single look that smears every edge."""
    dice = np.random.default_rng(0)
    off = []
    for _ in range(20):
        gray, corners = picture(*(15.0 + dice.random(2)))
        off.append(refine(gray, (corners + dice.uniform(-2, 2, (4, 2)))[None])[0] - corners)
    assert np.abs(np.array(off) - np.mean(off, axis=0)).max() < 0.3
