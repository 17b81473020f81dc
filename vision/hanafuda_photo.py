"""Names the whole hanafuda on a photo of a table: of all likely outlines of a place the best read stays."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.deck import Deck, Picture
from vision.hanafuda_finder import Corners, find_outlines
from vision.hanafuda_identity import HanafudaReader, HanafudaReading, rectify
from vision.hanafuda_refine import refine

MIN_CARD_LIKENESS: Final = 0.45
"""An outline less like any card of the deck is no card but a marker, a card's back or a knot in the wood."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenHanafuda:
    """A card on a photo.

    Attributes
    ----------
    card_id : the card's id, None where the picture does not tell.
    confidence : 0..1.
    corners_px : shape (4, 2), clockwise from the card's upper left corner; pixel centres are integers.
    """

    card_id: str | None
    confidence: float
    corners_px: Corners


def read_hanafuda_photo(path: Path, deck: Deck) -> list[SeenHanafuda]:
    """Find and name the whole cards on a photo.

    Raises
    ------
    OSError
        Where the file cannot be read.
    ValueError
        Where it is no picture.
    """
    data = np.frombuffer(path.read_bytes(), np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if picture is None:
        raise ValueError(f"{path}: expected a picture (JPEG, PNG, ...), this cannot be decoded as one")
    return find_hanafuda(np.asarray(picture, np.uint8), HanafudaReader(deck))


def find_hanafuda(picture: Picture, reader: HanafudaReader) -> list[SeenHanafuda]:
    """Find and name the whole cards in a picture, row by row from the top.

    Parameters
    ----------
    picture : shape (height, width, 3), uint8, blue, green, red.
    reader : of the deck that lies on the table.
    """
    outlines = find_outlines(picture)
    readings = reader.read([rectify(picture, outline) for outline in outlines])
    best_first = sorted(zip(readings, outlines, strict=True), key=lambda pair: -pair[0].likeness)
    seen: list[SeenHanafuda] = []
    for reading, outline in best_first:
        if reading.likeness < MIN_CARD_LIKENESS:
            break
        if any(_overlap(outline, other.corners_px) for other in seen):
            continue
        upright = np.roll(outline, -2, axis=0) if reading.upside_down else outline
        seen.append(_best_fit(picture, reader, reading, upright))
    return sorted(
        seen, key=lambda card: (float(card.corners_px[:, 1].mean()), float(card.corners_px[:, 0].mean()))
    )


def _best_fit(
    picture: Picture, reader: HanafudaReader, reading: HanafudaReading, outline: Corners
) -> SeenHanafuda:
    """Fit the outline to the card it was read as, and keep what is more like that card."""
    refined = refine(picture, outline, reader.deck.pictures[reading.best_id])
    (again,) = reader.read([rectify(picture, refined)])
    if again.best_id == reading.best_id and not again.upside_down and again.likeness > reading.likeness:
        return SeenHanafuda(again.card_id, again.confidence, refined)
    return SeenHanafuda(reading.card_id, reading.confidence, outline)


def _overlap(one: Corners, other: Corners) -> bool:
    """Tell whether two outlines are of the same place: the middle of either lies in the other."""
    return any(
        cv2.pointPolygonTest(a.astype(np.float32), tuple(map(float, b.mean(axis=0))), False) >= 0
        for a, b in ((one, other), (other, one))
    )
