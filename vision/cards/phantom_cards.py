"""Detect outlines of bare floor, which mistake a named card's edge or lines of the floor for a card's edges.

A card that lies partly under another one shows print beside it. An outline formed by a neighbour's edge and a
line on the floor shows print only where the neighbour lies. And floor between two planks or two tatami edges
is cut like a row of cards, but has no print and is as bright as its surroundings.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.poses import PRINTED, card_crops
from vision.frames.frame import Gray


def phantom_cards(
    gray: Gray, corners_px: NDArray[np.floating], named: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Tell which outlines are not cards, shape (N,).

    `gray`: the picture, shape (height, width), uint8. `corners_px`: outlines of all cards, shape (N, 4, 2).
    `named`: which of them could be named, shape (N,); those are cards.
    """
    found = np.zeros(len(corners_px), bool)
    if named.all() or not named.any():
        return found
    outlines = np.asarray(corners_px, np.float32)
    faces = [crop[_inner(crop.shape)] for crop in card_crops(gray, outlines[named])]
    contrast = float(np.median([face.std() for face in faces]))
    # Cards of a field lie side by side: an outline that shares less than this with named cards stands alone.
    min_covered = 0.06
    # Least contrast of an outline that is no brighter than its surroundings, or darker than the card that
    # covers a part of it, as a share of named cards' contrast: planks have more than tatami.
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
            found[number] = True  # something lying over two cards would hide the print of both
            continue
        # Reach, in pixels of a crop, of a named card's shadow, border and outline error.
        edge_px = 5
        beside = ~cv2.dilate(covered.astype(np.uint8), np.ones((2 * edge_px + 1,) * 2)).astype(bool)
        seen = crop[beside & _inner(crop.shape)]
        min_seen_px = 60  # a smaller part of a face shows nothing, and the outline is kept
        if len(seen) < min_seen_px:
            continue
        # Least contrast of a face with print, as a share of named cards'; tatami has at most a third.
        min_print = 0.45
        # Least brightness of the paper of a card partly under another one, as a share of the other's.
        like_paper = 0.85
        found[number] = seen.std() < min_print * contrast or (
            seen.std() < clear_print * contrast and _paper(seen) < like_paper * _paper(crop[covered])
        )
    return found


def _paper(pixels: NDArray[np.uint8]) -> float:
    """Return the gray level of the paper among the pixels of a face."""
    return float(np.percentile(pixels, 85))


def _stands_out(gray: Gray, outline: NDArray[np.float32]) -> bool:
    """Tell whether an outline is brighter than the surroundings beyond at least two of its sides.

    One side is darker wherever a shadow ends; neighbours leave at least two sides of a card free.
    """
    middle = outline.mean(axis=0)
    # Size, relative to the card, of the part of the picture that shows its surroundings.
    times_larger = 1.5
    wide = card_crops(gray, (middle + times_larger * (outline - middle))[None])[0]
    height, width = wide.shape
    down, right = height // 4, width // 4
    # Where in it the floor shows, between a card, which begins at a sixth, and the row or card beside it.
    beyond_shares = (0.08, 0.14)
    above, left = (
        slice(round(size * beyond_shares[0]), round(size * beyond_shares[1])) for size in wide.shape
    )
    turned = wide[::-1, ::-1]
    strips = (wide[above, right:-right], turned[above, right:-right], wide[down:-down, left])
    levels = [float(np.median(strip)) for strip in (*strips, turned[down:-down, left])]
    least_step = 0.12  # paper is brighter than the floor beyond its sides by at least this share
    return sorted(levels)[1] < (1 - least_step) * float(np.median(wide[down:-down, right:-right]))


def _straddles(shape: tuple[int, ...], outline: NDArray[np.float32], others: NDArray[np.float32]) -> bool:
    """Tell whether no single card covers most of an outline."""
    # Share of an outline that a single card must cover; otherwise it lies across several.
    one_covers = 0.75
    return all(np.mean(_covered(shape, outline, one[None])) < one_covers for one in others)


def _inner(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return the part of a crop that holds print, a mask."""
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
