"""Cut the cards of a deck out of a photo on which they lie side by side, upright and in order.

Nothing is known of the cards yet but their shape. Cards of one deck have one size, so the outlines of the
most common size are kept. If they lie in rows and columns, the gaps show where a card must be whose outline
was not found.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture, picture_size_px
from referee.sentence import Sentence
from vision.frames.frame import Gray
from vision.hanafuda.bare_table import largest_channel
from vision.hanafuda.finder import Corners, find_outlines
from vision.hanafuda.fitting.card_plane import laid_cards, mapped, plane_through
from vision.photo.outline_fits import overlaps

Points = NDArray[np.float64]

LENGTH_PX: Final = 70.0  # length of a card in the working picture, pixels
_ANGLES_DEG: Final = np.arange(-6.0, 6.1, 2.0)
_ALONG: Final = np.linspace(0.12, 0.88, 20)  # places along a side, away from the round corners


class CardSnap:
    """Fits outlines on one photo.

    `photo`: shape (height, width, 3), uint8. `lying`: approximate outlines of its cards, shape (4, 2) each,
    px: cards close together hide most of the table.
    """

    def __init__(self, photo: Picture, length_px: float, lying: Sequence[Points]) -> None:
        self._scale = min(1.0, LENGTH_PX / length_px)
        small = cv2.resize(photo, None, fx=self._scale, fy=self._scale, interpolation=cv2.INTER_AREA)
        cards = [(outline + 0.5) * self._scale - 0.5 for outline in lying]
        # Colour difference from the table beyond which more makes no difference.
        most_unlike = 40.0
        unlike = (
            np.minimum(_distance_from_rest(np.asarray(small, np.uint8), cards), most_unlike) / most_unlike
        )
        self._unlike = cv2.GaussianBlur(unlike.astype(np.float32), (0, 0), 0.7)

    def fit(self, outline: Points) -> Points | None:
        """Return the outline moved onto its card's edges, or None if there is no card.

        `outline`: shape (4, 2), px, clockwise from its upper left corner.
        """
        best = (outline + 0.5) * self._scale - 0.5
        reach_widths = 0.2  # how far a card may lie from its rough outline, in card widths
        reach = reach_widths * float(np.linalg.norm(best[1] - best[0]))
        score = 0.0
        for finer in (1, 4, 12):
            poses = _moved(best, np.linspace(-reach, reach, 9) / finer, _ANGLES_DEG / finer)
            scores = self._scores(poses)
            number = int(scores.argmax())
            best, score = poses[number], float(scores[number])
        # How much more the inside must differ from the table than the outside for a card to be seen, 0..1.
        min_step = 0.2
        if score < min_step:
            return None
        return np.asarray((best + 0.5) / self._scale - 0.5, np.float64)

    def _scores(self, poses: Points) -> Points:
        """Return how much less table lies in outlines (N, 4, 2) than around; the worst side counts twice."""
        sides = np.roll(poses, -1, axis=1) - poses
        length = np.linalg.norm(sides[:, 1], axis=1)[:, None, None, None]
        inwards = np.stack([-sides[..., 1], sides[..., 0]], -1)
        inwards /= np.linalg.norm(inwards, axis=-1, keepdims=True)
        points = poses[:, :, None] + sides[:, :, None] * _ALONG[:, None]
        beside_lengths = 0.045  # distance of the samples inside and outside a side, in card lengths
        offset = inwards[:, :, None] * length * beside_lengths
        step = (self._look(points + offset) - self._look(points - offset)).mean(axis=2)
        return np.asarray((step.sum(axis=1) + step.min(axis=1)) / 5, np.float64)

    def _look(self, points: Points) -> Points:
        height, width = self._unlike.shape
        x = np.clip(np.rint(points[..., 0]).astype(int), 0, width - 1)
        y = np.clip(np.rint(points[..., 1]).astype(int), 0, height - 1)
        return np.asarray(self._unlike[y, x], np.float64)


def _distance_from_rest(picture: Picture, cards: Sequence[Points]) -> Gray:
    """Return each pixel's colour difference from the bare table around it (CIE Lab, 8 bit)."""
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (3, 3), 0), cv2.COLOR_BGR2LAB)
    bare = np.ones(lab.shape[:2], np.float32)
    with_shadow = 1.15
    for card in cards:
        middle = card.mean(axis=0)
        cv2.fillConvexPoly(bare, np.rint(middle + (card - middle) * with_shadow).astype(np.int32), 0)
    side_lengths = 1.5  # side, in card lengths, of the square over which the table's colour is averaged
    around = (round(side_lengths * LENGTH_PX) | 1,) * 2
    seen = cv2.blur(bare, around)
    least_bare = 0.005  # of such a square that must be bare
    mean = cv2.blur(lab * bare[..., None], around) / np.maximum(seen, least_bare)[..., None]
    return largest_channel(cv2.absdiff(lab, np.clip(mean, 0, 255).astype(np.uint8)).astype(np.uint8))


def _moved(outline: Points, shifts: Points, angles_deg: Points) -> Points:
    """Return an outline shifted and turned in every combination, shape (N, 4, 2)."""
    middle = outline.mean(axis=0)
    grid = np.stack(np.meshgrid(shifts, shifts), -1).reshape(-1, 1, 2)
    turned = []
    for angle in np.radians(angles_deg):
        cos, sin = np.cos(angle), np.sin(angle)
        turned.append((outline - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle + grid)
    return np.concatenate(turned)


SAME_CARD: Final = 0.04
"""Outlines of cards differ by less than this share in width and length on the table's plane; the frame of a
print differs by twice as much."""
_ENOUGH: Final = 3  # number of cards that determine a card's size


@dataclass(frozen=True, slots=True, eq=False)
class CutCard:
    """A card cut out of a photo."""

    picture: Picture  # of the shape of the deck's pictures, upright as on the photo
    corners_px: Corners  # shape (4, 2), clockwise from its upper left corner
    # row, column: its place among the cards, from 0
    row: int
    column: int
    tilt_deg: float  # how far it is turned clockwise from upright
    width_px: float

    @property
    def problem(self) -> Sentence | None:
        """Why it cannot be enrolled, None if it can."""
        max_tilt_deg = 40.0  # beyond this a card lies on its side, and its top is unknown
        if abs(self.tilt_deg) > max_tilt_deg:
            return Sentence(
                "leans by {degrees:.0f} degrees: lay all cards upright, with their tops up",
                degrees=self.tilt_deg,
            )
        return None


def cut_cards(photo: Picture, size_mm: tuple[float, float], wanted: int | None) -> list[CutCard]:
    """Return the cards on a photo, row by row from the top, from left to right.

    `photo`: shape (height, width, 3), uint8, blue, green, red; cards lie apart on a plain ground. `size_mm`:
    width and height of a card. `wanted`: how many cards the photo should show; None if unknown.
    """
    outlines = _of_one_size(find_outlines(photo), size_mm[0] / size_mm[1])
    upright = [_from_top_left(outline) for outline in outlines]
    if len(upright) >= _ENOUGH:
        upright = _completed(photo, upright, size_mm, wanted)
    rows = _rows(upright)
    return [
        _cut(photo, outline, size_mm, (number, column))
        for number, row in enumerate(rows)
        for column, outline in enumerate(row)
    ]


def in_deck_order(cards: Sequence[CutCard]) -> list[CutCard]:
    """Return the cards in the order of the deck: months follow each other in reading order.

    On a photo with four rows and more than four columns every column is a month, read from its top.
    """
    rows = max((card.row for card in cards), default=-1) + 1
    columns = max((card.column for card in cards), default=-1) + 1
    if rows == 4 and columns > rows and len(cards) == rows * columns:
        return sorted(cards, key=lambda card: (card.column, card.row))
    return list(cards)


def _of_one_size(outlines: Sequence[Corners], aspect: float) -> list[Corners]:
    """Return the outlines of the most common size, one for each place."""
    same_shape = 0.2  # largest relative difference from the card's aspect ratio, for slanted views
    shaped = [outline for outline in outlines if abs(_aspect(outline) / aspect - 1) < same_shape]
    if not shaped:
        return []
    # a card's edge is found as well as the frame of its print: the larger one is the card
    shaped.sort(key=_length, reverse=True)
    sizes = np.array([_length(outline) for outline in shaped])
    middles = np.array([outline.mean(axis=0) for outline in shaped])
    apart = np.hypot(*np.moveaxis(middles[:, None] - middles[None], -1, 0))
    best: list[int] = []
    # Largest relative difference in length of cards on one photo: perspective and slightly wrong outlines.
    same_size = 0.12
    least_apart = 0.7  # centres closer than this, in card widths, belong to the same card
    for size in sizes:
        kept: list[int] = []
        for number in np.flatnonzero(np.abs(sizes / size - 1) < same_size):
            if not kept or apart[number, kept].min() > least_apart * aspect * size:
                kept.append(int(number))
        if len(kept) > len(best):  # sizes run downwards, so of equally many the larger ones are kept
            best = kept
    return [shaped[number] for number in best]


def _sides(outline: Corners) -> Corners:
    return np.asarray(np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1), np.float64)


def _aspect(outline: Corners) -> float:
    top, right, bottom, left = _sides(outline)
    return float((top + bottom) / (right + left))


def _length(outline: Corners) -> float:
    _, right, _, left = _sides(outline)
    return float(right + left) / 2


def _from_top_left(outline: Corners) -> Corners:
    """Return the outline starting with the short side that is higher on the photo."""
    top, bottom = outline[:2, 1].mean(), outline[2:, 1].mean()
    return outline if top <= bottom else np.roll(outline, -2, axis=0)


def _completed(
    photo: Picture, outlines: Sequence[Corners], size_mm: tuple[float, float], wanted: int | None
) -> list[Corners]:
    """Refit outlines without a card's shape and size, and add those that are missing in a grid."""
    straight, others = _of_own_size(
        [outline for outline in outlines if _is_straight(outline)],
        [outline for outline in outlines if not _is_straight(outline)],
        size_mm,
    )
    if len(straight) < _ENOUGH:
        return list(outlines)
    typical = np.median([outline - outline.mean(axis=0) for outline in straight], axis=0)
    rough = [typical + outline.mean(axis=0) for outline in others]
    if wanted is not None and len(outlines) < wanted:
        rough += [typical + middle for middle in _empty_places(outlines, wanted)]
    length_px = float(np.median([_length(outline) for outline in straight]))
    snap = CardSnap(photo, length_px, [*straight, *rough])
    fitted = [snapped for outline in rough if (snapped := snap.fit(outline)) is not None]
    taken = overlaps(fitted, straight)
    return straight + [each for each, others in zip(fitted, taken, strict=True) if not others.any()]


def _of_own_size(
    straight: list[Corners], others: list[Corners], size_mm: tuple[float, float]
) -> tuple[list[Corners], list[Corners]]:
    """Return the outlines of cards, and separately those whose size is wrong for the deck.

    If a card's border has the table's colour, the frame of its print is found instead of its edge. It is
    equally too small on all sides, so the card lies around it. If only some sides are wrong, it is unknown
    which. On the table's plane all cards have one size.
    """
    to_px = plane_through(straight, size_mm) if len(straight) >= _ENOUGH else None
    if to_px is None:
        return straight, others
    quads = np.stack(straight)
    sides = _sides_on_plane(to_px, quads)
    own = np.array([_largest_of_several(sides[:, 0]), _largest_of_several(sides[:, 1])])
    missing = own - sides
    cards, odd = [], list(others)
    laid = laid_cards(to_px, quads, (float(own[0]), float(own[1])))
    for outline, around, lacks in zip(straight, laid, missing, strict=True):
        if (np.abs(lacks) < SAME_CARD * own).all():
            cards.append(outline)
        elif (lacks > 0).all() and abs(lacks[0] - lacks[1]) < SAME_CARD * own[0]:
            cards.append(around)
        else:
            odd.append(outline)
    return cards, odd


def _sides_on_plane(to_px: Corners, quads: Corners) -> Corners:
    """Return the mean width and height of outlines on the plane, shape (N, 2)."""
    there = mapped(np.asarray(np.linalg.inv(to_px), np.float64), quads)
    length = np.linalg.norm(np.roll(there, -1, axis=1) - there, axis=2)
    return np.asarray((length[:, :2] + length[:, 2:]) / 2, np.float64)


def _largest_of_several(lengths: Corners) -> float:
    """Return the largest length that several cards share."""
    some_share = 0.25  # at least this share of the outlines are whole cards
    some = max(_ENOUGH, round(some_share * len(lengths)))
    near = np.abs(lengths / lengths[:, None] - 1) < SAME_CARD / 2
    common = np.flatnonzero(near.sum(axis=1) >= some)
    if not len(common):
        return float(np.median(lengths))
    return float(np.median(lengths[near[common[lengths[common].argmax()]]]))


def _is_straight(outline: Corners) -> bool:
    """Tell whether opposite sides are nearly equal; otherwise a corner was lost to the print."""
    top, right, bottom, left = _sides(outline)
    most_crooked = 0.06  # largest relative difference of a card's opposite sides on a photo from above
    return bool(abs(top / bottom - 1) < most_crooked and abs(right / left - 1) < most_crooked)


def _empty_places(outlines: Sequence[Corners], wanted: int) -> list[Corners]:
    """Return the centres of the empty places of a grid of `wanted` cards; none without such a grid."""
    rows = _rows(outlines)
    width = float(np.median([_sides(outline)[0] for outline in outlines]))
    across = np.sort([float(outline[:, 0].mean()) for outline in outlines])
    columns = [part.mean() for part in np.split(across, np.flatnonzero(np.diff(across) > 0.5 * width) + 1)]
    grid_share = 0.5  # of a grid that must have been found before the rest is searched for
    if len(rows) * len(columns) != wanted or len(outlines) < grid_share * wanted:
        return []
    places: dict[tuple[int, int], Corners] = {}
    for number, row in enumerate(rows):
        for outline in row:
            middle = outline.mean(axis=0)
            places[int(np.abs(np.array(columns) - middle[0]).argmin()), number] = middle
    seen = np.array(list(places.values()), np.float32)
    grid, _ = cv2.findHomography(np.array(list(places), np.float32), seen, cv2.RANSAC, width / 3)
    empty = [(x, y) for y in range(len(rows)) for x in range(len(columns)) if (x, y) not in places]
    return list(cv2.perspectiveTransform(np.array([empty], np.float32), grid)[0].astype(np.float64))


def _rows(outlines: Sequence[Corners]) -> list[list[Corners]]:
    rows: list[list[Corners]] = []
    # Cards lie in one row if their centres differ by less than this in height, in card lengths.
    same_row = 0.6
    for outline in sorted(outlines, key=lambda each: float(each[:, 1].mean())):
        middle = float(outline[:, 1].mean())
        if rows and middle - np.mean([each[:, 1].mean() for each in rows[-1]]) < same_row * _length(outline):
            rows[-1].append(outline)
        else:
            rows.append([outline])
    return [sorted(row, key=lambda each: float(each[:, 0].mean())) for row in rows]


def _cut(photo: Picture, outline: Corners, size_mm: tuple[float, float], place: tuple[int, int]) -> CutCard:
    width, height = picture_size_px(*size_mm)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(outline.astype(np.float32), target)
    picture = cv2.warpPerspective(
        photo, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    down = outline[2:].mean(axis=0) - outline[:2].mean(axis=0)
    tilt_deg = float(np.degrees(np.arctan2(-down[0], down[1])))
    return CutCard(
        np.asarray(picture, np.uint8), outline, *place, tilt_deg, float(_sides(outline)[[0, 2]].mean())
    )
