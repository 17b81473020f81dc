"""Move the outline of a card on a photo to the card's physical edge, printed border included.

A card is read best in the outline that suits its text, which may be its paper's, its own, or one a millimetre
off either. Its edge is searched for across all four sides: either the paper ends there, or a border that is
equally wide on all sides. A border as bright as the table cannot be seen; then the paper's edge counts.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.peak import beside_peak
from vision.cards.paper_edges import outward_sides
from vision.frames.frame import Gray

Floats = NDArray[np.float64]

PLACES: Final = np.linspace(0.15, 0.85, 41)
"""Positions along a side, as shares, at which it is crossed; corners are left out since they are round."""
STEP_MM: Final = 0.1


def on_edges(gray: Gray, outlines: Floats) -> Floats:
    """Return outlines of torifuda moved to the cards' physical edges.

    Returns: the same shape; an outline is kept if no edge is seen near it.

    `gray`: shape (height, width), uint8. `outlines`: shape (N, 4, 2), px, clockwise, from the upper left
    corner; of paper or card.
    """
    if not len(outlines):
        return outlines
    start, end, outwards, px_per_mm = outward_sides(outlines)
    # Range across a side: borders of torifuda are up to 2.6 mm wide, outlines up to 1.6 mm off.
    reach_mm = (-4.6, 4.6)
    offsets = np.arange(reach_mm[0], reach_mm[1] + STEP_MM / 2, STEP_MM)
    places = start[:, :, None] + (end - start)[:, :, None] * PLACES[:, None]
    across = outwards[:, :, None] * offsets[:, None] * px_per_mm[:, None, None, None]
    points = (places[:, :, :, None] + across[:, :, None]).astype(np.float32)
    rows = points.reshape(-1, len(offsets), 2)
    seen = np.concatenate(
        [
            cv2.remap(gray, part[..., 0], part[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            for part in np.array_split(rows, -(-len(rows) // 16384))
        ]
    )
    profiles = np.median(seen.reshape(len(outlines), 4, len(PLACES), len(offsets)), axis=2)
    moved = [
        _moved(card, _edges_mm(profile, offsets, float(scale)), outward * scale)
        for card, profile, outward, scale in zip(outlines, profiles, outwards, px_per_mm, strict=True)
    ]
    return np.array(moved)


def _edges_mm(profiles: Floats, offsets: Floats, px_per_mm: float) -> Floats:
    """Return the distance of the card's edge outside each side of the outline, mm; shape (4,)."""
    # pixel and lens give an edge a width; a step is the change over that width
    half = max(round(0.4 / px_per_mm / STEP_MM), 2)
    steps = np.zeros_like(profiles)
    steps[:, half:-half] = profiles[:, 2 * half :] - profiles[:, : -2 * half]
    papers = np.zeros(4)
    paper_mm = (-4.2, 1.0)  # where the paper's edge may be, from the outline in which a card was read
    inner = (offsets >= paper_mm[0]) & (offsets <= paper_mm[1])
    strength = np.where(inner, np.abs(steps), 0)
    # Least change in gray level at an edge: JPEG and noise leave 1 to 2 in a mean.
    least_step = 5.0
    if np.sort(strength.max(axis=1))[1] < least_step:
        return papers
    common = strength.mean(axis=0)
    likely = float(offsets[int(common.argmax())])
    border_mm = (0.5, 3.4)  # least and largest width of a border: a finer line is the paper's own edge
    for side in range(4):
        near = np.where(np.abs(offsets - likely) < border_mm[0], strength[side], 0)
        best = int(near.argmax())
        papers[side] = _peak(near, best, offsets) if near[best] >= least_step else likely
    beyond = np.arange(border_mm[0], border_mm[1] + STEP_MM / 2, STEP_MM)
    around = np.stack(
        [
            np.interp(paper + beyond, offsets, side, right=0.0)
            for paper, side in zip(papers, steps, strict=True)
        ]
    )
    # equally wide on all sides, and brighter or darker than the surroundings: three of four sides must agree
    width, height = 0.0, least_step
    for sign in (1, -1):
        end = np.sort(np.maximum(sign * around, 0), axis=0)[1]
        # the paper's own edge falls off here: only a new rise beyond is another edge
        tops = np.flatnonzero((end[1:-1] >= end[:-2]) & (end[1:-1] > end[2:])) + 1
        for top in tops:
            if end[top] >= height:
                width, height = _peak(end, int(top), beyond), float(end[top])
    return papers + width


def _peak(values: Floats, at: int, offsets: Floats) -> float:
    """Return the offset, mm, of the peak at a maximum, found between the samples."""
    return float(offsets[at]) + beside_peak(values, at) * STEP_MM


def _moved(outline: Floats, by_mm: Floats, outwards_px: Floats) -> Floats:
    """Return the corners where the four sides, moved outwards, intersect."""
    start = outline + outwards_px * by_mm[:, None]
    along = np.roll(outline, -1, axis=0) - outline
    before, way = np.roll(start, 1, axis=0), np.roll(along, 1, axis=0)
    apart = start - before
    share = (apart[:, 0] * along[:, 1] - apart[:, 1] * along[:, 0]) / (
        way[:, 0] * along[:, 1] - way[:, 1] * along[:, 0]
    )
    return np.asarray(before + way * share[:, None], np.float64)
