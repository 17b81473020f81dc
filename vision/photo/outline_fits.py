"""Outlines that are read as cards of a deck: how well each fits, and which one of a place fits best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.hanafuda.crops import rectify
from vision.hanafuda.finder import Corners
from vision.hanafuda.fitting.card_plane import AGREES, laid_cards, laid_pieces, off_plane
from vision.hanafuda.identity import FITS, HanafudaReader, HanafudaReading
from vision.imaging.quadrilaterals import short_side_first
from vision.photo import outlines as photo_outlines
from vision.photo.places import distinct, in_view, one_for_each_place

Floats = NDArray[np.float64]

WORTH_FITTING: Final = 0.3  # likeness below which an outline is not moved about in search of a card
SURE: Final = 0.9  # confidence from which a card is final; below it a better place is searched for


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """An outline from the card's upper left, what was read in it, and the crop in which it was read."""

    reading: HanafudaReading
    outline: Corners
    crop: Picture


def filling_outlines(picture: Picture) -> list[Corners]:
    """Return outlines of any size found by some threshold, except those cut off by the photo's edge."""
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    last = np.array(gray.shape[::-1]) - 3
    quads = photo_outlines.find_outlines(gray)
    return [short_side_first(quad) for quad in quads if (quad > 2).all() and (quad < last).all()]


def fitted(picture: Picture, reader: HanafudaReader, outlines: list[Corners]) -> list[Fit]:
    """Return what looks like a card in any of the outlines, one for each place."""
    likely = best_of_places(read_outlines(picture, reader, distinct(in_view(outlines, picture.shape))))
    # An outline with less likeness to every card is a marker, a card's back or a knot in the wood.
    min_card_likeness = 0.45
    return [
        fit
        for fit in _aligned(picture, reader, likely)
        if fit.reading.likeness >= min_card_likeness or fit.reading.card_id is not None
    ]


def read_outlines(picture: Picture, reader: HanafudaReader, outlines: Sequence[Corners]) -> list[Fit]:
    """Read each outline as a card of the deck, and start it at the card's upper left corner."""
    crops = [rectify(picture, outline) for outline in outlines]
    return [
        Fit(reading, np.roll(outline, -2, axis=0), crop[::-1, ::-1])
        if reading.upside_down
        else Fit(reading, outline, crop)
        for reading, outline, crop in zip(reader.read(crops), outlines, crops, strict=True)
    ]


def best_of_places(fits: Sequence[Fit], reach: float = 1.0) -> list[Fit]:
    """Return the most card-like outline of every place, best first; a place is `reach` times the outline."""
    left = sorted(
        (fit for fit in fits if fit.reading.likeness >= WORTH_FITTING), key=lambda fit: -fit.reading.likeness
    )
    return [left[number] for number in one_for_each_place([fit.outline for fit in left], reach)]


def _aligned(picture: Picture, reader: HanafudaReader, fits: Sequence[Fit]) -> list[Fit]:
    """Move the outlines onto the cards they were read as, if that increases their likeness."""
    outlines = [fit.outline for fit in fits]
    cards = [reader.gallery.ids.index(fit.reading.best_id) for fit in fits]
    moved = read_outlines(picture, reader, reader.aligner.refine([fit.crop for fit in fits], outlines, cards))
    return [
        new
        if new.reading.best_id == old.reading.best_id
        and not new.reading.upside_down
        and new.reading.likeness > old.reading.likeness
        else old
        for old, new in zip(fits, moved, strict=True)
    ]


def on_plane(
    picture: Picture, reader: HanafudaReader, to_px: Floats, fits: Sequence[Fit]
) -> tuple[list[Fit], list[Corners]]:
    """Lay cards whose outlines do not agree with the plane onto it, if that reads as well.

    Returns: the cards, and the places on the plane of those without a card's size.
    """
    size_mm = reader.gallery.size_mm
    if not fits:
        return [], []
    outlines = np.stack([fit.outline for fit in fits])
    off = off_plane(to_px, outlines, size_mm)
    laid = laid_cards(to_px, outlines, size_mm)
    # Outlines with corners farther off the common plane than this share of their size are doubted.
    nearly_on = 0.02
    doubtful = [
        int(number) for number in np.flatnonzero(off > nearly_on) if in_view([laid[number]], picture.shape)
    ]
    again = dict(
        zip(
            doubtful,
            _aligned(picture, reader, read_outlines(picture, reader, [laid[n] for n in doubtful])),
            strict=True,
        )
    )
    kept, stray = [], []
    # Farther off than this an outline shows no card, whatever it looks like: a bare hill resembles many
    # things.
    most_misfit = 0.12
    as_good = 0.01  # likeness that an outline may lose by lying on the plane
    for number, fit in enumerate(fits):
        other = again.get(number, fit)
        best = other if other.reading.likeness > fit.reading.likeness - as_good else fit
        is_named = best.reading.card_id is not None
        if off[number] > (most_misfit if is_named else AGREES) and best is fit:
            stray.append(laid[number])
        else:
            kept.append(best)
    return kept, stray


def is_sure(fit: Fit) -> bool:
    """Tell whether an outline is named so certainly that no better one is searched for."""
    return fit.reading.card_id is not None and fit.reading.confidence >= SURE


def seen_well(fits: Sequence[Fit]) -> list[Corners]:
    """Return the outlines that are named with certainty and match their cards closely."""
    return [fit.outline for fit in fits if is_sure(fit) and fit.reading.likeness >= FITS]


def sure_outlines(fits: Sequence[Fit]) -> list[Corners]:
    """Return the outlines that are named with certainty, see `is_sure`."""
    return [fit.outline for fit in fits if is_sure(fit)]


def fitted_pieces(
    picture: Picture, reader: HanafudaReader, to_px: Floats, pieces: Sequence[Corners]
) -> list[Fit]:
    """Return the cards that are named where pieces of a card's size lie."""
    laid = in_view(laid_pieces(to_px, pieces, reader.gallery.size_mm), picture.shape)
    fits = _aligned(picture, reader, best_of_places(read_outlines(picture, reader, laid)))
    return [fit for fit in fits if is_sure(fit)]
