"""Finds places where a whole card may lie on a table: outlines of a card's shape, by colour and by edges.

It proposes more than there is; which proposals are cards of the deck is for `vision.photo.hanafuda_photo` to
say. Cards that touch or overlap share an outline and are mostly not found.
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
"""How far from the table's colour a card begins, tried one after the other (units of CIE Lab, 8 bit)."""
EDGE_STEPS: Final = (40, 100)
FAINT_STEPS: Final = (8, 20)
"""How steep an edge is where it goes on and where it begins, four times the gray values per pixel: an edge of
20 gray values, seen sharply; and one of 5, as a white card has on white paper."""
MIN_LEFT: Final = 0.15
"""Area, in cards, from which a piece of something is looked at that is none of the cards found."""
WITH_SHADOW: Final = 1.12
"""A card with its shadow and its blurred edge is larger by this."""


def find_outlines(picture: Picture) -> list[Corners]:
    """Return every outline that may be a whole card, the same card more than once where outlines agree."""
    survey = CardSurvey(picture)
    return [*survey.by_colour(), *survey.by_edges()]


class CardSurvey:
    """Looks at one photo for what may be cards.

    Parameters
    ----------
    picture : shape (height, width, 3), uint8, blue, green, red.
    coarseness : how much smaller than `WORK_WIDTH_PX` the picture is made, from 1.
    """

    def __init__(self, picture: Picture, coarseness: float = 1.0) -> None:
        # Pictures are brought near this width: a card on a table seen whole is then some 38 px wide.
        work_width_px = 1280
        self._fine_scale = min(1.0, work_width_px / max(picture.shape[:2]))
        self._fine = _smaller(picture, self._fine_scale)
        self._work, self._scale = _smaller(self._fine, 1 / coarseness), self._fine_scale / coarseness
        self._coarseness = coarseness
        self._start: NDArray[np.float64] = np.zeros(2)
        # the mean of several pixels need not be blurred
        lab = _soft_lab(self._work) if coarseness == 1 else cv2.cvtColor(self._work, cv2.COLOR_BGR2LAB)
        self._table = _of_table(np.asarray(lab, np.uint8), coarseness)
        self._known_distance: Gray | None = _away_from(np.asarray(lab, np.uint8), self._table)

    @property
    def table(self) -> Picture:
        """The photo made small, as its table would look if nothing lay on it."""
        return np.asarray(cv2.cvtColor(self._table, cv2.COLOR_LAB2BGR), np.uint8)

    @property
    def _distance(self) -> Gray:
        """How far every pixel's colour is from the table's; of a part when it is first asked for."""
        if self._known_distance is None:
            around = _part_of_table(self._table, self._fine.shape, self._start, self._work.shape)
            self._known_distance = _away_from(_soft_lab(self._work), around)
        return self._known_distance

    def whole(self) -> CardSurvey:
        """Return a survey of the whole photo that is not coarse."""
        height, width = self._fine.shape[:2]
        return self if self._coarseness == 1 else self._part(0, 0, width, height)

    def parts_beside(self, cards: Sequence[Corners], others: Sequence[Corners] = ()) -> list[CardSurvey]:
        """Return surveys of those parts of the photo where anything seems to lie besides some cards.

        They are not coarse and show all of a card of which a piece is seen; outlines found there, by colour
        and by edges, are in the whole photo's pixels.

        Parameters
        ----------
        cards : their outlines, px, one at least.
        others : the outlines of what is known to be no card.
        """
        pieces_coarseness = 2  # Where else anything lies is told by a picture so much smaller.
        less = self._coarseness / max(self._coarseness, pieces_coarseness)
        small = cv2.resize(self._distance, None, fx=less, fy=less, interpolation=cv2.INTER_AREA)
        _, mask = cv2.threshold(small, COLOUR_STEPS[0], 255, cv2.THRESH_BINARY)
        pieces = _pieces(np.asarray(mask, np.uint8), self._scale * less, cards, others)
        reach_px = float(np.ptp(np.stack(cards), axis=1).max())
        height, width = self._fine.shape[:2]
        part_px = 16  # Parts of a photo begin and end at multiples of this.
        # on a small map, in which parts that overlap run into one another
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
        """Return outlines of what differs in colour from the table, the same card more than once.

        Parameters
        ----------
        steps : how far from the table's colour a card begins; below the first of `COLOUR_STEPS` also without
            the lines that hang on it.
        known : outlines of cards, px, of which no more need be found.
        """
        masks = [self._unlike_table(step) for step in steps]
        if COLOUR_STEPS[0] in steps:
            masks.append(_without_lines(masks[steps.index(COLOUR_STEPS[0])], self._coarseness))
        return self._quads(masks, 1.0, known, MIN_SIDE_PX / self._coarseness)

    def by_edges(
        self, coarseness: float = 1.0, known: Sequence[Corners] = (), steps: tuple[int, int] = EDGE_STEPS
    ) -> list[Corners]:
        """Return outlines along which the colour changes, the same card more than once.

        Parameters
        ----------
        coarseness : how much smaller the picture is made first, from 1.
        known : as `by_colour` takes them.
        steps : how steep an edge is where it goes on, and where it begins.
        """
        work = _smaller(self._work, 1 / coarseness)
        return self._quads([_between_edges(work, steps)], coarseness, known, MIN_SIDE_PX)

    def pieces_beside(self, cards: Sequence[Corners], others: Sequence[Corners] = ()) -> list[Corners]:
        """Return the hulls of what else lies on the table, a good piece of a card each at least; (P, 2), px.

        Parameters
        ----------
        cards : the outlines of those that are known; without any, nothing tells how large a card is.
        others : the outlines of what is known to be no card.
        """
        return _pieces(self._unlike_table(COLOUR_STEPS[1]), self._scale, cards, others) if cards else []

    def _unlike_table(self, step: int) -> Gray:
        """Mask what differs in colour from the table around it, without single pixels of its grain."""
        _, mask = cv2.threshold(self._distance, step, 255, cv2.THRESH_BINARY)
        if self._coarseness > 1:  # the mean of several pixels has little grain, and thin borders would go
            return np.asarray(mask, np.uint8)
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)

    def _quads(
        self, masks: Sequence[Gray], coarseness: float, known: Sequence[Corners], min_side_px: float
    ) -> list[Corners]:
        """Return the outlines of what is four-sided in any of the masks, in the photo's own pixels."""
        scale, start = self._scale / coarseness, self._start / coarseness
        cards = (np.array(known, np.float64).reshape(-1, 4, 2) + 0.5) * scale - 0.5 - start
        middle = cards.mean(axis=1, keepdims=True)
        inner_share = 0.85  # Share of a known card's size that is surely within its outline.
        insides = np.rint(middle + (cards - middle) * inner_share).astype(np.int32)
        for mask in masks:  # the prints of known cards need not be looked at
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
    # a joint of the boards that runs on below a card is thinner than any piece of a card
    filled = cv2.drawContours(np.zeros_like(mask), large, -1, 255, cv2.FILLED)
    thin_share = 0.12  # What is thinner than this share of a card's size is no piece of one.
    thin = round(thin_share * np.sqrt(least_px)) | 1
    opened = cv2.morphologyEx(filled, cv2.MORPH_OPEN, np.ones((thin, thin), np.uint8))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hulls = [cv2.convexHull(each) for each in contours if cv2.contourArea(each) > MIN_LEFT * least_px]
    return [(np.asarray(hull, np.float64).reshape(-1, 2) + 0.5) / scale - 0.5 for hull in hulls]


def _of_others(hulls: list[Corners], cards: Corners) -> list[Corners]:
    """Return the hulls that are not about as large as the card in whose middle they have theirs."""
    if not len(cards) or not hulls:
        return hulls
    low, high = _boxes(hulls)
    middle, reach = (low + high) / 2, np.ptp(cards, axis=1)
    # In shares of its size, how far from a card's middle an outline of the same card may have its own.
    same_card = 0.15
    away = np.abs(middle[:, None] - cards.mean(axis=1)) < same_card * reach
    larger = (high - low)[:, None] > (1 + 2 * same_card) * reach
    same = (away.all(axis=2) & ~larger.any(axis=2)).any(axis=1)
    return [hull for hull, known in zip(hulls, same, strict=True) if not known]


def _soft_lab(picture: Picture) -> Picture:
    """Return a picture's colours in CIE Lab, blurred by a pixel."""
    lab = np.empty_like(picture)
    for rows in strips(len(picture)):
        above = min(rows.start, 1)
        soft = cv2.GaussianBlur(picture[rows.start - above : rows.stop + 1], (3, 3), 0)
        cv2.cvtColor(soft[above : above + rows.stop - rows.start], cv2.COLOR_BGR2LAB, dst=lab[rows])
    return lab


def _of_table(lab: Picture, coarseness: float) -> Picture:
    """Return the table's colours with its shadows, made small: the median over far more than a card."""
    table_coarseness = 8  # The table's colours are taken from a picture so much smaller.
    return np.asarray(cv2.medianBlur(_smaller(lab, coarseness / table_coarseness), 31), np.uint8)


def _part_of_table(
    table: Picture, whole: tuple[int, ...], start: NDArray[np.float64], part: tuple[int, ...]
) -> Picture:
    """Return the table's colours in a part of a picture, from its upper left corner on.

    Parameters
    ----------
    table : as `_of_table` returns it, of a picture of shape `whole`.
    part : shape of the part.
    """
    scale = np.array(table.shape[1::-1]) / whole[1::-1]
    to_table = np.column_stack([np.diag(scale), (start + 0.5) * scale - 0.5])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    around = cv2.warpAffine(table, to_table, part[1::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(around, np.uint8)


def _smaller(picture: Picture, scale: float) -> Picture:
    """Return a picture made smaller; the same where there is nothing to do."""
    if scale >= 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _away_from(lab: Picture, table: Picture) -> Gray:
    wide = cv2.resize(table, (lab.shape[1], lab.shape[0]))
    return largest_channel(np.asarray(cv2.absdiff(lab, wide, dst=wide), np.uint8))


def _between_edges(picture: Picture, steps: tuple[int, int]) -> Gray:
    """Mask lines along which a colour changes: a card's border closes into a ring."""
    edges = np.zeros(picture.shape[:2], np.uint8)
    for channel in cv2.split(cv2.GaussianBlur(picture, (3, 3), 0)):
        edges |= np.asarray(cv2.Canny(channel, *steps), np.uint8)
    return np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)


def _without_lines(mask: Gray, coarseness: float) -> Gray:
    """Fill what is seen of each thing and take away the lines that hang on it."""
    # What is thinner than this and hangs on a card is a joint of the boards that runs on below it.
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
    """Return the hulls of what is about as large and as slender as a card and lies wholly in the picture."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return []
    height, width = mask.shape
    low, high = _boxes(contours)
    # cut by the picture's edge it is not a whole card
    inside = (low > 1).all(axis=1) & (high < (width - 2, height - 2)).all(axis=1)
    large = (high - low + 1).max(axis=1) >= min_side_px
    hulls = []
    min_aspect = 0.4
    max_aspect = 0.92  # Limits of short to long side: 0.61 from straight above, more or less at a slant.
    # Share of the smallest turned box around it that an outline fills; the rest is for perspective.
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
    """Return the least and the largest coordinates of each outline, at once: grain has hundreds; (N, 2)."""
    points = np.concatenate(outlines).reshape(-1, 2)
    first = np.cumsum([0, *(len(outline) for outline in outlines[:-1])])
    return np.minimum.reduceat(points, first), np.maximum.reduceat(points, first)


def _different(hulls: Sequence[Corners]) -> list[Corners]:
    """Return the hulls without those that are as good as another one: masks mostly agree."""
    if not hulls:
        return []
    same_box_px = 2
    boxes = np.concatenate(_boxes(hulls), axis=1) // same_box_px
    _, first = np.unique(boxes, axis=0, return_index=True)
    return [hulls[int(number)] for number in np.sort(first)]
