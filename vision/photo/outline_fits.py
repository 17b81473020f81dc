"""Outlines that are read as cards of a deck: how well each fits, and which one of a place fits best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.frames.frame import Gray
from vision.hanafuda.crops import rectify
from vision.hanafuda.finder import MIN_SIDE_PX
from vision.hanafuda.fitting.card_plane import AGREES, laid_cards, laid_pieces, off_plane
from vision.hanafuda.identity import FITS, HanafudaReader, HanafudaReading
from vision.imaging.quadrilaterals import Corners, short_side_first

SAME_OUTLINE: Final = 0.03
"""Distance of corners, in card widths, within which two outlines are one: a pixel or two."""


def distinct(outlines: Sequence[Corners], within: float = SAME_OUTLINE) -> list[Corners]:
    """Return the outlines, shape (4, 2) each, without those that repeat an earlier one.

    `outlines`: px. `within`: distance of corners, in card widths, within which two are one.
    """
    if not outlines:
        return []
    quads = np.stack(outlines)
    away_px = np.abs(quads[:, None] - quads[None]).max(axis=(2, 3))
    within_px = within * np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    same = away_px < within_px[:, None]
    kept: list[int] = []
    for number in range(len(outlines)):
        if not same[number, kept].any():
            kept.append(number)
    return [outlines[number] for number in kept]


def in_view(outlines: Sequence[Corners], shape: tuple[int, ...]) -> list[Corners]:
    """Return the outlines that a card can have in a picture: convex, clockwise, with their centre in it.

    A plane that was fitted to something else may place outlines beyond its horizon.

    `outlines`: shape (4, 2) each, px.
    """
    if not outlines:
        return []
    quads = np.stack(outlines)
    ahead = np.roll(quads, -1, axis=1) - quads
    then = np.roll(ahead, -1, axis=1)
    with np.errstate(invalid="ignore", over="ignore"):
        convex = (ahead[..., 0] * then[..., 1] - ahead[..., 1] * then[..., 0] > 0).all(axis=1)
        middle = quads.mean(axis=1)
        inside = ((middle >= 0) & (middle < shape[1::-1])).all(axis=1)
    sound = convex & inside & np.isfinite(quads).all(axis=(1, 2))
    return [outline for outline, good in zip(outlines, sound, strict=True) if good]


def one_for_each_place(outlines: Sequence[Corners], reach: float = 1.0) -> list[int]:
    """Return the indices of the outlines to keep: the first one of each place.

    `outlines`: shape (4, 2) each, px, clockwise.
    """
    same = overlaps(outlines, outlines, reach)
    kept: list[int] = []
    for number in range(len(outlines)):
        if not same[number, kept].any():
            kept.append(number)
    return kept


def overlaps(some: Sequence[Corners], others: Sequence[Corners], reach: float = 1.0) -> NDArray[np.bool_]:
    """Tell which outlines are at one place: the centre of either lies inside the other; shape (N, M).

    `some`, `others`: shape (4, 2) each, px, clockwise; N and M of them.
    """
    one = np.array(some, np.float64).reshape(-1, 4, 2)
    two = np.array(others, np.float64).reshape(-1, 4, 2)
    first, second = one.mean(axis=1), two.mean(axis=1)
    wide_one = first[:, None] + reach * (one - first[:, None])
    wide_two = second[:, None] + reach * (two - second[:, None])
    return _holds(wide_one, second) | _holds(wide_two, first).T


def all_touch(pieces: Sequence[NDArray[np.float64]], cards: Sequence[Corners]) -> bool:
    """Tell whether all pieces touch cards, as parts of covered cards do.

    `pieces`: hulls, shape (P, 2) each, px. `cards`: outlines, shape (4, 2) each, px.
    """
    touching_times = 1.3  # factor by which a card's outline is enlarged to find what touches it
    wide = [(middle := card.mean(axis=0)) + touching_times * (card - middle) for card in cards]
    hulls = [piece.astype(np.float32) for piece in pieces]
    return all(
        any(cv2.intersectConvexConvex(hull, card.astype(np.float32))[0] > 0 for card in wide)
        for hull in hulls
    )


def _holds(quads: Corners, points: Corners) -> NDArray[np.bool_]:
    """Tell which clockwise outlines (N, 4, 2) contain which points (M, 2); shape (N, M)."""
    side = (np.roll(quads, -1, axis=1) - quads)[:, None]
    away = points[None, :, None] - quads[:, None]
    return np.asarray((side[..., 0] * away[..., 1] - side[..., 1] * away[..., 0] >= 0).all(axis=2))


def find_outlines(gray: Gray) -> Floats:
    """Find outlines that may be cards.

    `gray`: shape (height, width), uint8.

    Returns: shape (N, 4, 2), clockwise, in pixels of the photo, those seen at most levels first. A card with
    a border gives two outlines: paper and whole card.
    """
    quads: list[Floats] = []
    long_side = max(gray.shape)
    # Sizes at which the photo is examined; a smaller photo is not enlarged.
    long_sides_px = (1600, 640)
    for side in long_sides_px:
        scale = min(1.0, side / long_side)
        if side != long_sides_px[0] and scale == 1.0:
            continue
        small = (
            gray if scale == 1.0 else cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        )
        quads += [(quad + 0.5) / scale - 0.5 for quad in _quads(np.asarray(small, np.uint8))]
    return _distinct(np.array(quads).reshape(-1, 4, 2))


def _quads(gray: Gray) -> Iterator[Floats]:
    smooth = np.asarray(cv2.GaussianBlur(gray, (0, 0), 1.0), np.uint8)
    max_share = 0.95
    for cut in _cuts(smooth):
        contours, _ = cv2.findContours(cut, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            if len(contour) < 4:
                continue
            _, _, width, height = cv2.boundingRect(contour)
            if min(width, height) < MIN_SIDE_PX or max(width, height) > max_share * max(gray.shape):
                continue
            quad = _four_sided(np.asarray(contour, np.int32))
            if quad is not None:
                yield quad


def _cuts(smooth: Gray) -> Iterator[Gray]:
    """Threshold the picture at many levels, and against its surroundings of several sizes."""
    low, high = np.percentile(smooth, [2, 99.5])
    levels = 14
    for level in np.linspace(low, high, levels + 2)[1:-1]:
        yield np.where(smooth > level, np.uint8(255), np.uint8(0))
    # Sizes of the surroundings with which a pixel is compared, as shares of the photo's long side.
    block_shares = (0.03, 0.1, 0.25)
    offsets = (4, -8)  # gray levels by which a pixel of paper may be darker than its surroundings
    for share in block_shares:
        block = int(share * max(smooth.shape)) | 1
        mean = cv2.blur(smooth, (block, block)).astype(np.int16)
        for offset in offsets:
            around = np.clip(mean - offset, 0, 255).astype(np.uint8)
            yield np.asarray(cv2.compare(smooth, around, cv2.CMP_GT), np.uint8)


def _four_sided(contour: NDArray[np.int32]) -> Floats | None:
    """Reduce an outline to four corners, clockwise; None if it has another shape."""
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    min_fill = 0.90  # least share of its four-sided outline that a patch fills
    if area < MIN_SIDE_PX**2 or cv2.contourArea(contour) < min_fill * area:
        return None
    reach = cv2.arcLength(hull, closed=True)
    for share in (0.015, 0.025, 0.04, 0.06):
        simple = cv2.approxPolyDP(hull, share * reach, closed=True)
        if len(simple) == 4:
            break
    else:
        return None
    quad = simple[:, 0].astype(np.float64)
    if area < min_fill * cv2.contourArea(simple) or cv2.contourArea(simple) < min_fill * area:
        return None
    sides = np.roll(quad, -1, axis=0) - quad
    if sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0] < 0:
        quad = quad[::-1]
        sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.linalg.norm(sides, axis=1)
    opposite = lengths[:2] / lengths[2:]
    mean = lengths[:2] + lengths[2:]
    min_ratio = 0.3  # least ratio of a card's sides in a slanted view
    if min(mean) < min_ratio * max(mean) or max(opposite.max(), (1 / opposite).max()) > 1.6:
        return None
    return quad


def _distinct(quads: Floats) -> Floats:
    """Return one outline per shape and place, the median of those seen; the most frequent first."""
    if not len(quads):
        return quads
    # Corners are clockwise; start with the uppermost one.
    first = quads.sum(axis=2).argmin(axis=1)
    quads = quads[np.arange(len(quads))[:, None], (first[:, None] + np.arange(4)) % 4]
    sizes = np.sqrt([cv2.contourArea(quad.astype(np.float32)) for quad in quads])
    left = np.ones(len(quads), bool)
    groups = []
    same_place = 0.12  # outlines with corners closer than this share of their size are one
    for index in np.argsort(-sizes):
        if not left[index]:
            continue
        apart = np.linalg.norm(quads - quads[index], axis=2).max(axis=1)
        same = left & (apart < same_place * sizes[index])
        left &= ~same
        groups.append((int(same.sum()), np.median(quads[same], axis=0)))
    groups.sort(key=lambda group: -group[0])
    return np.array([quad for _, quad in groups])


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
    quads = find_outlines(gray)
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
