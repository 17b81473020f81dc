"""Names the whole hanafuda on a photo of a table: of all likely outlines of a place the best read stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Deck, Picture
from vision.frames.picture_file import read_colour
from vision.hanafuda.card_plane import AGREES, laid_cards, laid_pieces, off_plane, plane_through, sized
from vision.hanafuda.crops import rectify
from vision.hanafuda.finder import COLOUR_STEPS, FAINT_STEPS, CardSurvey, Corners
from vision.hanafuda.identity import FITS, NAMED, HanafudaReader, HanafudaReading
from vision.hanafuda.naming import named
from vision.imaging.quadrilaterals import short_side_first
from vision.photo import outlines as photo_outlines
from vision.photo.claims import shared_out
from vision.photo.foreign_deck import find_foreign
from vision.photo.overlaps import covered_cards, rest_of_photo, seen_markers, seen_table
from vision.photo.places import all_touch, distinct, in_view, one_for_each_place, overlaps
from vision.plane.table_plane import TablePlane

Floats = NDArray[np.float64]

WORTH_FITTING: Final = 0.3
"""An outline less like any card of the deck is not moved about in search of one."""
ROOM: Final = 1.3
"""The middles of two whole cards are at least so far apart, in half sizes: a bare hill beside its sky fits as
well over the sky, with the dark table for its hill."""
ENROLLED: Final = 0.5
OWN: Final = 0.95
"""Where at most this share of the cards is named, even those named must be so like the deck to be of it."""
FIRST_STEPS: Final = COLOUR_STEPS[:1]
"""Cards are looked for in so much smaller a picture first, by so many steps of colour: most are found."""
CLOSELY: Final = (COLOUR_STEPS[1], COLOUR_STEPS[0], COLOUR_STEPS[2])
"""Steps of colour for the rest, those first that meet a card's edge best: the least takes shade for card."""
EDGE_COARSENESS: Final = 2.0
"""Cards of the table's own colour are looked for by their edges in a picture so much smaller."""
FEW: Final = 4
"""So many cards of one deck are not all seen badly."""
SURE: Final = 0.9
"""Confidence from which a card is done with; where it is less, a better place for it is looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenHanafuda:
    """A card on a photo.

    Attributes
    ----------
    card_id : the card's id, None where the picture does not tell.
    confidence : probability, 0..1, that `card_id` is right (of the best guess, where it is None).
    corners_px : shape (4, 2), clockwise from the card's upper left corner; pixel centres are integers. They
        are those of the card's physical edge, border included, as in the deck's pictures.
    is_plain : True where two flat tones, as of squares on a board, are as like the place as the card is.
    """

    card_id: str | None
    confidence: float
    corners_px: Corners
    is_plain: bool = False


def read_hanafuda_photo(path: Path, deck: Deck) -> list[SeenHanafuda]:
    """Find and name the whole cards on a photo; errors as `picture_file.read_colour`."""
    return find_hanafuda(read_colour(path), HanafudaReader(deck))


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """An outline from the card's upper left, what was read in it, and the crop in which it was read."""

    reading: HanafudaReading
    outline: Corners
    crop: Picture


def find_hanafuda(picture: Picture, reader: HanafudaReader) -> list[SeenHanafuda]:
    """Find and name the cards in a picture, row by row from the top.

    Parameters
    ----------
    picture : shape (height, width, 3), uint8, blue, green, red.
    reader : of the deck that lies on the table.
    """
    coarse_look = 2.0
    survey = CardSurvey(picture, coarse_look)
    rough = survey.by_colour(FIRST_STEPS)
    fits = _fitted(picture, reader, rough)
    well = _seen_well(fits)
    if len(well) >= FEW:  # of a known deck: mostly these tell of all that lies there
        laid = _laid(picture, reader, survey, fits, FEW)
        if laid is not None:
            if all_touch(laid.pieces, _sure(laid.fits)):
                told = _with_covered(picture, reader, survey, laid)
                if _is_all(picture, reader, survey, told):
                    return _row_by_row(_of_table(told))
            fits = _best_of_places([*laid.fits, *fits])
            well = _seen_well(fits)
    # of a card that is seen well no better outline is looked for, nor any card where nothing else lies
    whole = survey.whole()
    parts = survey.parts_beside(well) if len(well) >= FEW else [whole]
    coloured = [outline for part in parts for outline in part.by_colour(CLOSELY, well)]
    fits = _best_of_places([*fits, *_fitted(picture, reader, coloured)])
    well = _seen_well(fits)
    if parts and len(well) >= FEW:
        parts = survey.parts_beside(well)
    edged = [outline for part in parts for outline in part.by_edges(EDGE_COARSENESS, well)]
    outlines = [*coloured, *edged, *rough]  # of those of one place the first counts
    fits = _best_of_places([*fits, *_fitted(picture, reader, _beside(edged, _sure(fits)))])
    if len(_sure(fits)) < FEW:  # a white card on white paper has hardly an edge
        faint = survey.whole().by_edges(EDGE_COARSENESS, _sure(fits), FAINT_STEPS)
        fits = _best_of_places([*fits, *_fitted(picture, reader, _beside(faint, _sure(fits)))])
    if len(fits) < FEW and not _sure(fits):  # a card that fills the photo leaves no table to differ from
        filling = _filling(picture)
        fits = _best_of_places([*fits, *_fitted(picture, reader, filling)])
        outlines += filling
    seen: list[SeenHanafuda] | None = None
    if _may_be_foreign(fits):
        foreign = find_foreign(picture, reader, whole, distinct(outlines))
        named = sum(card.card_id is not None for card in foreign)
        # a motif or two are seen in much that is no card: only a deck's worth of them tells of another deck
        if named > len(_sure(fits)) and named >= max(FEW, ENROLLED * len(foreign)):
            seen = [SeenHanafuda(card.card_id, card.confidence, card.corners_px) for card in foreign]
    return _row_by_row(_each_once(seen) if seen else _of_table(_of_deck(picture, reader, survey, fits)))


def _is_all(
    picture: Picture, reader: HanafudaReader, survey: CardSurvey, told: Sequence[SeenHanafuda]
) -> bool:
    """Tell whether nothing like a card is seen beside those told of, however closely one looks."""
    known = [card.corners_px for card in told if card.card_id is not None]
    if len(known) < len(told):
        return False
    parts = survey.parts_beside(known)
    coloured = [outline for part in parts for outline in part.by_colour(CLOSELY, known)]
    edged = [outline for part in parts for outline in part.by_edges(EDGE_COARSENESS, known)]
    return not _fitted(picture, reader, _beside([*coloured, *edged], known))


def _beside(outlines: Sequence[Corners], cards: Sequence[Corners]) -> list[Corners]:
    """Return the outlines that are of no card's place."""
    taken = np.asarray(overlaps(outlines, cards).any(axis=1))
    return [outline for outline, same in zip(outlines, taken, strict=True) if not same]


def _row_by_row(seen: Sequence[SeenHanafuda]) -> list[SeenHanafuda]:
    return sorted(
        seen,
        key=lambda card: (float(card.corners_px[:, 1].mean()), float(card.corners_px[:, 0].mean())),
    )


def _of_table(seen: Sequence[SeenHanafuda]) -> list[SeenHanafuda]:
    """Return cards of the enrolled deck as probable as all that lies beside them leaves them."""
    return _in_company(_each_once(seen))


def _each_once(seen: Sequence[SeenHanafuda]) -> list[SeenHanafuda]:
    shared = shared_out([(card.card_id, card.confidence) for card in seen], NAMED)
    return [
        replace(card, card_id=name, confidence=chance)
        for card, (name, chance) in zip(seen, shared, strict=True)
    ]


def _in_company(seen: Sequence[SeenHanafuda]) -> list[SeenHanafuda]:
    """Doubt all cards of a photo on which not one is told for sure: it shows something else.

    Of the many outlines in a picture without cards some are a little like one, and squares of a chessboard
    are like a bare hill below the sky.
    """
    if any(card.card_id is not None and card.confidence >= SURE and not card.is_plain for card in seen):
        return list(seen)
    return [
        card if card.card_id is None else replace(card, card_id=None, confidence=NAMED / 2) for card in seen
    ]


def _may_be_foreign(fits: Sequence[_Fit]) -> bool:
    """Tell whether what was read may be of another printing: not all is named, and what is, not quite alike.

    Printings of one drawing in other inks name each other's cards, some of them. Of a wholly other drawing
    nothing may be like any card of the deck.
    """
    if not fits:
        return True
    sure = [fit.reading.likeness for fit in fits if _is_sure(fit)]
    alike = float(np.median(sure)) if len(sure) > 1 else 0.0
    return len(sure) < len(fits) and alike < (OWN if len(sure) <= len(fits) * ENROLLED else FITS)


def _of_deck(
    picture: Picture, reader: HanafudaReader, survey: CardSurvey, fits: Sequence[_Fit]
) -> list[SeenHanafuda]:
    """Name the cards of the enrolled deck: those of the outlines, and what lies beside and below them."""
    laid = _laid(picture, reader, survey, fits)
    if laid is None:
        return [_seen(fit) for fit in fits]
    return _with_covered(picture, reader, survey, laid)


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """Cards on a plane, and what else lies there.

    Attributes
    ----------
    to_px : shape (3, 3), from the plane's millimetres to pixels.
    fits : the cards.
    stray : where on the plane those lie that are not of a card's size.
    pieces : hulls of all that is neither a card nor a marker.
    markers : outlines.
    """

    to_px: Floats
    fits: list[_Fit]
    stray: list[Corners]
    pieces: list[Corners]
    markers: list[Corners]


def _laid(
    picture: Picture,
    reader: HanafudaReader,
    survey: CardSurvey,
    fits: Sequence[_Fit],
    most: int | None = None,
) -> _Laid | None:
    """Lay cards onto the plane they tell of, and name those that lie beside them.

    Parameters
    ----------
    most : of so many pieces at most that are not of a card's size; more are left for a closer look.

    Returns
    -------
    None where no plane is found, or there are more pieces.
    """
    size_mm = reader.gallery.size_mm
    to_px = plane_through(_sure(fits), size_mm)
    if to_px is None:
        return None
    kept, stray = _on_plane(picture, reader, to_px, fits)
    pieces = survey.pieces_beside(_sure(kept))
    if most is not None and sized(to_px, pieces, size_mm).count(False) > most:
        return None
    markers = seen_markers(picture, to_px, pieces)
    if markers:
        pieces = survey.pieces_beside(_sure(kept), markers)
    more = _fitted_pieces(picture, reader, to_px, pieces)
    if more:
        kept = _best_of_places([*kept, *more], ROOM)
        pieces = survey.pieces_beside(_sure(kept), markers)
    return _Laid(to_px, kept, stray, pieces, markers)


def _with_covered(
    picture: Picture, reader: HanafudaReader, survey: CardSurvey, laid: _Laid
) -> list[SeenHanafuda]:
    """Name the cards that lie on a plane, and those that they cover."""
    covered = []
    plane = None
    size_mm = reader.gallery.size_mm
    if laid.pieces:
        rest = rest_of_photo(picture, survey.table, [*_sure(laid.fits), *laid.markers])
        places = np.concatenate([*laid.pieces, *laid.stray, rest])
        plane = seen_table(laid.to_px, picture, places, size_mm)
    if plane is not None:
        hints = [*laid.stray, *laid_pieces(laid.to_px, laid.pieces, size_mm)]
        covered = _covered(picture, reader, plane, survey.table, laid.fits, hints=hints, markers=laid.markers)
    # what could not be named for sure as a whole card may have been pieces of several
    same = overlaps([fit.outline for fit in laid.fits], [card.corners_px for card in covered])
    seen = [_seen(fit) for number, fit in enumerate(laid.fits) if _is_sure(fit) or not same[number].any()]
    return [*seen, *covered]


def _seen(fit: _Fit) -> SeenHanafuda:
    reading = fit.reading
    return SeenHanafuda(reading.card_id, reading.confidence, fit.outline, reading.is_plain)


def _filling(picture: Picture) -> list[Corners]:
    """Return outlines that some threshold cuts out, at any size, but none that the photo's edge cuts off."""
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    last = np.array(gray.shape[::-1]) - 3
    quads = photo_outlines.find_outlines(gray)
    return [short_side_first(quad) for quad in quads if (quad > 2).all() and (quad < last).all()]


def _fitted(picture: Picture, reader: HanafudaReader, outlines: list[Corners]) -> list[_Fit]:
    """Return what looks like a card in any of the outlines, one for each place."""
    likely = _best_of_places(_read(picture, reader, distinct(in_view(outlines, picture.shape))))
    # An outline less like any card of the deck is no card but a marker, a card's back or a knot in the wood.
    min_card_likeness = 0.45
    return [
        fit
        for fit in _aligned(picture, reader, likely)
        if fit.reading.likeness >= min_card_likeness or fit.reading.card_id is not None
    ]


def _read(picture: Picture, reader: HanafudaReader, outlines: Sequence[Corners]) -> list[_Fit]:
    crops = [rectify(picture, outline) for outline in outlines]
    return [
        _Fit(reading, np.roll(outline, -2, axis=0), crop[::-1, ::-1])
        if reading.upside_down
        else _Fit(reading, outline, crop)
        for reading, outline, crop in zip(reader.read(crops), outlines, crops, strict=True)
    ]


def _best_of_places(fits: Sequence[_Fit], reach: float = 1.0) -> list[_Fit]:
    """Return the most card-like outline of every place, `reach` as large, the most card-like first."""
    left = sorted(
        (fit for fit in fits if fit.reading.likeness >= WORTH_FITTING),
        key=lambda fit: -fit.reading.likeness,
    )
    return [left[number] for number in one_for_each_place([fit.outline for fit in left], reach)]


def _aligned(picture: Picture, reader: HanafudaReader, fits: Sequence[_Fit]) -> list[_Fit]:
    """Move the outlines onto the cards they were read as, where that makes them more like them."""
    outlines = [fit.outline for fit in fits]
    cards = [reader.gallery.ids.index(fit.reading.best_id) for fit in fits]
    moved = _read(picture, reader, reader.aligner.refine([fit.crop for fit in fits], outlines, cards))
    return [
        new
        if new.reading.best_id == old.reading.best_id
        and not new.reading.upside_down
        and new.reading.likeness > old.reading.likeness
        else old
        for old, new in zip(fits, moved, strict=True)
    ]


def _on_plane(
    picture: Picture, reader: HanafudaReader, to_px: Floats, fits: Sequence[_Fit]
) -> tuple[list[_Fit], list[Corners]]:
    """Lay cards whose outlines do not agree with the plane onto it, where that is as good a reading.

    Returns
    -------
    the cards, and where on the plane those lie that are not of a card's size.
    """
    size_mm = reader.gallery.size_mm
    if not fits:
        return [], []
    outlines = np.stack([fit.outline for fit in fits])
    off = off_plane(to_px, outlines, size_mm)
    laid = laid_cards(to_px, outlines, size_mm)
    # Outlines whose corners are off the plane of all cards by more than this share of their size are doubted.
    nearly_on = 0.02
    doubtful = [
        int(number) for number in np.flatnonzero(off > nearly_on) if in_view([laid[number]], picture.shape)
    ]
    again = dict(
        zip(
            doubtful,
            _aligned(picture, reader, _read(picture, reader, [laid[n] for n in doubtful])),
            strict=True,
        )
    )
    kept, stray = [], []
    # Off by more than this an outline is of no card, whatever it looks like: a bare hill is like much else.
    most_misfit = 0.12
    as_good = 0.01  # An outline that lies on the plane may be so much less like its card.
    for number, fit in enumerate(fits):
        other = again.get(number, fit)
        best = other if other.reading.likeness > fit.reading.likeness - as_good else fit
        is_named = best.reading.card_id is not None
        if off[number] > (most_misfit if is_named else AGREES) and best is fit:
            stray.append(laid[number])
        else:
            kept.append(best)
    return kept, stray


def _is_sure(fit: _Fit) -> bool:
    return fit.reading.card_id is not None and fit.reading.confidence >= SURE


def _seen_well(fits: Sequence[_Fit]) -> list[Corners]:
    return [fit.outline for fit in fits if _is_sure(fit) and fit.reading.likeness >= FITS]


def _sure(fits: Sequence[_Fit]) -> list[Corners]:
    return [fit.outline for fit in fits if _is_sure(fit)]


def _fitted_pieces(
    picture: Picture, reader: HanafudaReader, to_px: Floats, pieces: Sequence[Corners]
) -> list[_Fit]:
    """Return the cards that are named where pieces of a card's size lie."""
    laid = in_view(laid_pieces(to_px, pieces, reader.gallery.size_mm), picture.shape)
    fits = _aligned(picture, reader, _best_of_places(_read(picture, reader, laid)))
    return [fit for fit in fits if _is_sure(fit)]


def _covered(
    picture: Picture,
    reader: HanafudaReader,
    plane: TablePlane,
    table: Picture,
    whole: Sequence[_Fit],
    *,
    hints: Sequence[Corners],
    markers: Sequence[Corners],
) -> list[SeenHanafuda]:
    """Find the cards that others cover partly; they are told of only where their print names them."""
    gallery = reader.gallery
    lying = [(fit.outline, gallery.ids.index(fit.reading.best_id)) for fit in whole if _is_sure(fit)]
    found = []
    for card, corners_px in covered_cards(
        picture, gallery, plane, table, lying, hints=hints, markers=markers
    ):
        name, confidence = named(gallery, card.likeness, card.best, card.visible)
        if name is not None:
            found.append(SeenHanafuda(gallery.ids[name], confidence, corners_px))
    return found
