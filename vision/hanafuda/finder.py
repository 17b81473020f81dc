"""Find places where a whole card may lie on a table: outlines with a card's shape, by colour and by edges.

More is proposed than there is; `vision.photo.hanafuda_photo` decides which proposals are cards of the deck.
Cards that touch or overlap share an outline and are mostly not found.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.frames.frame import Gray
from vision.hanafuda.bare_table import largest_channel, strips
from vision.imaging.quadrilaterals import fit_quads

Corners = NDArray[np.float64]
"""Shape (4, 2), px, clockwise, the first side a short one; pixel centres have integer coordinates."""

MIN_SIDE_PX: Final = 16
COLOUR_STEPS: Final = (14, 24, 40)
"""Differences from the table's colour at which a card begins, to try in turn (units of CIE Lab, 8 bit)."""
EDGE_STEPS: Final = (40, 100)
FAINT_STEPS: Final = (8, 20)
"""Gradients, four times the gray levels per pixel, above which an edge goes on and begins: a sharp edge of 20
gray levels; and one of 5, as a white card has on white paper."""
MIN_LEFT: Final = 0.15  # area, in cards, from which a piece of something beside the known cards is examined
WITH_SHADOW: Final = 1.12  # factor by which a card with its shadow and blurred edge is larger


def find_outlines(picture: Picture) -> list[Corners]:
    """Return every outline that may be a whole card; a card may be returned more than once."""
    survey = CardSurvey(picture)
    return [*survey.by_colour(), *survey.by_edges()]


class CardSurvey:
    """Searches one photo for possible cards.

    `picture`: shape (height, width, 3), uint8, blue, green, red. `coarseness`: factor by which the picture is
    reduced below the usual working width, at least 1.
    """

    def __init__(self, picture: Picture, coarseness: float = 1.0) -> None:
        # Pictures are scaled to about this width; a card on a table that fills the picture is then some 38 px
        # wide.
        work_width_px = 1280
        self._fine_scale = min(1.0, work_width_px / max(picture.shape[:2]))
        self._fine = _smaller(picture, self._fine_scale)
        self._work, self._scale = _smaller(self._fine, 1 / coarseness), self._fine_scale / coarseness
        self._coarseness = coarseness
        self._start: NDArray[np.float64] = np.zeros(2)
        # a mean of several pixels needs no blur
        lab = _soft_lab(self._work) if coarseness == 1 else cv2.cvtColor(self._work, cv2.COLOR_BGR2LAB)
        self._table = _of_table(np.asarray(lab, np.uint8), coarseness)
        self._known_distance: Gray | None = _away_from(np.asarray(lab, np.uint8), self._table)

    @property
    def table(self) -> Picture:
        """The photo made small, as its table would look without anything on it."""
        return np.asarray(cv2.cvtColor(self._table, cv2.COLOR_LAB2BGR), np.uint8)

    @property
    def _distance(self) -> Gray:
        if self._known_distance is None:
            around = _part_of_table(self._table, self._fine.shape, self._start, self._work.shape)
            self._known_distance = _away_from(_soft_lab(self._work), around)
        return self._known_distance

    def whole(self) -> CardSurvey:
        """Return a survey of the whole photo at full detail."""
        height, width = self._fine.shape[:2]
        return self if self._coarseness == 1 else self._part(0, 0, width, height)

    def parts_beside(self, cards: Sequence[Corners]) -> list[CardSurvey]:
        """Return surveys of the parts of the photo where something seems to lie besides the known cards.

        They have full detail and contain all of a card of which a piece is seen. Their outlines, by colour
        and by edges, are in pixels of the whole photo.

        `cards`: the known cards' outlines, px, at least one.
        """
        pieces_coarseness = 2  # other things are searched for in a picture this much smaller
        less = self._coarseness / max(self._coarseness, pieces_coarseness)
        small = cv2.resize(self._distance, None, fx=less, fy=less, interpolation=cv2.INTER_AREA)
        _, mask = cv2.threshold(small, COLOUR_STEPS[0], 255, cv2.THRESH_BINARY)
        pieces = _pieces(np.asarray(mask, np.uint8), self._scale * less, cards)
        reach_px = float(np.ptp(np.stack(cards), axis=1).max())
        height, width = self._fine.shape[:2]
        part_px = 16  # parts of a photo begin and end at multiples of this
        # a small map, in which parts that overlap merge
        few = np.zeros((-(-height // part_px), -(-width // part_px)), np.uint8)
        for piece in pieces:
            ends = np.stack([piece.min(axis=0) - reach_px, piece.max(axis=0) + reach_px])
            low, high = (ends * self._fine_scale / part_px).astype(int).tolist()
            cv2.rectangle(few, low, high, 255, cv2.FILLED)
        found, _ = cv2.findContours(few, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        return [self._part(*(part_px * side for side in cv2.boundingRect(each))) for each in found]

    def _part(self, x: int, y: int, width: int, height: int) -> CardSurvey:
        part = copy(self)
        part._scale, part._coarseness = self._fine_scale, 1.0
        part._start = np.array([x, y], np.float64)
        part._work = self._fine[y : y + height, x : x + width]
        part._known_distance = None
        return part

    def by_colour(self, steps: Sequence[int] = COLOUR_STEPS, known: Sequence[Corners] = ()) -> list[Corners]:
        """Return outlines of what differs in colour from the table; a card may be returned more than once.

        `steps`: differences from the table's colour at which a card begins; for the first of `COLOUR_STEPS`
        also without the lines attached to it. `known`: outlines of cards, px, that need not be found again.
        """
        masks = [self._unlike_table(step) for step in steps]
        if COLOUR_STEPS[0] in steps:
            masks.append(_without_lines(masks[steps.index(COLOUR_STEPS[0])], self._coarseness))
        return self._quads(masks, 1.0, known, MIN_SIDE_PX / self._coarseness)

    def by_edges(
        self, coarseness: float = 1.0, known: Sequence[Corners] = (), steps: tuple[int, int] = EDGE_STEPS
    ) -> list[Corners]:
        """Return outlines along which the colour changes; a card may be returned more than once.

        `coarseness`: how much smaller the picture is made first, at least 1. `known`: as for `by_colour`.
        `steps`: gradients above which an edge goes on, and begins.
        """
        work = _smaller(self._work, 1 / coarseness)
        return self._quads([_between_edges(work, steps)], coarseness, known, MIN_SIDE_PX)

    def pieces_beside(self, cards: Sequence[Corners], others: Sequence[Corners] = ()) -> list[Corners]:
        """Return the hulls (P, 2), px, of other things on the table, each at least a good piece of a card.

        `cards`: the outlines of known cards; without any the size of a card is unknown. `others`: outlines of
        things that are known not to be cards.
        """
        return _pieces(self._unlike_table(COLOUR_STEPS[1]), self._scale, cards, others) if cards else []

    def _unlike_table(self, step: int) -> Gray:
        _, mask = cv2.threshold(self._distance, step, 255, cv2.THRESH_BINARY)
        if self._coarseness > 1:  # a mean of pixels has little grain, and opening would remove thin borders
            return np.asarray(mask, np.uint8)
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)

    def _quads(
        self, masks: Sequence[Gray], coarseness: float, known: Sequence[Corners], min_side_px: float
    ) -> list[Corners]:
        """Return the four-sided outlines in any of the masks, in pixels of the photo."""
        scale, start = self._scale / coarseness, self._start / coarseness
        cards = (np.array(known, np.float64).reshape(-1, 4, 2) + 0.5) * scale - 0.5 - start
        middle = cards.mean(axis=1, keepdims=True)
        inner_share = 0.85  # of a known card's size, certainly inside its outline
        insides = np.rint(middle + (cards - middle) * inner_share).astype(np.int32)
        for mask in masks:  # the prints of known cards need no further look
            for inside in insides:
                cv2.fillConvexPoly(mask, inside, 255)
        hulls = _of_others(_different([hull for mask in masks for hull in _hulls(mask, min_side_px)]), cards)
        return [(quad + start + 0.5) / scale - 0.5 for quad in fit_quads(hulls, min_side_px)]


def _pieces(
    mask: Gray, scale: float, cards: Sequence[Corners], others: Sequence[Corners] = ()
) -> list[Corners]:
    """Return the hulls of what a mask of the photo shows beside cards; see `CardSurvey.pieces_beside`."""
    known = (np.stack([*cards, *others]) + 0.5) * scale - 0.5
    least_px = float(min(abs(cv2.contourArea(quad.astype(np.float32))) for quad in known[: len(cards)]))
    middle = known.mean(axis=1, keepdims=True)
    for quad in middle + (known - middle) * WITH_SHADOW:
        cv2.fillConvexPoly(mask, np.rint(quad).astype(np.int32), 0)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    large = [contour for contour in contours if cv2.contourArea(contour) > MIN_LEFT * least_px]
    if not large:
        return []
    # a joint between boards that runs on below a card is thinner than any piece of a card
    filled = cv2.drawContours(np.zeros_like(mask), large, -1, 255, cv2.FILLED)
    thin_share = 0.12  # of a card's size: anything thinner is no piece of a card
    thin = round(thin_share * np.sqrt(least_px)) | 1
    opened = cv2.morphologyEx(filled, cv2.MORPH_OPEN, np.ones((thin, thin), np.uint8))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hulls = [cv2.convexHull(each) for each in contours if cv2.contourArea(each) > MIN_LEFT * least_px]
    return [(np.asarray(hull, np.float64).reshape(-1, 2) + 0.5) / scale - 0.5 for hull in hulls]


def _of_others(hulls: list[Corners], cards: Corners) -> list[Corners]:
    """Return the hulls without those that share centre and size with a card."""
    if not len(cards) or not hulls:
        return hulls
    low, high = _boxes(hulls)
    middle, reach = (low + high) / 2, np.ptp(cards, axis=1)
    # Largest offset between the centres of two outlines of one card, as a share of its size.
    same_card = 0.15
    away = np.abs(middle[:, None] - cards.mean(axis=1)) < same_card * reach
    larger = (high - low)[:, None] > (1 + 2 * same_card) * reach
    same = (away.all(axis=2) & ~larger.any(axis=2)).any(axis=1)
    return [hull for hull, known in zip(hulls, same, strict=True) if not known]


def _soft_lab(picture: Picture) -> Picture:
    lab = np.empty_like(picture)
    for rows in strips(len(picture)):
        above = min(rows.start, 1)
        soft = cv2.GaussianBlur(picture[rows.start - above : rows.stop + 1], (3, 3), 0)
        cv2.cvtColor(soft[above : above + rows.stop - rows.start], cv2.COLOR_BGR2LAB, dst=lab[rows])
    return lab


def _of_table(lab: Picture, coarseness: float) -> Picture:
    """Return a small picture of the table's colours and shadows: the median over far more than a card."""
    table_coarseness = 8  # the table's colours are taken from a picture this much smaller
    return np.asarray(cv2.medianBlur(_smaller(lab, coarseness / table_coarseness), 31), np.uint8)


def _part_of_table(
    table: Picture, whole: tuple[int, ...], start: NDArray[np.float64], part: tuple[int, ...]
) -> Picture:
    """Return the table's colours in a part of a picture, given the part's upper left corner `start`.

    `table`: the result of `_of_table` for a picture of shape `whole`. `part`: shape of the part.
    """
    scale = np.array(table.shape[1::-1]) / whole[1::-1]
    to_table = np.column_stack([np.diag(scale), (start + 0.5) * scale - 0.5])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    around = cv2.warpAffine(table, to_table, part[1::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(around, np.uint8)


def _smaller(picture: Picture, scale: float) -> Picture:
    if scale >= 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _away_from(lab: Picture, table: Picture) -> Gray:
    wide = cv2.resize(table, (lab.shape[1], lab.shape[0]))
    return largest_channel(np.asarray(cv2.absdiff(lab, wide, dst=wide), np.uint8))


def _between_edges(picture: Picture, steps: tuple[int, int]) -> Gray:
    """Mask lines along which a colour changes; a card's border closes into a ring."""
    edges = np.zeros(picture.shape[:2], np.uint8)
    for channel in cv2.split(cv2.GaussianBlur(picture, (3, 3), 0)):
        edges |= np.asarray(cv2.Canny(channel, *steps), np.uint8)
    return np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)


def _without_lines(mask: Gray, coarseness: float) -> Gray:
    """Fill the outline of each thing and remove thin lines attached to it."""
    # Anything thinner that is attached to a card is a joint between boards that runs on below it.
    thinnest_px = 7
    line_px = round(thinnest_px / coarseness) | 1
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    large = [
        contour for contour in contours if min(cv2.boundingRect(contour)[2:]) >= MIN_SIDE_PX / coarseness
    ]
    filled = cv2.drawContours(np.zeros_like(mask), large, -1, 255, cv2.FILLED)
    return np.asarray(
        cv2.morphologyEx(filled, cv2.MORPH_OPEN, np.ones((line_px, line_px), np.uint8)), np.uint8
    )


def _hulls(mask: Gray, min_side_px: float) -> list[Corners]:
    """Return the hulls of shapes about as large and slender as a card that lie completely in the picture."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return []
    height, width = mask.shape
    low, high = _boxes(contours)
    # a card cut by the picture's edge is not whole
    inside = (low > 1).all(axis=1) & (high < (width - 2, height - 2)).all(axis=1)
    large = (high - low + 1).max(axis=1) >= min_side_px
    hulls = []
    min_aspect = 0.4
    max_aspect = 0.92  # limits of short to long side: 0.61 from straight above, more or less from the side
    # Share of its smallest rotated box that an outline must fill; the rest allows for perspective.
    min_box_fill = 0.7
    for number in map(int, np.flatnonzero(inside & large)):
        hull = cv2.convexHull(contours[number])
        short, long = sorted(cv2.minAreaRect(hull)[1])
        if short < min_side_px or not min_aspect < short / long < max_aspect:
            continue
        if cv2.contourArea(hull) > min_box_fill * short * long:
            hulls.append(np.asarray(hull, np.float64).reshape(-1, 2))
    return hulls


def _boxes(outlines: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the least and largest coordinates of all outlines at once, since grain has hundreds; (N, 2)."""
    points = np.concatenate(outlines).reshape(-1, 2)
    first = np.cumsum([0, *(len(outline) for outline in outlines[:-1])])
    return np.minimum.reduceat(points, first), np.maximum.reduceat(points, first)


def _different(hulls: Sequence[Corners]) -> list[Corners]:
    """Return the hulls without near duplicates, since the masks mostly agree."""
    if not hulls:
        return []
    same_box_px = 2
    boxes = np.concatenate(_boxes(hulls), axis=1) // same_box_px
    _, first = np.unique(boxes, axis=0, return_index=True)
    return [hulls[int(number)] for number in np.sort(first)]
