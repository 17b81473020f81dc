"""Finds places where a whole card may lie on a table: outlines of a card's shape, by colour and by edges.

It proposes more than there is; which proposals are cards of the deck is for `vision.hanafuda_photo` to say.
Cards that touch or overlap share an outline and are mostly not found.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck import Picture
from vision.frames import Gray

Corners = NDArray[np.float64]
"""Shape (4, 2), px, clockwise, the first side a short one; pixel centres have integer coordinates."""

WORK_WIDTH_PX: Final = 1280
"""Pictures are brought near this width: a card on a table seen whole is then some 38 px wide."""
MIN_SIDE_PX: Final = 16
MIN_ASPECT: Final = 0.4
MAX_ASPECT: Final = 0.92
"""Limits of short to long side: 0.61 from straight above, more or less at a slant."""
MIN_FILL: Final = 0.85
"""Share of its quadrilateral that an outline fills; rounded corners leave some."""
COLOUR_STEPS: Final = (14, 24, 40)
"""How far from the table's colour a card begins, tried one after the other (units of CIE Lab, 8 bit)."""


def find_outlines(picture: Picture) -> list[Corners]:
    """Return every outline that may be a whole card, the same card more than once where outlines agree."""
    scale = min(1.0, WORK_WIDTH_PX / max(picture.shape[:2]))
    work = picture
    if scale < 1:
        work = np.asarray(
            cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
    masks = [*_unlike_table(work), _between_edges(work)]
    quads = [quad for mask in masks for quad in _quads(mask)]
    return [(quad + 0.5) / scale - 0.5 for quad in quads]


def _unlike_table(picture: Picture) -> list[Gray]:
    """Mask what differs in colour from the table around it, once for every colour step."""
    distance = distance_from_table(picture)
    return [_solid(np.asarray(distance > step, np.uint8) * np.uint8(255)) for step in COLOUR_STEPS]


def distance_from_table(picture: Picture) -> Gray:
    """Return how far every pixel's colour is from that of the table around it (units of CIE Lab, 8 bit)."""
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (3, 3), 0), cv2.COLOR_BGR2LAB)
    # the median over far more than a card's size is the table, with its shadows and vignetting
    small = cv2.resize(lab, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)
    table = cv2.resize(cv2.medianBlur(small, 31), (lab.shape[1], lab.shape[0]))
    return np.asarray(cv2.absdiff(lab, table).max(axis=2), np.uint8)


def _between_edges(picture: Picture) -> Gray:
    """Mask lines along which a colour changes: a card's border closes into a ring."""
    edges = np.zeros(picture.shape[:2], np.uint8)
    for channel in cv2.split(cv2.GaussianBlur(picture, (3, 3), 0)):
        edges |= np.asarray(cv2.Canny(channel, 40, 100), np.uint8)
    return np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)


def _solid(mask: Gray) -> Gray:
    """Remove single pixels of the table's grain."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _quads(mask: Gray) -> list[Corners]:
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    height, width = mask.shape
    quads = []
    for contour in contours:
        if len(contour) < 4 * MIN_SIDE_PX:
            continue
        hull = cv2.convexHull(contour)
        sides = sorted(cv2.minAreaRect(hull)[1])
        if sides[0] < MIN_SIDE_PX or not MIN_ASPECT < sides[0] / sides[1] < MAX_ASPECT:
            continue
        x, y, across, down = cv2.boundingRect(hull)
        if x <= 1 or y <= 1 or x + across >= width - 1 or y + down >= height - 1:
            continue  # cut by the picture's edge: not a whole card
        quad = _fit_quad(np.asarray(hull, np.float64).reshape(-1, 2))
        if quad is not None:
            quads.append(quad)
    return quads


def _fit_quad(hull: Corners) -> Corners | None:
    """Fit four lines to a hull's sides, away from its rounded corners; None where it has no four sides."""
    box = _clockwise(np.asarray(cv2.boxPoints(cv2.minAreaRect(hull.astype(np.float32))), np.float64))
    outline = _resampled(hull)
    rough = _four_corners(outline, box)
    lines = []
    for start, end in zip(rough, np.roll(rough, -1, axis=0), strict=True):
        along = end - start
        length = float(np.linalg.norm(along))
        if length < MIN_SIDE_PX / 2:
            return None
        unit = along / length
        share = (outline - start) @ unit / length
        away = np.abs((outline - start) @ np.array([-unit[1], unit[0]]))
        near = outline[(share > 0.15) & (share < 0.85) & (away < 0.08 * length + 1)]
        if len(near) < 6:
            return None
        vx, vy, px, py = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append(np.cross([px, py, 1.0], [px + vx, py + vy, 1.0]))
    crossings = np.array([np.cross(lines[i - 1], lines[i]) for i in range(4)])
    if np.abs(crossings[:, 2]).min() < 1e-6:
        return None
    quad = crossings[:, :2] / crossings[:, 2:]
    area = abs(cv2.contourArea(quad.astype(np.float32)))
    if area < MIN_SIDE_PX**2 or not MIN_FILL < cv2.contourArea(hull.astype(np.float32)) / area < 1.1:
        return None
    return _short_side_first(_outwards(_clockwise(quad)))


def _four_corners(outline: Corners, box: Corners) -> Corners:
    """Return the outline's points nearest to the corners of its box, as a first guess of its corners."""
    distances = np.linalg.norm(outline[:, None] - box[None], axis=2)
    return np.asarray(outline[distances.argmin(axis=0)], np.float64)


def _resampled(hull: Corners) -> Corners:
    """Return points along a closed outline, one for about every pixel."""
    following = np.roll(hull, -1, axis=0)
    steps = np.maximum(np.linalg.norm(following - hull, axis=1).astype(int), 1)
    return np.concatenate(
        [
            start + (end - start) * (np.arange(n) / n)[:, None]
            for start, end, n in zip(hull, following, steps, strict=True)
        ]
    )


def _outwards(quad: Corners) -> Corners:
    """Move the sides half a pixel out: an outline runs through the middles of the card's outer pixels."""
    middle = quad.mean(axis=0)
    size = np.sqrt(max(float(cv2.contourArea(quad.astype(np.float32))), 1.0))
    return np.asarray(middle + (quad - middle) * (1 + 1 / size), np.float64)


def _clockwise(quad: Corners) -> Corners:
    """Order corners clockwise as seen in the picture, whose y axis points down."""
    offset = quad - quad.mean(axis=0)
    return quad[np.argsort(np.arctan2(offset[:, 1], offset[:, 0]))]


def _short_side_first(quad: Corners) -> Corners:
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return quad if sides[0] + sides[2] <= sides[1] + sides[3] else np.roll(quad, -1, axis=0)
