"""Locate the edges of the paper of cards to a fraction of a pixel."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_WIDTH_M
from vision.frames.frame import Gray

Floats = NDArray[np.float64]

CARD_WIDTH_MM: Final = 1e3 * CARD_WIDTH_M
SEARCH_MM: Final = 2.0  # how far off the first outline may be
STEP_MM: Final = 0.4
OFFSETS_MM: Final = np.arange(-SEARCH_MM - STEP_MM, SEARCH_MM + STEP_MM + 1e-9, STEP_MM)
ALONG: Final = np.array(
    [[0.10, 0.16, 0.22, 0.28, 0.34, 0.40, 0.46], [0.54, 0.60, 0.66, 0.72, 0.78, 0.84, 0.90]]
)
"""Positions along a side at which its edge is measured: two halves, so that a turn shows."""


def refine(gray: Gray, papers_px: Floats) -> Floats:
    """Move outlines onto the edges of the paper.

    Returns: refined outlines, shape (N, 4, 2).

    `gray`: shape (height, width), uint8. `papers_px`: shape (N, 4, 2), in the order of
    `vision.cards.rectangle_finder.FoundCard`.
    """
    # Along a side that is turned against its outline the edge is smeared, so a second pass measures it along
    # the found edge. A third pass changes nothing.
    passes = 2
    for _ in range(passes if len(papers_px) else 0):
        papers_px = _moved_onto_edges(gray, papers_px)
    return papers_px


def _moved_onto_edges(gray: Gray, papers_px: Floats) -> Floats:
    start, end, outwards, px_per_mm = outward_sides(papers_px)
    profiles = _profiles(gray, start, end, outwards * px_per_mm[:, None, None])
    falls = profiles[..., :-2] - profiles[..., 2:]
    at = falls.argmax(axis=-1)
    peak = np.take_along_axis(falls, at[..., None], -1)[..., 0]
    shift_mm = OFFSETS_MM[1:-1][at] + STEP_MM * _parabola(falls, at)
    # Gray levels per step below which an edge is invisible (covered, or as bright as the floor).
    min_step = 6.0
    shift_mm = np.where(peak > min_step, shift_mm, np.nan)
    # A half without an edge, or one that disagrees by an impossible turn, follows the other half.
    shift_mm = np.where(np.isnan(shift_mm), shift_mm[..., ::-1], shift_mm)
    shift_mm = np.where(np.isnan(shift_mm), 0.0, shift_mm)
    first, second = shift_mm[..., 0], shift_mm[..., 1]
    scale = px_per_mm[:, None, None]
    span = end - start
    on_first = start + ALONG[0].mean() * span + outwards * first[..., None] * scale
    on_second = start + ALONG[1].mean() * span + outwards * second[..., None] * scale
    corners = _crossings(np.roll(on_first, 1, axis=1), np.roll(on_second, 1, axis=1), on_first, on_second)
    wild = np.linalg.norm(corners - papers_px, axis=2) > 2 * SEARCH_MM * px_per_mm[:, None]
    return np.where(wild[..., None], papers_px, corners)


def grown(papers_px: Floats, border: float) -> Floats:
    """Return the outlines extended by a border of `border` mm (of a 52 mm wide paper)."""
    across = (papers_px[:, [1, 1, 2, 2]] - papers_px[:, [0, 0, 3, 3]]) / CARD_WIDTH_MM
    down_mm = CARD_WIDTH_MM / np.linalg.norm(papers_px[:, 1] - papers_px[:, 0], axis=1)
    down = papers_px[:, [3, 2, 2, 3]] - papers_px[:, [0, 1, 1, 0]]
    down_length = np.linalg.norm(down, axis=2, keepdims=True) * down_mm[:, None, None]
    signs_x = np.array([-1, 1, 1, -1])[None, :, None]
    signs_y = np.array([-1, -1, 1, 1])[None, :, None]
    return np.asarray(papers_px + border * (signs_x * across + signs_y * down / down_length))


def outward_sides(papers_px: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the sides of outlines of shape (N, 4, 2).

    Returns: starts and ends, shape (N, 4, 2); unit vectors outwards, shape (N, 4, 2); pixels per mm of a
    paper 52 mm wide, shape (N,).
    """
    start, end = papers_px, np.roll(papers_px, -1, axis=1)
    along = (end - start) / np.linalg.norm(end - start, axis=2, keepdims=True)
    outwards = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    lengths = np.linalg.norm(end - start, axis=2)
    return start, end, outwards, (lengths[:, 0] + lengths[:, 2]) / 2 / CARD_WIDTH_MM


def _profiles(gray: Gray, start: Floats, end: Floats, outwards_px: Floats) -> Floats:
    """Sample across the sides; the median along each half ignores a stroke or a thumb.

    Returns: shape (N, 4, 2, offsets), gray levels.
    """
    along = ALONG.ravel()
    base = start[:, :, None] + along[:, None] * (end - start)[:, :, None]
    points = base[:, :, :, None] + OFFSETS_MM[:, None] * outwards_px[:, :, None, None]
    maps = points.astype(np.float32).reshape(-1, len(OFFSETS_MM), 2)
    sampled = np.empty(maps.shape[:2], np.uint8)
    for first in range(0, len(maps), 32000):  # remap takes at most 2^15 rows
        part = slice(first, first + 32000)
        columns, rows = maps[part, :, 0], maps[part, :, 1]
        sampled[part] = cv2.remap(gray, columns, rows, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    halves = sampled.reshape(*points.shape[:2], *ALONG.shape, len(OFFSETS_MM))
    return np.asarray(np.sort(halves, axis=3)[:, :, :, 2:5].mean(axis=3))


def _parabola(values: Floats, at: NDArray[np.intp]) -> Floats:
    """Return the offset of a peak from its sample, -0.5..0.5."""
    last = values.shape[-1] - 1
    left = np.take_along_axis(values, np.maximum(at - 1, 0)[..., None], -1)[..., 0]
    peak = np.take_along_axis(values, at[..., None], -1)[..., 0]
    right = np.take_along_axis(values, np.minimum(at + 1, last)[..., None], -1)[..., 0]
    usable = np.isfinite(left) & np.isfinite(right) & np.isfinite(peak)
    left, peak, right = (np.where(usable, part, 0.0) for part in (left, peak, right))
    curve = left - 2 * peak + right
    offset = np.divide((left - right) / 2, curve, out=np.zeros_like(curve), where=curve < 0)
    return np.clip(offset, -0.5, 0.5)


def _crossings(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Return the intersections of the lines a-b and c-d, all of shape (N, 4, 2)."""
    r, s = b - a, d - c
    cross = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
    cross = np.where(np.abs(cross) < 1e-9, 1e-9, cross)
    t = ((c - a)[..., 0] * s[..., 1] - (c - a)[..., 1] * s[..., 0]) / cross
    return np.asarray(a + t[..., None] * r)
