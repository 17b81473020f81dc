"""Cut rows of touching cards: papers without a border, edge to edge, share one outline.

A row is one card high, so its height gives the width of a card. Between two cards lies either the dark line
of their edges or, if even that is lost, a strip of bare paper wider than any between two columns of text.
"""

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M
from vision.frames.frame import Gray

Floats = NDArray[np.float64]

WIDTH_MM: Final = round(1e3 * CARD_WIDTH_M)
HEIGHT_MM: Final = round(1e3 * CARD_HEIGHT_M)
MAX_CARDS: Final = 17
HEIGHT_TOLERANCE: Final = 0.16
SHIFTS_MM: Final = np.arange(-4, 5)
"""How far a cut may lie from an even division: gaps, or a card that was pushed."""
JUMPS: Final = np.square(SHIFTS_MM[:, None] - SHIFTS_MM) / 30.0
"""Cost of shifting neighbouring cuts differently."""
CROOKED: Final = 1.3  # a row's outline may be this much higher than one card, since neighbours lie crooked


def lying_box(hull: NDArray[np.int32]) -> Floats:
    """Return an outline's bounding rectangle, shape (4, 2), the most level side first."""
    corners = cv2.boxPoints(cv2.minAreaRect(hull)).tolist()
    sides = zip(corners, corners[1:] + corners[:1], strict=True)
    level = [end[0] - start[0] - abs(end[1] - start[1]) for start, end in sides]
    first = level.index(max(level))
    return np.array(corners[first:] + corners[:first])


def _shape(box: Floats) -> tuple[float, float]:
    """Return length along and height across a lying box."""
    first, second, _, last = box.tolist()
    return math.dist(first, second), math.dist(first, last)


def _count(length: float, height: float) -> int:
    """Return the number of upright cards that a box of this shape holds, 0 if it has no such shape."""
    cards = length / height * HEIGHT_MM / WIDTH_MM
    count = round(cards)
    width_tolerance = 0.10
    # Crooked neighbours make a box a little higher; in a longer row the estimated count is then farther off.
    slack = width_tolerance * (1 if count == 1 else 0.5 * count)
    return count if 1 <= count <= MAX_CARDS and abs(cards - count) < max(slack, 0.12) else 0


def common_height(boxes: Sequence[Floats]) -> float:
    """Return the height in pixels that upright cards and rows of them share, 0 if no two agree.

    Two cards side by side look like one lying across, so they count only if there is nothing else.
    """
    shapes = [_shape(box) for box in boxes]
    clear = [height for length, height in shapes if _count(length, height) not in {0, 2}]
    pairs = [height for length, height in shapes if _count(length, height) == 2]
    heights = clear if len(clear) >= 2 else clear + pairs
    if len(heights) < (2 if len(clear) >= 2 else 4):
        return 0.0
    values = np.array(heights)
    votes = (np.abs(values[:, None] / values[None] - 1) < HEIGHT_TOLERANCE / 2).sum(axis=0)
    near = np.abs(values / values[votes.argmax()] - 1) < HEIGHT_TOLERANCE / 2
    return float(np.median(values[near])) if near.sum() >= 2 else 0.0


def is_as_high(box: Floats, height: float) -> bool:
    """Tell whether a lying box is as high as the cards, given their common height (0: unknown)."""
    return not height or abs(_shape(box)[1] / height - 1) < HEIGHT_TOLERANCE


def cards_across(box: Floats, height: float) -> int:
    """Return how many cards lie side by side in a lying box, given the common height (0: unknown)."""
    length, own_height = _shape(box)
    if not height:
        count = _count(length, own_height)
        return count if count > 2 else 1  # one card lying across looks just like two upright ones
    if not 1 - HEIGHT_TOLERANCE < own_height / height < CROOKED:
        return 1
    cards = length / height * HEIGHT_MM / WIDTH_MM
    count = round(cards)
    return count if 2 <= count <= MAX_CARDS and abs(cards - count) < min(0.12 * count, 0.4) else 1


def contrast(gray: Gray, box: Floats, cards: int = 1) -> float:
    """Return the amount of print in the lying box of a row of cards: contrast as a share of brightness."""
    contrast_px = (26, 36)  # size of a card at which its print is compared with that of others
    size = contrast_px[0] * cards, contrast_px[1]
    target = np.array([[0, 0], [size[0], 0], [0, size[1]]], np.float32) - 0.5
    warp = cv2.getAffineTransform(box[[0, 1, 3]].astype(np.float32), target)
    inner = cv2.warpAffine(gray, warp, size, flags=cv2.INTER_LINEAR)[4:-4, 3:-3].ravel()
    at = round(0.85 * (inner.size - 1))
    return float(inner.std() / max(float(np.partition(inner, at)[at]), 1.0))


def cut_row(gray: Gray, box: Floats, count: int, height: float) -> list[Floats]:
    """Cut a row into cards.

    Returns: corners of each card, shape (4, 2), clockwise from the top left.

    `gray`: the picture the box belongs to. `box`: lying box of the row, shape (4, 2). `count`: number of
    cards that its shape suggests; one more or less is tried, too. `height`: common height of the cards in
    pixels, 0 if unknown.
    """
    length, own_height = _shape(box)
    mm = (height or own_height) / HEIGHT_MM
    along, down = (box[1] - box[0]) / length * mm, (box[3] - box[0]) / own_height * mm
    strip_mm = round(length / mm)
    outside_mm = 5  # of floor included above and below a row
    high_mm = round(own_height / mm) + 2 * outside_mm
    origin = box[0] - outside_mm * down
    corners = np.array([origin, origin + strip_mm * along, origin + high_mm * down], np.float32)
    target = np.array([[0, 0], [strip_mm, 0], [0, high_mm]], np.float32) - 0.5
    warp = cv2.getAffineTransform(corners, target)
    strip = cv2.warpAffine(gray, warp, (strip_mm, high_mm), flags=cv2.INTER_LINEAR).astype(np.float64)
    costs = _cut_costs(strip[outside_mm + 5 : -outside_mm - 5])
    tries = []
    for cards in {max(2, count - 1), count, count + 1} if count > 4 else {count}:
        cuts, cost = _cheapest_cuts(costs, cards)
        tries.append((cost + abs(strip_mm / cards - WIDTH_MM - 0.5) / 4, cuts))
    cuts = min(tries, key=lambda item: item[0])[1]
    quads = []
    for left, right in pairwise(cuts):
        top, bottom = _top_and_bottom(strip[:, round(left) + 3 : round(right) - 3])
        shape = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
        quads.append(np.asarray(origin + shape[:, :1] * along + shape[:, 1:] * down))
    return quads


def _top_and_bottom(cell: Floats) -> tuple[float, float]:
    """Return the rows in which a card begins and ends in its part of the strip (about 1 px/mm)."""
    at = round(0.7 * (cell.shape[1] - 1))
    rows = np.partition(cell, at, axis=1)[:, at]
    edges = np.zeros(len(rows) + 1)  # edge i lies between row i - 1 and row i
    edges[2:-2] = rows[2:-1] + rows[3:] - rows[:-3] - rows[1:-2] if len(rows) > 4 else 0.0
    tops, heights, doubt = _extents(len(rows))
    worth = edges[:-1, None] - edges[np.minimum(tops + heights, len(rows))] - doubt
    top, height = divmod(int(worth.argmax()), heights.size)
    return float(top), float(top + heights[0, height])


@cache
def _extents(rows: int) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """Return possible first rows of a card, shape (rows, 1), its heights, (1, H), and the penalty of both.

    The penalty prefers the middle, which is all that the outline around the whole row tells.
    """
    tops = np.arange(rows)[:, None]
    heights = np.arange(round(0.9 * HEIGHT_MM), round(1.06 * HEIGHT_MM))[None]
    doubt = 0.4 * np.abs(2 * tops + heights - rows) + 0.24 * np.abs(heights - HEIGHT_MM)
    return tops, heights, np.where(tops + heights <= rows, doubt, np.inf)


def _cut_costs(strip: Floats) -> Floats:
    """Return the cost of a cut at every column of a strip of 1 px/mm: high in ink, low in a dark line."""
    bright = np.percentile(strip, 85, axis=0)
    ink = bright - strip.mean(axis=0)
    # A column that is dark throughout is an edge, not text.
    beside = np.minimum(np.roll(bright, 3), np.roll(bright, -3))
    line = np.clip((beside - bright) / 12, 0, 1.5)
    margin_mm = 4  # half the bare strip around the edge between two cards
    window = np.ones(2 * margin_mm + 1) / (2 * margin_mm + 1)
    bare = np.convolve(np.pad(ink, margin_mm, mode="edge"), window, mode="valid")
    return np.asarray(bare / max(float(ink.mean()), 1.0) - line)


def _cheapest_cuts(costs: Floats, cards: int) -> tuple[Floats, float]:
    """Place the cuts between `cards` cards near an even division; return them with their mean cost."""
    even = np.linspace(0, len(costs), cards + 1)
    places = np.rint(even[1:-1, None] + SHIFTS_MM).astype(np.intp).clip(0, len(costs) - 1)
    total = np.where(SHIFTS_MM == 0, 0.0, np.inf)
    origins = []
    for cost in costs[places]:
        step = total[:, None] + JUMPS
        origins.append(step.argmin(axis=0))
        total = step.min(axis=0) + cost
    total = total + np.square(SHIFTS_MM) / 30.0
    shift = int(total.argmin())
    mean_cost = float(total[shift]) / max(cards - 1, 1)
    cuts = even.copy()
    for index in range(cards - 1, 0, -1):
        cuts[index] += SHIFTS_MM[shift]
        shift = int(origins[index - 1][shift])
    return cuts, mean_cost
