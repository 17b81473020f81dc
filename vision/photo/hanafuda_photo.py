"""Name the whole hanafuda on a photo of a table; of a place's likely outlines the best read one is kept."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Deck, Picture
from vision.frames.picture_file import read_colour
from vision.hanafuda.finder import COLOUR_STEPS, FAINT_STEPS, CardSurvey, Corners
from vision.hanafuda.fitting.card_plane import laid_pieces, plane_through, sized
from vision.hanafuda.gallery import named
from vision.hanafuda.identity import FITS, NAMED, HanafudaReader
from vision.hanafuda.kinds import KIND_OF
from vision.photo.foreign_deck import find_foreign
from vision.photo.outline_fits import (
    SURE,
    Fit,
    all_touch,
    best_of_places,
    distinct,
    filling_outlines,
    fitted,
    fitted_pieces,
    is_sure,
    on_plane,
    overlaps,
    seen_well,
    sure_outlines,
)
from vision.photo.overlaps import covered_cards, rest_of_photo, seen_markers, seen_table
from vision.plane.table_plane import TablePlane


def shared_out(claims: Sequence[tuple[str | None, float]], least: float) -> list[tuple[str | None, float]]:
    """Return the claims with every card named at most once, and probabilities that allow for other claims.

    `claims`: card id, None if there is none, and its probability taken alone, 0..1.
    """
    shared = list(claims)
    for kind, copies in Counter(KIND_OF.values()).items():
        rivals = [n for n, (card, _) in enumerate(claims) if card is not None and KIND_OF[card] == kind]
        if len(rivals) < 2:
            continue
        chances = each_once([claims[number][1] for number in rivals], copies)
        free = [card for card, own in KIND_OF.items() if own == kind]
        for number, chance in sorted(zip(rivals, chances, strict=True), key=lambda claim: -claim[1]):
            own, name = claims[number][0], None
            if free and chance >= least:
                name = free.pop(free.index(own) if own in free else 0)
            shared[number] = (name, chance)
    return shared


def each_once(chances: Sequence[float], copies: int) -> list[float]:
    """Return the probability that each claim to one kind of card is true, given the copies in a deck.

    All ways in which at most `copies` of the claims are true are weighted by their own probability: one of
    two equal claims to a card is wrong, however good both look.

    `chances`: probability of each claim taken alone, 0..1.
    """
    most_certain = 1 - 1e-9
    odds = [chance / (1 - chance) for chance in (min(chance, most_certain) for chance in chances)]

    def ways(some: Sequence[float], most: int) -> float:
        """Return the sum of the products of up to `most` of some odds."""
        sums = [1.0] + [0.0] * most
        for value in some:
            for number in range(most, 0, -1):
                sums[number] += value * sums[number - 1]
        return sum(sums)

    whole = ways(odds, copies)
    return [
        value * ways([*odds[:number], *odds[number + 1 :]], copies - 1) / whole
        for number, value in enumerate(odds)
    ]


Floats = NDArray[np.float64]

ROOM: Final = 1.3
"""Least distance between the centres of two whole cards, in half sizes: a bare hill below its sky fits as
well one place higher, with the dark table as its hill."""
ENROLLED: Final = 0.5
OWN: Final = 0.95
"""If at most this share of the cards is named, even the named ones must closely match the deck."""
FIRST_STEPS: Final = COLOUR_STEPS[:1]
"""Cards are first searched for in a smaller picture with these steps of colour, which finds most of them."""
CLOSELY: Final = (COLOUR_STEPS[1], COLOUR_STEPS[0], COLOUR_STEPS[2])
"""Steps of colour for the rest, best edges first; the smallest step takes shade for card."""
EDGE_COARSENESS: Final = 2.0
"""Cards of the table's own colour are searched for by their edges in a picture this much smaller."""
FEW: Final = 4  # this many cards of one deck are never all badly visible


@dataclass(frozen=True, slots=True, eq=False)
class SeenHanafuda:
    """A card on a photo."""

    card_id: str | None  # the card's id, None if the picture is ambiguous
    confidence: float  # probability, 0..1, that `card_id`, or the best guess if it is None, is right
    # shape (4, 2), clockwise from the card's upper left corner; pixel centres are integers. They are those of
    # the card's physical edge, border included, as in the deck's pictures.
    corners_px: Corners
    # True if two flat tones, e.g. squares of a board, match the place as well as the card does.
    is_plain: bool = False


def read_hanafuda_photo(path: Path, deck: Deck) -> list[SeenHanafuda]:
    """Find and name the whole cards on a photo; errors as `picture_file.read_colour`."""
    return find_hanafuda(read_colour(path), HanafudaReader(deck))


def find_hanafuda(picture: Picture, reader: HanafudaReader) -> list[SeenHanafuda]:
    """Find and name the cards in a picture, row by row from the top.

    `picture`: shape (height, width, 3), uint8, blue, green, red.
    """
    coarse_look = 2.0
    survey = CardSurvey(picture, coarse_look)
    rough = survey.by_colour(FIRST_STEPS)
    fits = fitted(picture, reader, rough)
    well = seen_well(fits)
    if len(well) >= FEW:  # of a known deck: mostly these explain everything that lies there
        laid = _laid(picture, reader, survey, fits, FEW)
        if laid is not None:
            if all_touch(laid.pieces, sure_outlines(laid.fits)):
                told = _with_covered(picture, reader, survey, laid)
                if _is_all(picture, reader, survey, told):
                    return _row_by_row(_of_table(told))
            fits = best_of_places([*laid.fits, *fits])
            well = seen_well(fits)
    # a well seen card needs no better outline, and where nothing else lies no card is searched for
    whole = survey.whole()
    parts = survey.parts_beside(well) if len(well) >= FEW else [whole]
    coloured = [outline for part in parts for outline in part.by_colour(CLOSELY, well)]
    fits = best_of_places([*fits, *fitted(picture, reader, coloured)])
    well = seen_well(fits)
    if parts and len(well) >= FEW:
        parts = survey.parts_beside(well)
    edged = [outline for part in parts for outline in part.by_edges(EDGE_COARSENESS, well)]
    outlines = [*coloured, *edged, *rough]  # of outlines at one place the first counts
    fits = best_of_places([*fits, *fitted(picture, reader, _beside(edged, sure_outlines(fits)))])
    if len(sure_outlines(fits)) < FEW:  # a white card on white paper has hardly an edge
        faint = survey.whole().by_edges(EDGE_COARSENESS, sure_outlines(fits), FAINT_STEPS)
        fits = best_of_places([*fits, *fitted(picture, reader, _beside(faint, sure_outlines(fits)))])
    if len(fits) < FEW and not sure_outlines(
        fits
    ):  # a card that fills the photo leaves no table to differ from
        filling = filling_outlines(picture)
        fits = best_of_places([*fits, *fitted(picture, reader, filling)])
        outlines += filling
    seen: list[SeenHanafuda] | None = None
    if _may_be_foreign(fits):
        foreign = find_foreign(picture, reader, whole, distinct(outlines))
        named = sum(card.card_id is not None for card in foreign)
        # a motif or two are seen in much that is no card: only many of them prove another deck
        if named > len(sure_outlines(fits)) and named >= max(FEW, ENROLLED * len(foreign)):
            seen = [SeenHanafuda(card.card_id, card.confidence, card.corners_px) for card in foreign]
    return _row_by_row(_each_once(seen) if seen else _of_table(_of_deck(picture, reader, survey, fits)))


def _is_all(
    picture: Picture, reader: HanafudaReader, survey: CardSurvey, told: Sequence[SeenHanafuda]
) -> bool:
    """Tell whether even a close search finds no further card beside those reported."""
    known = [card.corners_px for card in told if card.card_id is not None]
    if len(known) < len(told):
        return False
    parts = survey.parts_beside(known)
    coloured = [outline for part in parts for outline in part.by_colour(CLOSELY, known)]
    edged = [outline for part in parts for outline in part.by_edges(EDGE_COARSENESS, known)]
    return not fitted(picture, reader, _beside([*coloured, *edged], known))


def _beside(outlines: Sequence[Corners], cards: Sequence[Corners]) -> list[Corners]:
    taken = np.asarray(overlaps(outlines, cards).any(axis=1))
    return [outline for outline, same in zip(outlines, taken, strict=True) if not same]


def _row_by_row(seen: Sequence[SeenHanafuda]) -> list[SeenHanafuda]:
    return sorted(
        seen, key=lambda card: (float(card.corners_px[:, 1].mean()), float(card.corners_px[:, 0].mean()))
    )


def _of_table(seen: Sequence[SeenHanafuda]) -> list[SeenHanafuda]:
    """Return cards of the enrolled deck with probabilities that allow for everything beside them."""
    return _in_company(_each_once(seen))


def _each_once(seen: Sequence[SeenHanafuda]) -> list[SeenHanafuda]:
    shared = shared_out([(card.card_id, card.confidence) for card in seen], NAMED)
    return [
        replace(card, card_id=name, confidence=chance)
        for card, (name, chance) in zip(seen, shared, strict=True)
    ]


def _in_company(seen: Sequence[SeenHanafuda]) -> list[SeenHanafuda]:
    """Doubt all cards of a photo if none is certain: then it shows something else.

    Of the many outlines in a picture without cards some resemble one a little, and squares of a chessboard
    resemble a bare hill below the sky.
    """
    if any(card.card_id is not None and card.confidence >= SURE and not card.is_plain for card in seen):
        return list(seen)
    return [
        card if card.card_id is None else replace(card, card_id=None, confidence=NAMED / 2) for card in seen
    ]


def _may_be_foreign(fits: Sequence[Fit]) -> bool:
    """Tell whether cards may be of another printing: not all are named, and those match imperfectly.

    Printings of one drawing in other inks name some of each other's cards. Of an entirely different drawing
    nothing may resemble any card of the deck.
    """
    if not fits:
        return True
    sure = [fit.reading.likeness for fit in fits if is_sure(fit)]
    alike = float(np.median(sure)) if len(sure) > 1 else 0.0
    return len(sure) < len(fits) and alike < (OWN if len(sure) <= len(fits) * ENROLLED else FITS)


def _of_deck(
    picture: Picture, reader: HanafudaReader, survey: CardSurvey, fits: Sequence[Fit]
) -> list[SeenHanafuda]:
    """Name the cards of the enrolled deck: those in the outlines, and those beside and below them."""
    laid = _laid(picture, reader, survey, fits)
    if laid is None:
        return [_seen(fit) for fit in fits]
    return _with_covered(picture, reader, survey, laid)


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    to_px: Floats  # shape (3, 3), homography from the plane's millimetres to pixels
    fits: list[Fit]
    stray: list[Corners]  # places on the plane of those without a card's size
    pieces: list[Corners]  # hulls of everything that is neither a card nor a marker
    markers: list[Corners]


def _laid(
    picture: Picture, reader: HanafudaReader, survey: CardSurvey, fits: Sequence[Fit], most: int | None = None
) -> _Laid | None:
    """Lay cards onto the plane that they define, and name those that lie beside them.

    `most`: largest number of pieces without a card's size; with more a closer look is needed.

    Returns: None if no plane is found, or there are more pieces.
    """
    size_mm = reader.gallery.size_mm
    to_px = plane_through(sure_outlines(fits), size_mm)
    if to_px is None:
        return None
    kept, stray = on_plane(picture, reader, to_px, fits)
    pieces = survey.pieces_beside(sure_outlines(kept))
    if most is not None and sized(to_px, pieces, size_mm).count(False) > most:
        return None
    markers = seen_markers(picture, to_px, pieces)
    if markers:
        pieces = survey.pieces_beside(sure_outlines(kept), markers)
    more = fitted_pieces(picture, reader, to_px, pieces)
    if more:
        kept = best_of_places([*kept, *more], ROOM)
        pieces = survey.pieces_beside(sure_outlines(kept), markers)
    return _Laid(to_px, kept, stray, pieces, markers)


def _with_covered(
    picture: Picture, reader: HanafudaReader, survey: CardSurvey, laid: _Laid
) -> list[SeenHanafuda]:
    """Name the cards that lie on a plane, and those that they cover."""
    covered = []
    plane = None
    size_mm = reader.gallery.size_mm
    if laid.pieces:
        rest = rest_of_photo(picture, survey.table, [*sure_outlines(laid.fits), *laid.markers])
        places = np.concatenate([*laid.pieces, *laid.stray, rest])
        plane = seen_table(laid.to_px, picture, places, size_mm)
    if plane is not None:
        hints = [*laid.stray, *laid_pieces(laid.to_px, laid.pieces, size_mm)]
        covered = _covered(picture, reader, plane, survey.table, laid.fits, hints=hints, markers=laid.markers)
    # an uncertain whole card may have been pieces of several cards
    same = overlaps([fit.outline for fit in laid.fits], [card.corners_px for card in covered])
    seen = [_seen(fit) for number, fit in enumerate(laid.fits) if is_sure(fit) or not same[number].any()]
    return [*seen, *covered]


def _seen(fit: Fit) -> SeenHanafuda:
    reading = fit.reading
    return SeenHanafuda(reading.card_id, reading.confidence, fit.outline, reading.is_plain)


def _covered(
    picture: Picture,
    reader: HanafudaReader,
    plane: TablePlane,
    table: Picture,
    whole: Sequence[Fit],
    *,
    hints: Sequence[Corners],
    markers: Sequence[Corners],
) -> list[SeenHanafuda]:
    """Find the cards that others cover partly; they are reported only if their print names them."""
    gallery = reader.gallery
    lying = [(fit.outline, gallery.ids.index(fit.reading.best_id)) for fit in whole if is_sure(fit)]
    found = []
    for card, corners_px in covered_cards(
        picture, gallery, plane, table, lying, hints=hints, markers=markers
    ):
        name, confidence = named(gallery, card.likeness, card.best, card.visible)
        if name is not None:
            found.append(SeenHanafuda(gallery.ids[name], confidence, corners_px))
    return found
