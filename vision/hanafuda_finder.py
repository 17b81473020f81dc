"""Finds places where a whole card may lie on a table: outlines of a card's shape, by colour and by edges.

It proposes more than there is; which proposals are cards of the deck is for `vision.hanafuda_photo` to say.
Cards that touch or overlap share an outline and are mostly not found.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck import Picture
from vision.bare_table import largest_channel, strips
from vision.frames import Gray

Corners = NDArray[np.float64]
"""Shape (4, 2), px, clockwise, the first side a short one; pixel centres have integer coordinates."""

WORK_WIDTH_PX: Final = 1280
"""Pictures are brought near this width: a card on a table seen whole is then some 38 px wide."""
MIN_SIDE_PX: Final = 16
MIN_ASPECT: Final = 0.4
MAX_ASPECT: Final = 0.92
"""Limits of short to long side: 0.61 from straight above, more or less at a slant."""
MIN_FILL: Final = 0.85
"""Share of its quadrilateral that an outline fills; rounded corners leave some."""
MIN_BOX_FILL: Final = 0.7
"""Share of the smallest turned box around it that an outline fills; the rest is for perspective."""
COLOUR_STEPS: Final = (14, 24, 40)
"""How far from the table's colour a card begins, tried one after the other (units of CIE Lab, 8 bit)."""
MIN_LEFT: Final = 0.15
"""Area, in cards, from which a piece of something is looked at that is none of the cards found."""
_THIN: Final = 0.12
"""What is thinner than this share of a card's size is no piece of one."""
_INSIDE: Final = 0.85
"""Share of a known card's size that is surely within its outline."""
_SAME_CARD: Final = 0.15
"""In shares of its size, how far from a card's middle an outline of the same card may have its own."""
_LINE_PX: Final = 7
"""What is thinner than this and hangs on a card is a joint of the boards that runs on below it."""
_PIECES: Final = 2
"""Where else anything lies is told by a picture so much smaller."""
_PART_PX: Final = 16
"""Parts of a photo begin and end at multiples of this."""
WITH_SHADOW: Final = 1.12
"""A card with its shadow and its blurred edge is larger by this."""
_POINTS: Final = 96
_MIN_POINTS: Final = 6
"""Points along an outline, and along each of its sides, to which lines are fitted."""
_FITS: Final = 4
_SAME_BOX_PX: Final = 2
_OUTLIER_PX: Final = 1.345
"""A side is fitted so often, with Huber's tuning constant where noise is one pixel."""


def find_outlines(picture: Picture) -> list[Corners]:
    """Return every outline that may be a whole card, the same card more than once where outlines agree."""
    survey = CardSurvey(picture)
    return [*survey.by_colour(), *survey.by_edges()]


class CardSurvey:
    """Looks at one photo for what may be cards.

    Parameters
    ----------
    picture : shape (height, width, 3), uint8, blue, green, red.
    """

    def __init__(self, picture: Picture) -> None:
        self._scale = min(1.0, WORK_WIDTH_PX / max(picture.shape[:2]))
        self._work = picture
        if self._scale < 1:
            small = cv2.resize(picture, None, fx=self._scale, fy=self._scale, interpolation=cv2.INTER_AREA)
            self._work = np.asarray(small, np.uint8)
        self._start: NDArray[np.float64] = np.zeros(2)
        lab = _soft_lab(self._work)
        self._table = _of_table(lab)
        self._distance = _away_from(lab, self._table)

    @property
    def table(self) -> Picture:
        """The photo made small, as its table would look if nothing lay on it."""
        return np.asarray(cv2.cvtColor(self._table, cv2.COLOR_LAB2BGR), np.uint8)

    def parts_beside(self, cards: Sequence[Corners]) -> list[CardSurvey]:
        """Return surveys of those parts of the photo where anything seems to lie besides some cards.

        They show all of a card of which a piece is seen; outlines found there, by colour and by edges, are in
        the whole photo's pixels.

        Parameters
        ----------
        cards : their outlines, px, one at least.
        """
        small = cv2.resize(self._distance, None, fx=1 / _PIECES, fy=1 / _PIECES, interpolation=cv2.INTER_AREA)
        _, mask = cv2.threshold(small, COLOUR_STEPS[0], 255, cv2.THRESH_BINARY)
        pieces = _pieces(np.asarray(mask, np.uint8), self._scale / _PIECES, cards)
        reach_px = float(np.ptp(np.stack(cards), axis=1).max())
        height, width = self._distance.shape
        # on a small map, in which parts that overlap run into one another
        few = np.zeros((-(-height // _PART_PX), -(-width // _PART_PX)), np.uint8)
        for piece in pieces:
            ends = np.stack([piece.min(axis=0) - reach_px, piece.max(axis=0) + reach_px])
            low, high = (ends * self._scale / _PART_PX).astype(int).tolist()
            cv2.rectangle(few, low, high, 255, cv2.FILLED)
        found, _ = cv2.findContours(few, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        return [self._part(*(_PART_PX * side for side in cv2.boundingRect(each))) for each in found]

    def _part(self, x: int, y: int, width: int, height: int) -> CardSurvey:
        part = copy(self)
        part._start = self._start + np.array([x, y], np.float64)
        part._work = self._work[y : y + height, x : x + width]
        part._distance = self._distance[y : y + height, x : x + width]
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
            masks.append(_without_lines(masks[steps.index(COLOUR_STEPS[0])]))
        return self._quads(masks, 1.0, known)

    def by_edges(self, coarseness: float = 1.0, known: Sequence[Corners] = ()) -> list[Corners]:
        """Return outlines along which the colour changes, the same card more than once.

        Parameters
        ----------
        coarseness : how much smaller the picture is made first, from 1.
        known : as `by_colour` takes them.
        """
        work = self._work
        if coarseness > 1:
            scale = 1 / coarseness
            small = cv2.resize(work, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            work = np.asarray(small, np.uint8)
        return self._quads([_between_edges(work)], coarseness, known)

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
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)

    def _quads(self, masks: Sequence[Gray], coarseness: float, known: Sequence[Corners]) -> list[Corners]:
        """Return the outlines of what is four-sided in any of the masks, in the photo's own pixels."""
        scale, start = self._scale / coarseness, self._start / coarseness
        cards = (np.array(known, np.float64).reshape(-1, 4, 2) + 0.5) * scale - 0.5 - start
        middle = cards.mean(axis=1, keepdims=True)
        insides = np.rint(middle + (cards - middle) * _INSIDE).astype(np.int32)
        for mask in masks:  # the prints of known cards need not be looked at
            for inside in insides:
                cv2.fillConvexPoly(mask, inside, 255)
        hulls = _different([hull for mask in masks for hull in _hulls(mask)])
        return [(quad + start + 0.5) / scale - 0.5 for quad in _fit_quads(_of_others(hulls, cards))]


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
    thin = round(_THIN * np.sqrt(least_px)) | 1
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
    away = np.abs(middle[:, None] - cards.mean(axis=1)) < _SAME_CARD * reach
    larger = (high - low)[:, None] > (1 + 2 * _SAME_CARD) * reach
    same = (away.all(axis=2) & ~larger.any(axis=2)).any(axis=1)
    return [hull for hull, known in zip(hulls, same, strict=True) if not known]


def distance_from_table(picture: Picture) -> Gray:
    """Return how far every pixel's colour is from that of the table around it (units of CIE Lab, 8 bit)."""
    lab = _soft_lab(picture)
    return _away_from(lab, _of_table(lab))


def _soft_lab(picture: Picture) -> Picture:
    """Return a picture's colours in CIE Lab, blurred by a pixel."""
    lab = np.empty_like(picture)
    for rows in strips(len(picture)):
        above = min(rows.start, 1)
        soft = cv2.GaussianBlur(picture[rows.start - above : rows.stop + 1], (3, 3), 0)
        cv2.cvtColor(soft[above : above + rows.stop - rows.start], cv2.COLOR_BGR2LAB, dst=lab[rows])
    return lab


def _of_table(lab: Picture) -> Picture:
    """Return the table's colours with its shadows, made small: the median over far more than a card."""
    small = cv2.resize(lab, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.medianBlur(small, 31), np.uint8)


def _away_from(lab: Picture, table: Picture) -> Gray:
    wide = cv2.resize(table, (lab.shape[1], lab.shape[0]))
    return largest_channel(np.asarray(cv2.absdiff(lab, wide, dst=wide), np.uint8))


def _between_edges(picture: Picture) -> Gray:
    """Mask lines along which a colour changes: a card's border closes into a ring."""
    edges = np.zeros(picture.shape[:2], np.uint8)
    for channel in cv2.split(cv2.GaussianBlur(picture, (3, 3), 0)):
        edges |= np.asarray(cv2.Canny(channel, 40, 100), np.uint8)
    return np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)


def _without_lines(mask: Gray) -> Gray:
    """Fill what is seen of each thing and take away the lines that hang on it."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    large = [contour for contour in contours if min(cv2.boundingRect(contour)[2:]) >= MIN_SIDE_PX]
    filled = cv2.drawContours(np.zeros_like(mask), large, -1, 255, cv2.FILLED)
    return np.asarray(
        cv2.morphologyEx(filled, cv2.MORPH_OPEN, np.ones((_LINE_PX, _LINE_PX), np.uint8)), np.uint8
    )


def _hulls(mask: Gray) -> list[Corners]:
    """Return the hulls of what is about as large and as slender as a card and lies wholly in the picture."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return []
    height, width = mask.shape
    low, high = _boxes(contours)
    # cut by the picture's edge it is not a whole card
    inside = (low > 1).all(axis=1) & (high < (width - 2, height - 2)).all(axis=1)
    large = (high - low + 1).max(axis=1) >= MIN_SIDE_PX
    hulls = []
    for number in map(int, np.flatnonzero(inside & large)):
        hull = cv2.convexHull(contours[number])
        short, long = sorted(cv2.minAreaRect(hull)[1])
        if short < MIN_SIDE_PX or not MIN_ASPECT < short / long < MAX_ASPECT:
            continue
        if cv2.contourArea(hull) > MIN_BOX_FILL * short * long:
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
    boxes = np.concatenate(_boxes(hulls), axis=1) // _SAME_BOX_PX
    _, first = np.unique(boxes, axis=0, return_index=True)
    return [hulls[int(number)] for number in np.sort(first)]


def _fit_quads(hulls: Sequence[Corners]) -> list[Corners]:
    """Fit lines to the four sides of every hull, away from rounded corners; what has no four is left out."""
    if not hulls:
        return []
    boxes = _clockwise(
        np.stack([cv2.boxPoints(cv2.minAreaRect(hull.astype(np.float32))) for hull in hulls]).astype(float)
    )
    outlines = _resampled(hulls)
    # the outline's points nearest to its box's corners are a first guess of its own corners
    away = np.square(outlines[:, :, None] - boxes[:, None]).sum(axis=3)
    rough = np.take_along_axis(outlines, away.argmin(axis=1)[:, :, None], axis=1)
    along = np.roll(rough, -1, axis=1) - rough
    length = np.linalg.norm(along, axis=2)
    unit = along / np.maximum(length, 1e-6)[:, :, None]
    normal = np.stack([-unit[..., 1], unit[..., 0]], axis=2)
    turned = np.stack([unit, normal], axis=3)
    # shape (N, 4, P): how far along each side and how far beside it the outline's points lie
    from_start = np.matmul(outlines[:, None], turned) - np.matmul(rough[:, :, None], turned)
    x, y = from_start[..., 0], from_start[..., 1]
    side = length[:, :, None]
    near = (x > 0.15 * side) & (x < 0.85 * side) & (np.abs(y) < 0.08 * side + 1)
    slope, level = _robust_lines(x, y, near)
    # a x + b y = c in picture coordinates
    lines = normal - slope[:, :, None] * unit
    offset = (lines * rough).sum(axis=2) + level
    before, offset_before = np.roll(lines, 1, axis=1), np.roll(offset, 1, axis=1)
    parallel = before[..., 0] * lines[..., 1] - before[..., 1] * lines[..., 0]
    divisor = np.where(np.abs(parallel) < 1e-6, np.inf, parallel)
    quads = np.stack(
        [
            (offset_before * lines[..., 1] - offset * before[..., 1]) / divisor,
            (before[..., 0] * offset - lines[..., 0] * offset_before) / divisor,
        ],
        axis=2,
    )
    sided = (length >= MIN_SIDE_PX / 2).all(axis=1) & (near.sum(axis=2) >= _MIN_POINTS).all(axis=1)
    crossed = (np.abs(parallel) >= 1e-6).all(axis=1)
    sound = np.flatnonzero(sided & crossed)
    quads = _clockwise(quads[sound])
    areas = _areas(quads)
    filled = np.array([cv2.contourArea(hulls[int(number)].astype(np.float32)) for number in sound])
    card_like = (areas >= MIN_SIDE_PX**2) & (filled > MIN_FILL * areas) & (filled < 1.1 * areas)
    return list(_short_sides_first(_outwards(quads[card_like], areas[card_like])))


def _robust_lines(x: Corners, y: Corners, use: NDArray[np.bool_]) -> tuple[Corners, Corners]:
    """Fit y = slope x + level over the last axis, outliers counting less (least squares, Huber's weights)."""
    weight = use.astype(np.float64)
    slope = level = np.zeros(x.shape[:-1])
    for _ in range(_FITS):
        total = np.maximum(weight.sum(axis=-1), 1e-9)
        mean_x, mean_y = (weight * x).sum(axis=-1) / total, (weight * y).sum(axis=-1) / total
        away_x = x - mean_x[..., None]
        spread = np.maximum((weight * away_x * away_x).sum(axis=-1), 1e-9)
        slope = (weight * away_x * y).sum(axis=-1) / spread
        level = mean_y - slope * mean_x
        residual = np.abs(y - slope[..., None] * x - level[..., None])
        weight = use / np.maximum(residual / _OUTLIER_PX, 1)
    return slope, level


def _resampled(hulls: Sequence[Corners]) -> Corners:
    """Return `_POINTS` points at equal distances along each of some closed outlines, shape (N, points, 2)."""
    closed = np.concatenate([part for hull in hulls for part in (hull, hull[:1])])
    last = np.cumsum([len(hull) + 1 for hull in hulls]) - 1
    first = np.concatenate([[0], last[:-1] + 1])
    steps = np.hypot(*np.diff(closed, axis=0, prepend=closed[:1]).T)
    steps[first] = 1.0  # all outlines are one long way: the step to the next one is of any length
    reached = steps.cumsum()
    begin, length = reached[first], reached[last] - reached[first]
    at = begin[:, None] + np.arange(_POINTS) * (length[:, None] / _POINTS)
    return np.stack([np.interp(at, reached, closed[:, axis]) for axis in (0, 1)], axis=2)


def _areas(quads: Corners) -> Corners:
    """Return the areas of clockwise outlines (N, 4, 2)."""
    across, down = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.asarray(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]) / 2, np.float64)


def _outwards(quads: Corners, areas: Corners) -> Corners:
    """Move the sides half a pixel out: an outline runs through the middles of the card's outer pixels."""
    middle = quads.mean(axis=1, keepdims=True)
    size = np.sqrt(np.maximum(areas, 1.0))[:, None, None]
    return np.asarray(middle + (quads - middle) * (1 + 1 / size), np.float64)


def _clockwise(quads: Corners) -> Corners:
    """Order the corners of outlines (N, 4, 2) clockwise as seen in the picture, whose y axis points down."""
    offset = quads - quads.mean(axis=1, keepdims=True)
    order = np.arctan2(offset[..., 1], offset[..., 0]).argsort(axis=1)
    return np.take_along_axis(quads, order[:, :, None], axis=1)


def short_side_first(quad: Corners) -> Corners:
    """Return the outline from the corner at which a short side begins."""
    return np.asarray(_short_sides_first(quad[None])[0], np.float64)


def _short_sides_first(quads: Corners) -> Corners:
    """Return outlines (N, 4, 2), each from the corner at which a short side begins."""
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    upright = sides[:, 0] + sides[:, 2] <= sides[:, 1] + sides[:, 3]
    return np.asarray(np.where(upright[:, None, None], quads, np.roll(quads, -1, axis=1)), np.float64)
