"""Name the torifuda on a single photo: a few cards, large or small, in any perspective, on any table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.peak import beside_peak
from vision.cards.border import grown, outward_sides, refine
from vision.cards.rectangle_finder import find_cards
from vision.frames.frame import Gray, brightest_channel
from vision.frames.picture_file import read_colour
from vision.photo.outline_fits import find_outlines, one_for_each_place
from vision.torifuda.face_reader import FaceReadings, TorifudaReader, assign
from vision.torifuda.prior_knowledge import DeckFaces

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


Floats = NDArray[np.float64]


READS_WELL: Final = -1.5  # log-likelihood per slot above which others are searched for beside a card
NEIGHBOURS: Final = np.array([(1.01, 0.0), (-1.01, 0.0), (0.0, 1.01), (0.0, -1.01)])
"""Places of touching neighbours, in card widths and heights."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoCard:
    """One card on a photo."""

    card: int | None  # torifuda 1..100, or None if it could not be read beyond doubt
    confidence: float  # probability, 0..1, that `card`, or the best guess if it is None, is right
    # shape (4, 2), in the text's reading order: the card's physical edge, with any printed border
    corners_px: Floats


def read_photo(path: Path, faces: DeckFaces | None = None) -> list[PhotoCard]:
    """Name the torifuda on a photo; errors as `picture_file.read_colour`, `faces` as in `identify`."""
    colour = read_colour(path)
    gray = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8)
    return identify(gray, faces, brightest_channel(colour))


def identify(gray: Gray, faces: DeckFaces | None = None, pale: Gray | None = None) -> list[PhotoCard]:
    """Name the torifuda in a picture, from left to right.

    `gray`: shape (height, width), uint8. `pale`: the same picture by its `brightest_channel`, if it has
    colours.
    """
    papers = refine(gray, _outlines(gray))
    if not len(papers):
        return []
    readings, outlines = _read(gray, papers, faces, pale)
    fresh = outlines[readings.best() > READS_WELL]
    rounds = 6  # longest chain of cards in a row that are found from one another
    for _ in range(rounds):
        beside = _beside(fresh, outlines[readings.best() > READS_WELL], gray.shape)
        if not len(beside):
            break
        more, places = _read(gray, beside, faces, pale)
        fresh = places[more.best() > READS_WELL]
        outlines = np.concatenate([outlines, places])
        readings = readings.joined(more)
    chosen = _one_per_place(readings.best(), outlines)
    readings = readings.only(chosen)
    edges = on_edges(gray, outlines[chosen])
    # Log-likelihood per slot above which an unnamed face still counts as a torifuda.
    least_legible = -3.0
    cards = [
        PhotoCard(identity.card, identity.confidence, edge)
        for identity, edge, likeness in zip(assign(readings), edges, readings.best(), strict=True)
        if identity.card is not None or likeness > least_legible
    ]
    return sorted(cards, key=lambda card: float(card.corners_px[:, 0].mean()))


def _outlines(gray: Gray) -> Floats:
    """Return possible cards, shape (N, 4, 2): four-sided patches, and the parts of touching rows."""
    rows = [card.corners_px for card in find_cards(gray)]
    # Two upright cards side by side look like one lying across, so the picture is tried on its side, too. A
    # quarter turn to the left takes (x, y) to (y, width - 1 - x).
    last = gray.shape[1] - 1
    sideways = find_cards(np.ascontiguousarray(np.rot90(gray)))
    rows += [card.corners_px[:, ::-1] * [-1, 1] + [last, 0] for card in sideways]
    max_outlines = 600  # a photo with more of them shows a pattern, no cards; the best are read
    return np.concatenate([np.array(rows).reshape(-1, 4, 2), find_outlines(gray)])[:max_outlines]


def _read(
    gray: Gray, papers: Floats, faces: DeckFaces | None, pale: Gray | None
) -> tuple[FaceReadings, Floats]:
    """Read every outline as `_read_in` does, and badly read ones also without their coloured print."""
    readings, outlines = _read_in(gray, papers, faces)
    doubtful = np.flatnonzero(readings.best() < READS_WELL)
    if pale is None or not len(doubtful):
        return readings, outlines
    more, places = _read_in(pale, papers[doubtful], faces)
    better = more.best() > readings.best()[doubtful]
    outlines[doubtful[better]] = places[better]
    return readings.replaced(doubtful[better], more.only(better)), outlines


def _read_in(gray: Gray, papers: Floats, faces: DeckFaces | None) -> tuple[FaceReadings, Floats]:
    """Read every outline all ways up, and the best way with every border.

    Returns: the best readings, and the cards' outlines, shape (N, 4, 2), in the text's reading order.
    """
    reader = TorifudaReader()
    turned = [np.roll(papers, -start, axis=1) for start in range(4)]
    # Borders to try around an outline, which may be a paper's or a whole card's.
    borders_mm = (1.3, 0.0, 2.6)
    tries = [
        (reader.read(gray, grown(quads, borders_mm[0]), faces), grown(quads, borders_mm[0]))
        for quads in turned
    ]
    upright = np.array(turned)[
        np.array([readings.best() for readings, _ in tries]).argmax(axis=0), np.arange(len(papers))
    ]
    tries += [
        (reader.read(gray, grown(upright, border), faces), grown(upright, border))
        for border in borders_mm[1:]
    ]
    best = np.array([readings.best() for readings, _ in tries]).argmax(axis=0)
    every = np.arange(len(papers))
    return (
        FaceReadings(
            np.array([readings.poem_logs for readings, _ in tries])[best, every],
            np.array([readings.illegible for readings, _ in tries])[best, every],
        ),
        np.array([quads for _, quads in tries])[best, every],
    )


def _beside(fresh: Floats, clear: Floats, shape: tuple[int, ...]) -> Floats:
    """Return the places beside freshly found cards where no clear card lies, shape (N, 4, 2).

    Cards that touch without a border between them have no outline of their own, but their neighbour's shows
    where they would lie.
    """
    height, width = shape
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    places: list[Floats] = []
    for corners in fresh:
        card = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
        moved = (square + NEIGHBOURS[:, None]).astype(np.float64)
        for quad in cv2.perspectiveTransform(moved.reshape(1, -1, 2), card).reshape(-1, 4, 2):
            inside = (quad > 0).all() and (quad[:, 0] < width - 1).all() and (quad[:, 1] < height - 1).all()
            middle = quad.mean(axis=0)
            if inside and not any(
                cv2.pointPolygonTest(other.astype(np.float32), middle.tolist(), measureDist=False) >= 0
                for other in (*clear, *places)
            ):
                places.append(np.asarray(quad, np.float64))
    return np.array(places).reshape(-1, 4, 2)


def _one_per_place(likeness: Floats, outlines: Floats) -> list[int]:
    """Return the indices of outlines that look like a card, the best one of each place."""
    order = np.argsort(-likeness)
    card_like = -3.5  # log-likelihood per slot below which a rectangle is not considered
    order = order[likeness[order] >= card_like]
    return [int(order[number]) for number in one_for_each_place(list(outlines[order]))]
