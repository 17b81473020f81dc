"""Find where a printed marker may lie in a picture: groups of bright spots, and dark squares."""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]
Points = NDArray[np.float64]

SMALLEST_PX: Final = 12.0
"""Side of the smallest marker sought: two pixels for each of six cells, as sampling demands."""
STANDS_OUT: Final = 8
"""Gray levels by which a print differs from its surroundings: twice a poor camera's noise."""


def bright_spots(gray: Gray, cells: int) -> Iterator[tuple[Points, Points]]:
    """Yield centre and spread (root of the covariance) of groups of bright spots as large as markers."""
    around = 4 * cells + 7
    local = cv2.blur(gray, (around, around))
    bright = np.asarray(cv2.subtract(gray, local) > STANDS_OUT, np.uint8)
    joined = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, parts, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    for number in range(1, count):
        left, top, width, height, area = (int(x) for x in stats[number])
        small, large = sorted((width, height))
        if not (small >= 6 and large <= 30 and large <= 2.5 * small and area >= 0.3 * width * height):
            continue
        window = (slice(top, top + height), slice(left, left + width))
        weight = np.where(parts[window] == number, gray[window].astype(np.float64), 0)
        weight = np.maximum(weight - float(local[window].min()), 0)
        rows, columns = np.mgrid[top : top + height, left : left + width]
        total = float(weight.sum())
        if total <= 0:
            continue
        mean = np.array([(columns * weight).sum(), (rows * weight).sum()]) / total
        x, y = columns - mean[0], rows - mean[1]
        across, along, both = ((a * b * weight).sum() / total for a, b in ((x, x), (y, y), (x, y)))
        spread = np.array([[across, both], [both, along]]) + np.eye(2) / 12
        yield mean, root_of(spread)


def dark_squares(gray: Gray, cells: int) -> Iterator[Points]:
    """Yield the corners of dark spots as large as markers, shape (4, 2), as squares or oblongs."""
    around = 8 * cells + 7
    dark = np.asarray(cv2.subtract(cv2.blur(gray, (around, around)), gray) > STANDS_OUT, np.uint8)
    outlines, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for outline in outlines:
        if max(cv2.boundingRect(outline)[2:]) < SMALLEST_PX - 2:
            continue
        box = cv2.minAreaRect(outline)
        small, large = sorted(box[1])
        if not (small >= SMALLEST_PX - 2 and large <= 5 * cells + 4 and large <= 2 * small):
            continue
        if cv2.contourArea(outline) < 0.6 * small * large:
            continue
        corners = np.asarray(cv2.boxPoints(box), np.float64)
        (ax, ay), (bx, by) = corners[1] - corners[0], corners[2] - corners[1]
        yield corners if ax * by > ay * bx else corners[::-1]


def root_of(matrix: Points) -> Points:
    """Return the square root of a covariance, shape (2, 2)."""
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray((vectors * np.sqrt(values)) @ vectors.T, np.float64)
