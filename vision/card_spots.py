"""Where a struck card is seen in each picture, to a fraction of a pixel.

The search for a launch (`vision.launch_search`) is coarse. Where it leads, and between there and the card's
place, the card's own face is looked for: tiles of its print vote for a shift, so that a hand or another card
may hide most of it, and where enough of them agree, the face is aligned with the picture (source in
docs/credits.md). All cards have the same shape and border, and fly about in rows: what is found must look
more like this card's print than like any other's nearby.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.departure import View
from vision.field_model import FieldModel
from vision.slots import Floats

SIGMA_PX = 0.6
"""Standard deviation of a place, each way; 95 % of 489 simulated ones were within 0.8 px."""
_EDGE_PX = 1  # of the card that is left out: the slot's corners are good to about this
_TILES, _RIM_MM, _LEAST_TEXTURE = (4, 3), 4.5, 6.0
_MARGIN_MM = 20.0  # around and between the places at which the card may be
_NO_VOTE, _AGREES, _FEWEST_TILES = 0.45, 0.6, 4  # correlations of a tile; other strokes reach the first
_FEWEST_VOTES, _MANY_VOTES = 1.2, 2.2
_RUNNER_UP, _APART_PX = 0.75, 8  # another place may have at most this share of the votes
_SURE, _MATCH, _SHY_MATCH = 0.88, 0.8, 0.65  # of the alignment: without votes, with few, with many
_BLUR = 5
_CRITERIA = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-3)
_STRAY_PX = 15.0  # an alignment that ran this far from where it began found something else
_NEIGHBOUR_MM = 45.0

Place = tuple[NDArray[np.float64], float]
"""Shift (2,) in pixels and clockwise turn in degrees, from where the card lay."""
_Tile = tuple[int, int, Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """Where a card was at an instant: the shift (2,) of its middle, and its standard deviation, pixels."""

    t_ns: float
    shift_px: NDArray[np.float64]
    sigma_px: float = SIGMA_PX


def spots_of(
    field: FieldModel, number: int, views: Sequence[View], guesses: Callable[[float], Sequence[Place]]
) -> list[Spot]:
    """Return where a card is seen, in order of time; nothing for views that show too little of it.

    Parameters
    ----------
    field : the resting field.
    number : index of the card's slot.
    views : pictures after it was last seen in place.
    guesses : places at or between which it may be at an instant, nanoseconds; the likeliest first.
    """
    face = _Face(field, number)
    found: list[tuple[float, Place]] = []
    for view in views:
        starts = list(guesses(view.t_ns))
        if found:
            starts.insert(0, _ahead(found, view.t_ns))
        place = face.found_in(view, starts)
        if place is not None:
            found.append((view.t_ns, place))
    return [Spot(t_ns, shift_px) for t_ns, (shift_px, _) in found]


def _ahead(found: Sequence[tuple[float, Place]], t_ns: float) -> Place:
    """Return where a card will be that goes on as it was seen."""
    then_ns, (shift_px, turn_deg) = found[-1]
    if len(found) == 1:
        return shift_px, turn_deg
    before_ns, (from_px, from_deg) = found[-2]
    share = (t_ns - then_ns) / (then_ns - before_ns)
    return shift_px + share * (shift_px - from_px), turn_deg + share * (turn_deg - from_deg)


class _Face:
    """A card's face, whole and as tiles of its print."""

    def __init__(self, field: FieldModel, number: int) -> None:
        slot = field.slots[number]
        low = np.maximum(np.ceil(slot.corners_px.min(axis=0)).astype(int) + _EDGE_PX, 0)
        high = np.minimum(np.floor(slot.corners_px.max(axis=0)).astype(int), field.picture.shape[::-1])
        self._field, self._number, self._slot, self._low_px = field, number, slot, low
        self._face = np.ascontiguousarray(field.picture[low[1] : high[1], low[0] : high[0]])
        tall, wide = self._face.shape
        rim = round(_RIM_MM * slot.px_per_mm)
        rows = np.linspace(rim, tall - rim, _TILES[0] + 1).astype(int)
        columns = np.linspace(rim, wide - rim, _TILES[1] + 1).astype(int)
        tiles = [
            (int(top), int(left), self._face[top:bottom, left:right])
            for top, bottom in pairwise(rows)
            for left, right in pairwise(columns)
        ]
        self._tiles = [tile for tile in tiles if float(tile[2].std()) > _LEAST_TEXTURE]

    def found_in(self, view: View, starts: Sequence[Place]) -> Place | None:
        """Return where the card is in a view, looked for around and between some places."""
        seen = (view.gray / view.light).astype(np.float32)
        match, place = self._aligned(seen, view, starts[0], np.full(seen.shape, 255, np.uint8))
        if match > _SURE:
            return place
        voted = self._voted(seen, view, np.array([shift_px for shift_px, _ in starts]))
        if voted is None:
            return None
        shift_px, mask, votes = voted
        match, place = self._aligned(seen, view, (shift_px, starts[0][1]), mask)
        return place if match > (_MATCH if votes < _MANY_VOTES else _SHY_MATCH) else None

    def _voted(
        self, seen: Floats, view: View, shifts_px: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.uint8], float] | None:
        """Return the shift most tiles vote for, a mask of where these are seen, and the votes."""
        if len(self._tiles) < _FEWEST_TILES:
            return None
        margin = _MARGIN_MM * self._slot.px_per_mm
        first = np.floor(shifts_px.min(axis=0) - margin).astype(int)
        last = np.ceil(shifts_px.max(axis=0) + margin).astype(int)
        rest = self._low_px - (view.window[1].start, view.window[0].start)
        part = _framed(seen, rest + first, rest + last + self._face.shape[::-1])
        across, down = last - first + 1
        scores = [
            cv2.dilate(  # the card may have turned a little
                cv2.matchTemplate(
                    part[y : y + down + tile.shape[0] - 1, x : x + across + tile.shape[1] - 1],
                    tile,
                    cv2.TM_CCOEFF_NORMED,
                ),
                np.ones((3, 3), np.uint8),
            )
            for y, x, tile in self._tiles
        ]
        votes = np.maximum(np.array(scores) - _NO_VOTE, 0.0).sum(axis=0)
        row, column = (int(index) for index in np.unravel_index(int(votes.argmax()), votes.shape))
        most = float(votes[row, column])
        agreeing = [
            tile
            for tile, score in zip(self._tiles, scores, strict=True)
            if np.asarray(score)[row, column] > _AGREES
        ]
        votes[
            max(0, row - _APART_PX) : row + _APART_PX + 1, max(0, column - _APART_PX) : column + _APART_PX + 1
        ] = 0
        if most < _FEWEST_VOTES or votes.max() > _RUNNER_UP * most or len(agreeing) < _FEWEST_TILES:
            return None
        shift = np.array([column, row]) + first
        mask = np.zeros(seen.shape, np.uint8)
        for y, x, tile in agreeing:
            at = np.maximum(rest + shift + (x, y), 0)
            mask[at[1] : at[1] + tile.shape[0], at[0] : at[0] + tile.shape[1]] = 255
        return shift.astype(np.float64), mask, most

    def _aligned(
        self, seen: Floats, view: View, start: Place, mask: NDArray[np.uint8]
    ) -> tuple[float, Place | None]:
        """Return how well the face fits a view where it fits best near a place, and that place."""
        shift_px, turn_deg = start
        cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
        turn = np.array([[cos, -sin], [sin, cos]])
        centre_px = self._slot.centre_px
        from_view = centre_px - (view.window[1].start, view.window[0].start)
        from_face = centre_px - self._low_px
        try:
            match, found = cv2.findTransformECC(
                self._face,
                seen,
                np.column_stack([turn, from_view + shift_px - turn @ from_face]).astype(np.float32),
                cv2.MOTION_EUCLIDEAN,
                _CRITERIA,
                mask,
                _BLUR,
            )
        except cv2.error:  # it does not converge where the card is not seen
            return 0.0, None
        warp = np.asarray(found, np.float64)
        at_px = warp[:, :2] @ from_face + warp[:, 2] - from_view
        strayed = float(np.hypot(*(at_px - shift_px))) > _STRAY_PX
        if strayed or not self._is_shown(seen, warp, centre_px + at_px):
            return 0.0, None
        return float(match), (at_px, float(np.degrees(np.arctan2(warp[1, 0], warp[0, 0]))))

    def _is_shown(self, seen: Floats, warp: NDArray[np.float64], centre_px: NDArray[np.float64]) -> bool:
        """Tell whether a place shows this card's print, and no other's better that lay nearby."""
        size = self._face.shape[::-1]
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        shown = np.asarray(cv2.warpAffine(seen, warp, size, flags=flags), np.float32)
        alike = _likeness(shown, self._tiles)
        if np.count_nonzero(alike > _AGREES) < _FEWEST_TILES:
            return False
        return not any(
            np.count_nonzero(_likeness(shown, self._tiles_of(other)) > alike) > len(alike) / 2
            for other, slot in enumerate(self._field.slots)
            if other != self._number
            and float(np.hypot(*(slot.centre_px - centre_px))) < _NEIGHBOUR_MM * slot.px_per_mm
        )

    def _tiles_of(self, other: int) -> list[_Tile]:
        """Return the tiles of another card's face at the places of this one's."""
        apart = self._field.slots[other].centre_px - self._slot.centre_px
        low = np.rint(self._low_px + apart).astype(int)
        other_face = _framed(self._field.picture, low, low + self._face.shape[::-1])
        return [
            (y, x, other_face[y : y + tile.shape[0], x : x + tile.shape[1]]) for y, x, tile in self._tiles
        ]


def _likeness(shown: Floats, tiles: Sequence[_Tile]) -> NDArray[np.float64]:
    """Return the correlation (T,) of each tile with what is shown in its place."""
    found = [
        cv2.matchTemplate(shown[y : y + tile.shape[0], x : x + tile.shape[1]], tile, cv2.TM_CCOEFF_NORMED)
        for y, x, tile in tiles
    ]
    return np.array(found, np.float64).reshape(-1)


def _framed(picture: Floats, low: NDArray[np.intp], high: NDArray[np.intp]) -> Floats:
    """Return a part of a picture between corners (x, y), black where it lies outside."""
    tall, wide = picture.shape
    top, left = max(0, -int(low[1])), max(0, -int(low[0]))
    bottom, right = max(0, int(high[1]) - tall), max(0, int(high[0]) - wide)
    inside = picture[max(0, low[1]) : max(0, high[1]), max(0, low[0]) : max(0, high[0])]
    return np.asarray(cv2.copyMakeBorder(inside, top, bottom, left, right, cv2.BORDER_CONSTANT, value=0.0))
