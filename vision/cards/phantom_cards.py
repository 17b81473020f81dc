"""Outlines of bare floor: they take a named card's edge, or lines of the floor, for edges of their own.

A card that lies partly under another one shows print beside it. An outline that was closed by a neighbour's
edge and a line on the floor shows print only where the neighbour lies. And floor between two planks or two
tatami edges is cut like a row of cards, but bears no print and is as bright as what lies around it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.crops import PRINTED, card_crops
from vision.frames.frame import Gray


def phantom_cards(
    gray: Gray, corners_px: NDArray[np.floating], named: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Tell which outlines are no cards, shape (N,).

    Parameters
    ----------
    gray : the picture, shape (height, width), uint8.
    corners_px : outlines of all cards, shape (N, 4, 2).
    named : which of them could be named, shape (N,); these are cards.
    """
    found = np.zeros(len(corners_px), bool)
    if named.all() or not named.any():
        return found
    outlines = np.asarray(corners_px, np.float32)
    faces = [crop[_inner(crop.shape)] for crop in card_crops(gray, outlines[named])]
    contrast = float(np.median([face.std() for face in faces]))
    # Cards of a field lie beside each other: an outline that shares less with a named card stands for itself.
    min_covered = 0.06
    # The same for an outline that is no brighter than what lies around it, or darker than the card that
    # covers a part of it: planks have more than tatami.
    clear_print = 0.6
    for number in np.flatnonzero(~named):
        crop = card_crops(gray, outlines[number : number + 1])[0]
        if crop[_inner(crop.shape)].std() < clear_print * contrast and not _stands_out(
            gray, outlines[number]
        ):
            found[number] = True
            continue
        covered = _covered(crop.shape, outlines[number], outlines[named])
        if np.mean(covered) < min_covered:
            continue
        most_covered = 0.85
        if np.mean(covered) > most_covered and _straddles(crop.shape, outlines[number], outlines[named]):
            found[number] = True  # what lay over two cards would hide the print of both
            continue
        # Of a crop: so far beyond a named card its shadow, its border and an outline's error reach.
        edge_px = 5
        beside = ~cv2.dilate(covered.astype(np.uint8), np.ones((2 * edge_px + 1,) * 2)).astype(bool)
        seen = crop[beside & _inner(crop.shape)]
        min_seen_px = 60  # Less of a face than this shows nothing; whatever lies there, it stays.
        if len(seen) < min_seen_px:
            continue
        # Least contrast of a face with print, as a share of what named cards show; tatami has a third at
        # most.
        min_print = 0.45
        # The paper of a card that lies partly under another is at least this bright, compared with the
        # other's.
        like_paper = 0.85
        found[number] = seen.std() < min_print * contrast or (
            seen.std() < clear_print * contrast and _paper(seen) < like_paper * _paper(crop[covered])
        )
    return found


def _paper(pixels: NDArray[np.uint8]) -> float:
    """Return the gray level of the paper among the pixels of a face."""
    return float(np.percentile(pixels, 85))


def _stands_out(gray: Gray, outline: NDArray[np.float32]) -> bool:
    """Tell whether an outline is brighter than what lies close beyond at least two of its sides.

    One side is darker wherever a shadow ends; neighbours leave a card two sides at least.
    """
    middle = outline.mean(axis=0)
    # How much larger than a card the part of the picture is that shows what lies around it.
    times_larger = 1.5
    wide = card_crops(gray, (middle + times_larger * (outline - middle))[None])[0]
    height, width = wide.shape
    down, right = height // 4, width // 4
    # Where in it the floor shows between a card, which begins at a sixth, and the row or card beside it.
    beyond_shares = (0.08, 0.14)
    above, left = (
        slice(round(size * beyond_shares[0]), round(size * beyond_shares[1])) for size in wide.shape
    )
    turned = wide[::-1, ::-1]
    strips = (wide[above, right:-right], turned[above, right:-right], wide[down:-down, left])
    levels = [float(np.median(strip)) for strip in (*strips, turned[down:-down, left])]
    least_step = 0.12  # Paper is brighter than the floor beyond its sides by at least this share.
    return sorted(levels)[1] < (1 - least_step) * float(np.median(wide[down:-down, right:-right]))


def _straddles(shape: tuple[int, ...], outline: NDArray[np.float32], others: NDArray[np.float32]) -> bool:
    """Tell whether no single card covers most of an outline."""
    # An outline that named cards cover by more than the first, none alone by the second, lies across them.
    one_covers = 0.75
    return all(np.mean(_covered(shape, outline, one[None])) < one_covers for one in others)


def _inner(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return the part of a crop that bears print."""
    inner = np.zeros(shape, bool)
    inner[PRINTED] = True
    return inner


def _covered(
    shape: tuple[int, ...], outline: NDArray[np.float32], others: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """Return which pixels of an outline's crop belong to other cards."""
    height, width = shape
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(outline, frame)
    mask = np.zeros((height, width), np.uint8)
    for corners in cv2.perspectiveTransform(others, warp):
        cv2.fillConvexPoly(mask, np.rint(np.clip(corners, -999, 999)).astype(np.int32), 1)
    return mask.astype(bool)
