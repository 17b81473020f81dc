"""Find cards as bright rectangles in a gray picture, near or far, alone or edge to edge.

A card is paper that is brighter than its surroundings within half a card's width: a printed border, the floor
or a neighbour's border. So shadows and bright floors do not matter. Text lies inside the outline and is
ignored. Papers that touch without a border between them are separated by their common size.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.touching_rows import cards_across, common_height, contrast, cut_row, is_as_high, lying_box
from vision.frames.frame import Gray

Floats = NDArray[np.float64]

MIN_CARD_PX: Final = 18


@dataclass(frozen=True, slots=True, eq=False)
class FoundCard:
    """The paper of one card, inside its border."""

    # shape (4, 2), clockwise in the picture; the first side is a short one, the upper one if the card is
    # upright. Pixel centres have integer coordinates.
    corners_px: Floats
    split: bool = False  # whether the outline was shared with neighbours and cut by size


def find_cards(gray: Gray, *, wipe_text: bool = False) -> list[FoundCard]:
    """Find the cards in a picture.

    Returns: cards in no particular order, including things that look like cards to this finder.

    `gray`: shape (height, width), uint8. `wipe_text`: compare with surroundings whose thin strokes are
    removed. Dense print makes a card as dark on average as a bright floor; without its print it stands out,
    but narrow borders are found less well.
    """
    # Pictures are scaled to about this width, where a card on a full field is some 55 px wide.
    work_width_px = 960
    scale = work_width_px / max(gray.shape)
    work = gray
    if not 0.8 < scale < 1.25:
        # Averaging is slow, and matters only if pixels would be skipped.
        method = cv2.INTER_AREA if scale < 0.6 else cv2.INTER_LINEAR
        work = np.asarray(cv2.resize(gray, None, fx=scale, fy=scale, interpolation=method), np.uint8)
    else:
        scale = 1.0
    papers = _papers(work, wipe_text)
    return [FoundCard((quad + 0.5) / scale - 0.5, split) for quad, split in _cards(work, papers)]


def _papers(gray: Gray, wipe_text: bool) -> list[NDArray[np.int32]]:
    """Return convex hulls of everything that is brighter than its surroundings and may hold a card."""
    block = gray.shape[1] // 40 | 1
    smooth = cv2.blur(gray, (3, 3))
    around = cv2.dilate(smooth, np.ones((5, 5), np.uint8)) if wipe_text else gray
    mean = np.asarray(cv2.blur(around, (block, block)), np.uint8)
    # How much darker than the mean around it a pixel must be to belong to an outline, gray levels.
    darker_gray = 5
    bright = cv2.compare(smooth, mean - np.minimum(mean, np.uint8(darker_gray)), cv2.CMP_GT)
    hulls = []
    max_card_share = 0.9
    for contour in _outer_contours(np.asarray(bright, np.uint8)):
        _, _, width, height = cv2.boundingRect(contour)
        if min(width, height) >= MIN_CARD_PX and max(width, height) <= max_card_share * max(gray.shape):
            hulls.append(np.asarray(cv2.convexHull(contour), np.int32))
    return hulls


def _outer_contours(bright: NDArray[np.uint8]) -> Iterator[NDArray[np.int32]]:
    """Yield the outer contours of all areas in which cards may lie; `bright` is overwritten.

    Extracting all contours at once gives thousands of strokes of print. So only outermost areas are
    extracted; those large enough to hold cards are erased, and the areas inside them come next.
    """
    # An area no wider than this contains no further cards: it is a card, or a row of them, on a full field.
    most_plain_px = 90
    while True:
        contours, _ = cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        pierced = False
        for contour in contours:
            if len(contour) < 4:
                continue
            yield np.asarray(contour, np.int32)
            pierced |= min(cv2.boundingRect(contour)[2:]) > most_plain_px
        if not pierced:
            return
        for contour in contours:
            if min(cv2.boundingRect(contour)[2:]) > most_plain_px:
                cv2.floodFill(bright, None, contour[0, 0].tolist(), 0, flags=8)
            else:
                cv2.drawContours(bright, [contour], 0, 0, cv2.FILLED)


def _cards(gray: Gray, papers: list[NDArray[np.int32]]) -> list[tuple[Floats, bool]]:
    """Turn outlines into cards; outlines that several cards share are cut."""
    outlines = []
    # Least share of its bounding rectangle that a card's outline fills, given perspective and a thumb.
    min_fill = 0.86
    for hull in papers:
        quad = _quad(hull)
        fill = cv2.contourArea(hull) / max(cv2.contourArea(quad.astype(np.float32)), 1.0)
        if fill > min_fill and _sides(quad)[0] > MIN_CARD_PX:
            outlines.append((quad, lying_box(hull)))
    height = common_height([box for _, box in outlines])
    counts = [cards_across(box, height) for _, box in outlines]
    alone = [
        box
        for (_, box), count in zip(outlines, counts, strict=True)
        if count == 1 and is_as_high(box, height)
    ]
    least = _least_print(gray, alone)
    cards: list[tuple[Floats, bool]] = []
    min_aspect = 0.42
    max_aspect = 0.86  # limits of width to height in a slanted view; straight from above it is 0.71
    for (quad, box), count in zip(outlines, counts, strict=True):
        if count > 1:
            if contrast(gray, box, count) > least:
                cards.extend((part, True) for part in cut_row(gray, box, count, height))
            continue
        across, along = _sides(quad)
        if min_aspect < across / along < max_aspect:
            cards.append((quad, False))
    return cards


def _least_print(gray: Gray, alone: list[Floats]) -> float:
    """Return the least print that a row of cards shows; the floor between two planks shows less."""
    min_alone = 4
    if len(alone) < min_alone:
        return 0.0
    # Number of single cards that determine the amount of print: more are not needed.
    most_alone = 16
    some = alone[:: -(-len(alone) // most_alone)]
    min_print = 0.4  # least contrast of a row of cards, as a share of that of single cards
    return min_print * float(np.median([contrast(gray, box) for box in some]))


def _quad(hull: NDArray[np.int32]) -> Floats:
    """Reduce a convex outline to four corners, in the order of `FoundCard`."""
    reach = cv2.arcLength(hull, closed=True)
    for share in (0.02, 0.03, 0.045, 0.06):
        simple = cv2.approxPolyDP(hull, share * reach, closed=True)
        if len(simple) == 4:
            return _ordered(simple[:, 0].astype(np.float64))
        if len(simple) < 4:
            break
    return _ordered(cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float64))


def _ordered(quad: Floats) -> Floats:
    # Plain numbers: for four corners a NumPy call takes longer than the arithmetic.
    (x0, y0), (x1, y1), (x2, y2), _ = quad.tolist()
    if (x1 - x0) * (y2 - y1) < (y1 - y0) * (x2 - x1):
        quad = quad[::-1]
    corners = quad.tolist()
    lengths = _lengths(corners)
    # The first side is a short one; of the two, the one that runs to the right.
    first = 0 if lengths[0] + lengths[2] <= lengths[1] + lengths[3] else 1
    turned = corners[first:] + corners[:first]
    if turned[1][0] - turned[0][0] < turned[3][0] - turned[2][0]:
        turned = turned[2:] + turned[:2]
    return np.array(turned)


def _lengths(corners: list[list[float]]) -> list[float]:
    """Return the lengths of the sides; the last side ends in the first corner."""
    return [math.dist(start, end) for start, end in zip(corners, corners[1:] + corners[:1], strict=True)]


def _sides(quad: Floats) -> tuple[float, float]:
    """Return the mean lengths of the short and of the long sides."""
    lengths = _lengths(quad.tolist())
    return (lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2
