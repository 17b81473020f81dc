"""Fit four straight sides to outlines, away from their rounded corners."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Corners = NDArray[np.float64]


def fit_quads(hulls: Sequence[Corners], min_side_px: float) -> list[Corners]:
    """Return the outlines with four sides, shape (4, 2) each, starting with a short side.

    `hulls`: shape (P, 2) each.
    """
    if not hulls:
        return []
    boxes = _clockwise(
        np.stack([cv2.boxPoints(cv2.minAreaRect(hull.astype(np.float32))) for hull in hulls]).astype(float)
    )
    outlines = _resampled(hulls)
    # the outline's points nearest to its box's corners are a first guess of its own corners
    away = np.square(outlines[:, :, None] - boxes[:, None]).sum(axis=3)
    rough = np.take_along_axis(outlines, away.argmin(axis=1)[:, :, None], axis=1)
    along = np.roll(rough, -1, axis=1) - rough
    length = np.linalg.norm(along, axis=2)
    unit = along / np.maximum(length, 1e-6)[:, :, None]
    normal = np.stack([-unit[..., 1], unit[..., 0]], axis=2)
    turned = np.stack([unit, normal], axis=3)
    # shape (N, 4, P): position of the outline's points along and beside each side
    from_start = np.matmul(outlines[:, None], turned) - np.matmul(rough[:, :, None], turned)
    x, y = from_start[..., 0], from_start[..., 1]
    side = length[:, :, None]
    near = (x > 0.15 * side) & (x < 0.85 * side) & (np.abs(y) < 0.08 * side + 1)
    slope, level = _robust_lines(x, y, near)
    # a x + b y = c in picture coordinates
    lines = normal - slope[:, :, None] * unit
    offset = (lines * rough).sum(axis=2) + level
    before, offset_before = np.roll(lines, 1, axis=1), np.roll(offset, 1, axis=1)
    parallel = before[..., 0] * lines[..., 1] - before[..., 1] * lines[..., 0]
    divisor = np.where(np.abs(parallel) < 1e-6, np.inf, parallel)
    quads = np.stack(
        [
            (offset_before * lines[..., 1] - offset * before[..., 1]) / divisor,
            (before[..., 0] * offset - lines[..., 0] * offset_before) / divisor,
        ],
        axis=2,
    )
    min_points = 6  # Points along an outline, and along each of its sides, to which lines are fitted.
    sided = (length >= min_side_px / 2).all(axis=1) & (near.sum(axis=2) >= min_points).all(axis=1)
    crossed = (np.abs(parallel) >= 1e-6).all(axis=1)
    sound = np.flatnonzero(sided & crossed)
    quads = _clockwise(quads[sound])
    across, down = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    areas = np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]) / 2
    filled = np.array([cv2.contourArea(hulls[int(number)].astype(np.float32)) for number in sound])
    min_fill = 0.85  # share of its quadrilateral that an outline fills, given rounded corners
    card_like = (areas >= min_side_px**2) & (filled > min_fill * areas) & (filled < 1.1 * areas)
    return list(_short_sides_first(_outwards(quads[card_like], areas[card_like])))


def _robust_lines(x: Corners, y: Corners, use: NDArray[np.bool_]) -> tuple[Corners, Corners]:
    """Fit y = slope x + level over the last axis by least squares with Huber's weights."""
    weight = use.astype(np.float64)
    slope = level = np.zeros(x.shape[:-1])
    rounds = 4
    outlier_px = 1.345  # Huber's tuning constant, for noise of one pixel
    for _ in range(rounds):
        total = np.maximum(weight.sum(axis=-1), 1e-9)
        mean_x, mean_y = (weight * x).sum(axis=-1) / total, (weight * y).sum(axis=-1) / total
        away_x = x - mean_x[..., None]
        spread = np.maximum((weight * away_x * away_x).sum(axis=-1), 1e-9)
        slope = (weight * away_x * y).sum(axis=-1) / spread
        level = mean_y - slope * mean_x
        residual = np.abs(y - slope[..., None] * x - level[..., None])
        weight = use / np.maximum(residual / outlier_px, 1)
    return slope, level


def _resampled(hulls: Sequence[Corners]) -> Corners:
    """Return equally spaced points along each of some closed outlines, shape (N, points, 2)."""
    closed = np.concatenate([part for hull in hulls for part in (hull, hull[:1])])
    last = np.cumsum([len(hull) + 1 for hull in hulls]) - 1
    first = np.concatenate([[0], last[:-1] + 1])
    steps = np.hypot(*np.diff(closed, axis=0, prepend=closed[:1]).T)
    steps[first] = 1.0  # all outlines form one long path: the step to the next outline has any length
    reached = steps.cumsum()
    begin, length = reached[first], reached[last] - reached[first]
    points = 96
    at = begin[:, None] + np.arange(points) * (length[:, None] / points)
    return np.stack([np.interp(at, reached, closed[:, axis]) for axis in (0, 1)], axis=2)


def _outwards(quads: Corners, areas: Corners) -> Corners:
    """Move the sides out by half a pixel: an outline runs through the centres of the outermost pixels."""
    middle = quads.mean(axis=1, keepdims=True)
    size = np.sqrt(np.maximum(areas, 1.0))[:, None, None]
    return np.asarray(middle + (quads - middle) * (1 + 1 / size), np.float64)


def _clockwise(quads: Corners) -> Corners:
    """Order the corners of outlines (N, 4, 2) clockwise as seen in the picture, whose y axis points down."""
    offset = quads - quads.mean(axis=1, keepdims=True)
    order = np.arctan2(offset[..., 1], offset[..., 0]).argsort(axis=1)
    return np.take_along_axis(quads, order[:, :, None], axis=1)


def short_side_first(quad: Corners) -> Corners:
    """Return the outline starting with a short side."""
    return np.asarray(_short_sides_first(quad[None])[0], np.float64)


def _short_sides_first(quads: Corners) -> Corners:
    """Return outlines (N, 4, 2), each starting with a short side."""
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    upright = sides[:, 0] + sides[:, 2] <= sides[:, 1] + sides[:, 3]
    return np.asarray(np.where(upright[:, None, None], quads, np.roll(quads, -1, axis=1)), np.float64)
