"""Names the cards on a single photo: a few cards, large or small, in any perspective, on any table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card_border import border_mm
from vision.card_edges import grown, refine
from vision.card_finder import find_cards
from vision.frames import Gray
from vision.identity import NUMBERS, FaceReadings, TorifudaReader, assign

Floats = NDArray[np.float64]

SCALES: Final = (1.0, 0.4)
"""The finder's eye is set for cards of a twentieth of the picture; shrunk, large cards look like that."""
OTHER_BORDERS_MM: Final = (0.0, 2.5)
"""Borders to try besides the measured one, which a few cards show only roughly."""
CARD_LIKE: Final = -3.5
"""Log-likelihood per slot below which a rectangle is not even an unreadable torifuda."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoCard:
    """One card on a photo.

    Attributes
    ----------
    card : torifuda 1..100, or None where it could not be read beyond doubt.
    confidence : probability, 0..1, that `card` is right (of the best guess, where it is None).
    corners_px : shape (4, 2), in the text's reading order, border included.
    """

    card: int | None
    confidence: float
    corners_px: Floats


def read_photo(path: Path) -> list[PhotoCard]:
    """Read a photo from a file.

    Raises
    ------
    FileNotFoundError
        Where there is no such file.
    ValueError
        Where it is no picture.
    """
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file; give the path of a photo")
    pixels = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_GRAYSCALE)
    if pixels is None:
        raise ValueError(f"{path}: not a picture that can be read; JPEG and PNG work")
    return identify(np.asarray(pixels, np.uint8))


def identify(gray: Gray) -> list[PhotoCard]:
    """Name the torifuda in a picture, shape (height, width), uint8; from left to right."""
    # Two upright cards side by side look like one lying across: the picture is tried on its side too.
    upright, sideways = _named(gray), _named(np.ascontiguousarray(np.rot90(gray)))
    if sum(card.card is not None for card in sideways) > sum(card.card is not None for card in upright):
        # A quarter turn to the left took (x, y) to (y, width - 1 - x).
        last = gray.shape[1] - 1
        upright = [
            PhotoCard(card.card, card.confidence, card.corners_px[:, ::-1] * [-1, 1] + [last, 0])
            for card in sideways
        ]
    return sorted(upright, key=lambda card: float(card.corners_px[:, 0].mean()))


def _named(gray: Gray) -> list[PhotoCard]:
    papers = _papers(gray)
    if not len(papers):
        return []
    papers = refine(gray, papers)
    border = border_mm(gray, papers)
    reader = TorifudaReader()
    tries = [
        (start, reader.read(gray, np.roll(grown(papers, width), -start, axis=1)))
        for width in (border, *OTHER_BORDERS_MM)
        for start in range(4)
    ]
    best = np.array([readings.best() for _, readings in tries]).argmax(axis=0)
    cards = np.arange(len(papers))
    likely = np.array([tries[chosen][1].best()[card] > CARD_LIKE for card, chosen in enumerate(best)])
    outlines = [
        np.roll(quad, -tries[chosen][0], axis=0)
        for quad, chosen in zip(grown(papers, border), best, strict=True)
    ]
    readings = FaceReadings(
        np.array([tries[best[card]][1].poem_logs[card] for card in cards[likely]]).reshape(-1, len(NUMBERS)),
        np.array([tries[best[card]][1].illegible[card] for card in cards[likely]]),
    )
    return [
        PhotoCard(identity.card, identity.confidence, outlines[card])
        for identity, card in zip(assign(readings), cards[likely], strict=True)
    ]


def _papers(gray: Gray) -> Floats:
    """Find outlines at every scale; where two share a place, the larger one is the card."""
    found: list[tuple[float, Floats]] = []
    for scale in SCALES:
        small = (
            gray if scale == 1.0 else cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        )
        for card in find_cards(np.asarray(small, np.uint8)):
            quad = (card.corners_px + 0.5) / scale - 0.5
            found.append((float(cv2.contourArea(quad.astype(np.float32))), quad))
    kept: list[Floats] = []
    for _, quad in sorted(found, key=lambda item: -item[0]):
        centre = quad.mean(axis=0)
        inside = [
            cv2.pointPolygonTest(other.astype(np.float32), centre.tolist(), measureDist=False) >= 0
            for other in kept
        ]
        if not any(inside):
            kept.append(quad)
    return np.array(kept) if kept else np.zeros((0, 4, 2))
