"""Find four-sided outlines on a photo at every size and brightness; each may be a card.

A card's paper is a patch of one brightness that some threshold cuts out cleanly, whatever surrounds it. So
the photo is thresholded at many levels, globally and against its surroundings, at two scales, and four-sided
results are kept. Reading decides which of them are cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Gray

Floats = NDArray[np.float64]

MIN_SIDE_PX: Final = 16


def find_outlines(gray: Gray) -> Floats:
    """Find outlines that may be cards.

    `gray`: shape (height, width), uint8.

    Returns: shape (N, 4, 2), clockwise, in pixels of the photo, those seen at most levels first. A card with
    a border gives two outlines: paper and whole card.
    """
    quads: list[Floats] = []
    long_side = max(gray.shape)
    # Sizes at which the photo is examined; a smaller photo is not enlarged.
    long_sides_px = (1600, 640)
    for side in long_sides_px:
        scale = min(1.0, side / long_side)
        if side != long_sides_px[0] and scale == 1.0:
            continue
        small = (
            gray if scale == 1.0 else cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        )
        quads += [(quad + 0.5) / scale - 0.5 for quad in _quads(np.asarray(small, np.uint8))]
    return _distinct(np.array(quads).reshape(-1, 4, 2))


def _quads(gray: Gray) -> Iterator[Floats]:
    smooth = np.asarray(cv2.GaussianBlur(gray, (0, 0), 1.0), np.uint8)
    max_share = 0.95
    for cut in _cuts(smooth):
        contours, _ = cv2.findContours(cut, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            if len(contour) < 4:
                continue
            _, _, width, height = cv2.boundingRect(contour)
            if min(width, height) < MIN_SIDE_PX or max(width, height) > max_share * max(gray.shape):
                continue
            quad = _four_sided(np.asarray(contour, np.int32))
            if quad is not None:
                yield quad


def _cuts(smooth: Gray) -> Iterator[Gray]:
    """Threshold the picture at many levels, and against its surroundings of several sizes."""
    low, high = np.percentile(smooth, [2, 99.5])
    levels = 14
    for level in np.linspace(low, high, levels + 2)[1:-1]:
        yield np.where(smooth > level, np.uint8(255), np.uint8(0))
    # Sizes of the surroundings with which a pixel is compared, as shares of the photo's long side.
    block_shares = (0.03, 0.1, 0.25)
    offsets = (4, -8)  # gray levels by which a pixel of paper may be darker than its surroundings
    for share in block_shares:
        block = int(share * max(smooth.shape)) | 1
        mean = cv2.blur(smooth, (block, block)).astype(np.int16)
        for offset in offsets:
            around = np.clip(mean - offset, 0, 255).astype(np.uint8)
            yield np.asarray(cv2.compare(smooth, around, cv2.CMP_GT), np.uint8)


def _four_sided(contour: NDArray[np.int32]) -> Floats | None:
    """Reduce an outline to four corners, clockwise; None if it has another shape."""
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    min_fill = 0.90  # least share of its four-sided outline that a patch fills
    if area < MIN_SIDE_PX**2 or cv2.contourArea(contour) < min_fill * area:
        return None
    reach = cv2.arcLength(hull, closed=True)
    for share in (0.015, 0.025, 0.04, 0.06):
        simple = cv2.approxPolyDP(hull, share * reach, closed=True)
        if len(simple) == 4:
            break
    else:
        return None
    quad = simple[:, 0].astype(np.float64)
    if area < min_fill * cv2.contourArea(simple) or cv2.contourArea(simple) < min_fill * area:
        return None
    sides = np.roll(quad, -1, axis=0) - quad
    if sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0] < 0:
        quad = quad[::-1]
        sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.linalg.norm(sides, axis=1)
    opposite = lengths[:2] / lengths[2:]
    mean = lengths[:2] + lengths[2:]
    min_ratio = 0.3  # least ratio of a card's sides in a slanted view
    if min(mean) < min_ratio * max(mean) or max(opposite.max(), (1 / opposite).max()) > 1.6:
        return None
    return quad


def _distinct(quads: Floats) -> Floats:
    """Return one outline per shape and place, the median of those seen; the most frequent first."""
    if not len(quads):
        return quads
    # Corners are clockwise; start with the uppermost one.
    first = quads.sum(axis=2).argmin(axis=1)
    quads = quads[np.arange(len(quads))[:, None], (first[:, None] + np.arange(4)) % 4]
    sizes = np.sqrt([cv2.contourArea(quad.astype(np.float32)) for quad in quads])
    left = np.ones(len(quads), bool)
    groups = []
    same_place = 0.12  # outlines with corners closer than this share of their size are one
    for index in np.argsort(-sizes):
        if not left[index]:
            continue
        apart = np.linalg.norm(quads - quads[index], axis=2).max(axis=1)
        same = left & (apart < same_place * sizes[index])
        left &= ~same
        groups.append((int(same.sum()), np.median(quads[same], axis=0)))
    groups.sort(key=lambda group: -group[0])
    return np.array([quad for _, quad in groups])
