"""Finds cards as bright rectangles in a gray picture, near or far, alone or edge to edge.

A card is paper that is brighter than its surroundings within half a card's width, be they a printed border, the
floor or a neighbour's border: so shadows and bright floors do not matter. Text lies inside the outline and is not
looked at. Papers that touch without a border between them are told apart by their common size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M
from vision.frames import Gray

ASPECT: Final = CARD_WIDTH_M / CARD_HEIGHT_M
WORK_WIDTH_PX: Final = 960
"""Pictures are brought near this width, where a card on a full field is some 55 px wide."""
MIN_CARD_PX: Final = 18
MAX_CARD_SHARE: Final = 0.9
MIN_FILL: Final = 0.86
"""Share of its bounding rectangle that a card's outline fills; perspective and a thumb leave less than 1."""
MIN_ASPECT: Final = 0.42
MAX_ASPECT: Final = 0.86
"""Limits of width to height as seen at a slant; straight from above it is 0.71."""
MAX_ROW: Final = 17


@dataclass(frozen=True, slots=True, eq=False)
class FoundCard:
    """The paper of one card, inside its border.

    Attributes
    ----------
    corners_px : shape (4, 2), clockwise in the picture; the first side is a short one, the upper one where
        the card stands upright. Pixel centres have integer coordinates.
    split : True where the outline was shared with neighbours and cut by size.
    """

    corners_px: NDArray[np.float64]
    split: bool = False


def find_cards(gray: Gray, threshold: int = 5) -> list[FoundCard]:
    """Find the cards in a picture.

    Parameters
    ----------
    gray : shape (height, width), uint8.
    threshold : how much darker than the local mean a pixel must be to count as an outline, gray values.

    Returns
    -------
    cards in no particular order; what is not a card but looks like one to this eye is among them.
    """
    scale = WORK_WIDTH_PX / max(gray.shape)
    work = gray
    if not 0.8 < scale < 1.25:
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        work = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=method)
    else:
        scale = 1.0
    papers = _papers(work, threshold)
    return [FoundCard((quad + 0.5) / scale - 0.5, split) for quad, split in _cards(papers)]


def _papers(gray: Gray, threshold: int) -> list[NDArray[np.int32]]:
    """Outline everything that is brighter than its surroundings and could hold a card; convex hulls."""
    block = gray.shape[1] // 40 | 1
    smooth = cv2.blur(gray, (3, 3))
    mean = cv2.blur(gray, (block, block))
    bright = cv2.compare(smooth, cv2.subtract(mean, threshold), cv2.CMP_GT)
    contours, tree = cv2.findContours(bright, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    hulls = []
    for contour, (_, _, _, parent) in zip(contours, tree[0] if contours else (), strict=True):
        if parent >= 0 or len(contour) < 4:
            continue
        _, _, width, height = cv2.boundingRect(contour)
        if min(width, height) >= MIN_CARD_PX and max(width, height) <= MAX_CARD_SHARE * max(gray.shape):
            hulls.append(cv2.convexHull(contour))
    return hulls


def _cards(papers: list[NDArray[np.int32]]) -> list[tuple[NDArray[np.float64], bool]]:
    """Turn outlines into cards; rows of touching ones are cut by the size of the single ones."""
    outlines = []
    for hull in papers:
        quad = _quad(hull)
        fill = cv2.contourArea(hull) / max(cv2.contourArea(quad.astype(np.float32)), 1.0)
        across, along = _sides(quad)
        if fill > MIN_FILL and across > MIN_CARD_PX:
            outlines.append((hull, quad, MIN_ASPECT < across / along < MAX_ASPECT))
    widths = [_sides(quad)[0] for _, quad, single in outlines if single]
    width = float(np.median(widths)) if widths else 0.0
    cards: list[tuple[NDArray[np.float64], bool]] = []
    for hull, quad, single in outlines:
        # Two cards side by side have nearly the shape of one lying across: their size tells.
        row = _cut_row(hull, width)
        if row:
            cards.extend((part, True) for part in row)
        elif single:
            cards.append((quad, False))
    return cards


def _quad(hull: NDArray[np.int32]) -> NDArray[np.float64]:
    """Reduce a convex outline to four corners, in the order of `FoundCard`."""
    reach = cv2.arcLength(hull, closed=True)
    for share in (0.02, 0.03, 0.045, 0.06):
        simple = cv2.approxPolyDP(hull, share * reach, closed=True)
        if len(simple) == 4:
            return _ordered(simple[:, 0].astype(np.float64))
        if len(simple) < 4:
            break
    return _ordered(cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float64))


def _ordered(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    sides = np.roll(quad, -1, axis=0) - quad
    turning = sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0]
    if turning < 0:
        quad = quad[::-1]
        sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.linalg.norm(sides, axis=1)
    # The first side is short; of the two short ones it is the one that runs to the right.
    first = 0 if lengths[0] + lengths[2] <= lengths[1] + lengths[3] else 1
    if sides[first, 0] < sides[(first + 2) % 4, 0]:
        first += 2
    return np.roll(quad, -first, axis=0)


def _sides(quad: NDArray[np.float64]) -> tuple[float, float]:
    """Return mean length of the short and of the long sides."""
    lengths = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float(lengths[0] + lengths[2]) / 2, float(lengths[1] + lengths[3]) / 2


def _cut_row(hull: NDArray[np.int32], width: float) -> list[NDArray[np.float64]]:
    """Cut the outline of cards that touch side by side; `width` is a single card's, 0 where none was seen."""
    box = cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float64)
    sides = np.roll(box, -1, axis=0) - box
    first = int(np.argmax(np.abs(sides[:, 0]) - np.abs(sides[:, 1])))
    box = np.roll(box, -first, axis=0)
    along, down = box[1] - box[0], box[3] - box[0]
    length, height = float(np.linalg.norm(along)), float(np.linalg.norm(down))
    count = round(length / (ASPECT * height))
    if not 2 <= count <= MAX_ROW or abs(length / (ASPECT * height) / count - 1) > 0.09:
        return []
    if width and abs(ASPECT * height / width - 1) > 0.2:
        return []
    if not width and count == 2:
        return []  # one card lying across looks just like it
    corner = box[0]
    return [
        _ordered(
            np.array(
                [
                    corner + along * index / count,
                    corner + along * (index + 1) / count,
                    corner + along * (index + 1) / count + down,
                    corner + along * index / count + down,
                ]
            )
        )
        for index in range(count)
    ]
