"""Names the whole hanafuda on a photo of a table: of all likely outlines of a place the best read stays."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.deck import Deck, Picture
from vision.card_naming import named
from vision.hanafuda_finder import Corners, find_outlines
from vision.hanafuda_identity import HanafudaReader, HanafudaReading, rectify
from vision.hanafuda_refine import refine
from vision.photo_overlaps import covered_cards, plane_of_cards

SAME_OUTLINE: Final = 0.03
"""Distance of corners, in card widths, within which two outlines are one."""
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
    """Find and name the cards in a picture, row by row from the top.

    Parameters
    ----------
    picture : shape (height, width, 3), uint8, blue, green, red.
    reader : of the deck that lies on the table.
    """
    outlines = _distinct(find_outlines(picture))
    readings = reader.read([rectify(picture, outline) for outline in outlines])
    best_first = sorted(zip(readings, outlines, strict=True), key=lambda pair: -pair[0].likeness)
    chosen: list[tuple[HanafudaReading, Corners]] = []
    for reading, outline in best_first:
        if reading.likeness < MIN_CARD_LIKENESS:
            break
        if not any(_overlap(outline, other) for _, other in chosen):
            chosen.append((reading, np.roll(outline, -2, axis=0) if reading.upside_down else outline))
    seen = _best_fits(picture, reader, chosen)
    covered = _covered(picture, reader, [card for card in seen if card.card_id is not None])
    # what could not be named as a whole card may have been pieces of several
    seen = [
        card
        for card in seen
        if card.card_id is not None
        or not any(_overlap(card.corners_px, other.corners_px) for other in covered)
    ]
    return sorted(
        [*seen, *covered],
        key=lambda card: (float(card.corners_px[:, 1].mean()), float(card.corners_px[:, 0].mean())),
    )


def _best_fits(
    picture: Picture, reader: HanafudaReader, chosen: list[tuple[HanafudaReading, Corners]]
) -> list[SeenHanafuda]:
    """Fit the outlines to the cards they were read as, and keep what is more like that card."""
    refined = [refine(picture, outline, reader.deck.pictures[reading.best_id]) for reading, outline in chosen]
    again = reader.read([rectify(picture, outline) for outline in refined])
    seen = []
    for (reading, outline), better, fitted in zip(chosen, again, refined, strict=True):
        same = better.best_id == reading.best_id and not better.upside_down
        if same and better.likeness > reading.likeness:
            seen.append(SeenHanafuda(better.card_id, better.confidence, fitted))
        else:
            seen.append(SeenHanafuda(reading.card_id, reading.confidence, outline))
    return seen


def _covered(picture: Picture, reader: HanafudaReader, whole: list[SeenHanafuda]) -> list[SeenHanafuda]:
    """Find the cards that others cover partly; they are told of only where their print names them."""
    gallery = reader.gallery
    index = {card: number for number, card in enumerate(gallery.ids)}
    plane = plane_of_cards([card.corners_px for card in whole], gallery.size_mm, picture)
    if plane is None:
        return []
    lying = [(card.corners_px, index[card.card_id]) for card in whole if card.card_id is not None]
    found = []
    for card, corners_px in covered_cards(picture, gallery, plane, lying):
        name, confidence = named(gallery, card.likeness, card.best, card.visible)
        if name is not None:
            found.append(SeenHanafuda(gallery.ids[name], confidence, corners_px))
    return found


def _distinct(outlines: list[Corners]) -> list[Corners]:
    """Return the outlines without those that repeat another one within a pixel or two."""
    if not outlines:
        return []
    quads = np.stack(outlines)
    away_px = np.abs(quads[:, None] - quads[None]).max(axis=(2, 3))
    within_px = SAME_OUTLINE * np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    same = away_px < within_px[:, None]
    kept: list[int] = []
    for number in range(len(outlines)):
        if not same[number, kept].any():
            kept.append(number)
    return [outlines[number] for number in kept]


def _overlap(one: Corners, other: Corners) -> bool:
    """Tell whether two outlines are of the same place: the middle of either lies in the other."""
    return any(
        cv2.pointPolygonTest(a.astype(np.float32), tuple(map(float, b.mean(axis=0))), False) >= 0
        for a, b in ((one, other), (other, one))
    )
