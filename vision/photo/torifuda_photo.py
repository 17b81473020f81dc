"""Name the torifuda on a single photo: a few cards, large or small, in any perspective, on any table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.paper_edges import grown, refine
from vision.cards.rectangle_finder import find_cards
from vision.frames.frame import Gray, brightest_channel
from vision.frames.picture_file import read_colour
from vision.photo.edges import on_edges
from vision.photo.outlines import find_outlines
from vision.photo.places import one_for_each_place
from vision.torifuda.enrolled_faces import DeckFaces
from vision.torifuda.face_reader import FaceReadings, TorifudaReader, assign

Floats = NDArray[np.float64]


READS_WELL: Final = -1.5  # log-likelihood per slot above which others are searched for beside a card
NEIGHBOURS: Final = np.array([(1.01, 0.0), (-1.01, 0.0), (0.0, 1.01), (0.0, -1.01)])
"""Places of touching neighbours, in card widths and heights."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoCard:
    """One card on a photo."""

    card: int | None  # torifuda 1..100, or None if it could not be read beyond doubt
    confidence: float  # probability, 0..1, that `card`, or the best guess if it is None, is right
    # shape (4, 2), in the text's reading order: the card's physical edge, with any printed border (see
    # `vision.photo.edges`)
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
