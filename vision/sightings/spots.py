"""Find where a struck card is seen in each picture, to a fraction of a pixel.

The search for a launch (`vision.launch.path_search`) is coarse. The card's face is searched for at the place
to which it leads, and at all places and angles where a picture's own traces of the card
(`vision.sightings.traces`) are strong. Tiles of its print vote for a shift, so that a hand or another card
may hide most of it; where enough of them agree, the face is aligned with the picture (source in
docs/credits.md). All cards have the same shape and border, and fly about in rows. So what is found must match
this card's print better than that of any card that lies nearby or flies, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.departures.departure import View
from vision.field.model import FieldModel
from vision.field.slots import BLOCKS, MIN_TEXTURE, Floats
from vision.sightings.tiles import Tiles, framed
from vision.sightings.traces import ANGLES_DEG, Traces

SIGMA_PX = 0.6  # largest standard deviation of a place, each way
_TURN_DEG = 5.0  # half a step between the traces' angles
_NO_VOTE, _AGREES, _FEWEST_TILES = 0.45, 0.6, 4  # correlations of a tile; other strokes reach the first
_FEWEST_VOTES = 1.2  # sum over the tiles of how far each correlation exceeds `_NO_VOTE`
_APART_PX = 8  # places nearer to each other than this are one
_MATCH = 0.8  # correlation of an alignment found with few votes
MOST_PLACES = 6  # to try in a picture: of 71 cards found by votes 69 were at the first five
RIVAL = 0.95  # largest share of a card's own votes that another card may reach at its place
_CRITERIA = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-3)

Place = tuple[NDArray[np.float64], float]
"""Shift (2,) in pixels and clockwise turn in degrees, from where the card lay."""


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """A card's place at an instant."""

    t_ns: float
    # shift_px, sigma_px: shift (2,) of its centre, and the standard deviation of that, pixels
    shift_px: NDArray[np.float64]
    sigma_px: float = SIGMA_PX
    turn_deg: float = 0.0


def find_spots(
    field: FieldModel,
    number: int,
    pictures: Sequence[tuple[View, Traces]],
    guess: Callable[[float], Place],
    others: Collection[int] = (),
) -> list[Spot]:
    """Return where a card is seen, in order of time; nothing for views that show too little of it.

    `number`: index of the card's slot. `pictures`: those after the card was last seen in place, with its
    traces in each. `guess`: returns the place where it is expected at an instant, nanoseconds. `others`: slot
    numbers of cards that may have left their places, too.
    """
    face = TiledFace(field, number, others)
    found: list[tuple[float, Place]] = []
    for view, traces in pictures:
        expected = _ahead(found, view.t_ns) if len(found) > 1 else guess(view.t_ns)
        place = face.found_in(view, expected, _promising(traces))
        if place is not None:
            found.append((view.t_ns, place))
    return [Spot(t_ns, shift_px, _sigma_px(shift_px), turn_deg) for t_ns, (shift_px, turn_deg) in found]


def _sigma_px(shift_px: NDArray[np.float64]) -> float:
    """Return the standard deviation of a place, each way: cards that have come far are smeared, and rise."""
    # Standard deviation near the card's place, and share of the distance from there: 90 % of 298 simulated
    # places were within 0.5 px of the truth up to 8 px from the card's place, and within 1.0 px beyond.
    near_sigma_px, far_sigma = 0.25, 0.015
    return min(SIGMA_PX, float(np.hypot(near_sigma_px, far_sigma * np.hypot(*shift_px))))


def _ahead(found: Sequence[tuple[float, Place]], t_ns: float) -> Place:
    (before_ns, (from_px, from_deg)), (then_ns, (shift_px, turn_deg)) = found[-2:]
    share = (t_ns - then_ns) / (then_ns - before_ns)
    return shift_px + share * (shift_px - from_px), turn_deg + share * (turn_deg - from_deg)


def _promising(traces: Traces) -> list[Place]:
    valleys: list[tuple[float, Place]] = []
    least_trace, valley_cells = -0.02, 7
    for angle_deg, energies, offset in zip(ANGLES_DEG, traces.maps, traces.offsets, strict=True):
        lowest = cv2.erode(energies, np.ones((valley_cells, valley_cells), np.uint8))
        for row, column in zip(*np.nonzero((energies <= lowest) & (energies < least_trace)), strict=True):
            place = np.array([column, row]) * traces.cell - offset, float(angle_deg)
            valleys.append((float(energies[row, column]), place))
    kept: list[Place] = []
    apart_deg = 15.0  # least difference between places kept
    for _, (shift_px, turn_deg) in sorted(valleys, key=lambda valley: valley[0]):
        if len(kept) == MOST_PLACES:
            break
        if all(
            float(np.hypot(*(shift_px - at))) > _APART_PX or abs(turn_deg - turn) > apart_deg
            for at, turn in kept
        ):
            kept.append((shift_px, turn_deg))
    return kept


def _is_at(place: Place, ballot: _Ballot) -> bool:
    """Tell whether tiles that voted around an earlier place would see the same around this one."""
    shift_px, turn_deg = place
    apart_px = float(np.hypot(*(shift_px - ballot.shift_px)))
    same_px = 4  # within this, tiles are searched for at the same places
    return apart_px < same_px and abs(turn_deg - ballot.turn_deg) < _TURN_DEG


@dataclass(frozen=True, slots=True, eq=False)
class _Ballot:
    votes: float
    shift_px: NDArray[np.float64]
    turn_deg: float
    agreeing: NDArray[np.bool_]


class TiledFace:
    """A card's face, whole and as tiles of its print."""

    def __init__(self, field: FieldModel, number: int, others: Collection[int]) -> None:
        slot = field.slots[number]
        self._others = others
        edge_px = 1  # of the card that is left out: the slot's corners are accurate to about this
        low = np.maximum(np.ceil(slot.corners_px.min(axis=0)).astype(int) + edge_px, 0)
        high = np.minimum(np.floor(slot.corners_px.max(axis=0)).astype(int), field.picture.shape[::-1])
        self._field, self._number, self._slot, self._low_px = field, number, slot, low
        self._face = np.ascontiguousarray(field.picture[low[1] : high[1], low[0] : high[0]])
        tall, wide = self._face.shape
        rim_mm = 4.5
        rim = round(rim_mm * slot.px_per_mm)
        rows = np.linspace(rim, tall - rim, BLOCKS[0] + 1).astype(int)
        columns = np.linspace(rim, wide - rim, BLOCKS[1] + 1).astype(int)
        boxes = [
            (slice(int(top), int(bottom)), slice(int(left), int(right)))
            for top, bottom in pairwise(rows)
            for left, right in pairwise(columns)
        ]
        boxes = [box for box in boxes if cv2.meanStdDev(self._face[box])[1].item() > MIN_TEXTURE]
        self._tiles = Tiles(self._face, boxes)
        self._own = self._tiles.normed(self._face)
        self._rivals: dict[int, Floats] = {}

    @property
    def can_vote(self) -> bool:
        """Whether enough of its tiles show print."""
        return len(self._tiles) >= _FEWEST_TILES

    def seen_in(self, view: View) -> Floats:
        """Return a view corrected to the light of the resting picture."""
        return np.asarray(view.gray / view.light, np.float32)

    def votes_around(self, seen: Floats, view: View, centre: NDArray[np.intp], reach_px: int) -> Floats:
        """Return the tiles' votes for each shift of up to `reach_px` each way from one, without turn.

        `seen` is the result of `seen_in`; the answer has shape (2 reach_px + 1, 2 reach_px + 1).
        """
        low = self._low_px - (view.window[1].start, view.window[0].start) + centre - reach_px
        high = low + self._face.shape[::-1] + 2 * np.intp(reach_px)
        scores = self._tiles.around(framed(seen, low, high), reach_px)
        return np.asarray(np.maximum(scores - _NO_VOTE, 0.0).sum(axis=0))

    def votes_at(self, seen: Floats, view: View, shift_px: NDArray[np.float64]) -> tuple[float, float]:
        """Return the votes for this card's print at a place, and for the best alternative.

        Alternatives are other cards, and what lay there at rest.
        """
        normed = self._tiles.normed(self._upright(seen, self._warp(view, shift_px, 0.0)))
        alike = self._tiles.alike(normed, self._own)
        own, others = self._against_others(normed, alike, self._slot.centre_px + shift_px)
        low = np.rint(self._low_px + shift_px).astype(int)
        rested = self._tiles.normed(framed(self._field.picture, low, low + self._face.shape[::-1]))
        unmoved = float(np.maximum(self._tiles.alike(normed, rested) - _NO_VOTE, 0.0).sum())
        return own, max(others, unmoved)

    def found_in(self, view: View, expected: Place, promising: Sequence[Place]) -> Place | None:
        """Return where the card is in a view, at the expected or a promising place; None if nowhere."""
        if not len(self._tiles):
            return None
        seen = self.seen_in(view)
        there = self._ballot(seen, view, expected)
        match, place = 0.0, None
        if there.votes > _FEWEST_VOTES:  # aligning takes longer than voting
            match, place = self._aligned(seen, view, expected, np.full(seen.shape, 255, np.uint8))
        sure_match = 0.88  # of an alignment without votes
        if match > sure_match:
            return place
        elsewhere = [one for one in promising if not _is_at(one, there)]
        voted = self._voted(seen, view, [there, *(self._ballot(seen, view, one) for one in elsewhere)])
        if voted is None:
            return None
        (shift_px, turn_deg), mask, votes = voted
        many_votes, shy_match = 2.2, 0.65
        least = _MATCH if votes < many_votes else shy_match
        match, place = self._aligned(seen, view, (shift_px, turn_deg), mask)
        if place is not None and match <= least:  # from another angle it may match better
            for start_deg in (turn_deg - _TURN_DEG, turn_deg + _TURN_DEG):
                tried = self._aligned(seen, view, (shift_px, start_deg), mask)
                match, place = max((match, place), tried, key=lambda one: one[0])
        return place if match > least else None

    def _voted(
        self, seen: Floats, view: View, ballots: Sequence[_Ballot]
    ) -> tuple[Place, NDArray[np.uint8], float] | None:
        """Return the place with most votes, a mask of where its tiles are seen, and the votes; or None."""
        if len(self._tiles) < _FEWEST_TILES:
            return None
        best = max(ballots, key=lambda ballot: ballot.votes)
        hopeless_votes = 0.7  # below this no other angle brings enough
        hopes = best.votes > hopeless_votes
        turns = (best.turn_deg - _TURN_DEG, best.turn_deg + _TURN_DEG) if hopes else ()
        for turn_deg in turns:
            best = max(best, self._ballot(seen, view, (best.shift_px, turn_deg)), key=lambda one: one.votes)
        rivals = [
            one.votes for one in ballots if float(np.hypot(*(one.shift_px - best.shift_px))) > _APART_PX
        ]
        runner_up = 0.75  # largest share of the votes that another place may have
        unclear = max(rivals, default=0.0) > runner_up * best.votes
        if best.votes < _FEWEST_VOTES or unclear or np.count_nonzero(best.agreeing) < _FEWEST_TILES:
            return None
        warp = self._warp(view, best.shift_px, best.turn_deg)
        mask = self._mask(best.agreeing, warp, seen.shape)
        return (best.shift_px, best.turn_deg), mask, best.votes

    def _mask(
        self, agreeing: NDArray[np.bool_], warp: NDArray[np.float64], shape: tuple[int, ...]
    ) -> NDArray[np.uint8]:
        shown = self._tiles.mask(agreeing, self._face.shape)
        return np.asarray(cv2.warpAffine(shown, warp, shape[::-1], flags=cv2.INTER_NEAREST), np.uint8)

    def _upright(self, seen: Floats, warp: NDArray[np.float64]) -> Floats:
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(seen, warp, self._face.shape[::-1], flags=flags), np.float32)

    def _ballot(self, seen: Floats, view: View, place: Place) -> _Ballot:
        shift_px, turn_deg = place
        warp = self._warp(view, shift_px, turn_deg)
        around_px = 7  # of a promising place, a cell of the traces and a half: where tiles are searched for
        warp[:, 2] -= warp[:, :2] @ (around_px, around_px)
        size = self._face.shape[1] + 2 * around_px, self._face.shape[0] + 2 * around_px
        upright = cv2.warpAffine(seen, warp, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        scores = self._tiles.around(np.asarray(upright, np.float32), around_px)
        votes = np.maximum(scores - _NO_VOTE, 0.0).sum(axis=0)
        row, column = (int(index) for index in np.unravel_index(int(votes.argmax()), votes.shape))
        off_px = warp[:, :2] @ (column - around_px, row - around_px)
        return _Ballot(
            float(votes[row, column]), shift_px + off_px, turn_deg, scores[:, row, column] > _AGREES
        )

    def _warp(self, view: View, shift_px: NDArray[np.float64], turn_deg: float) -> NDArray[np.float64]:
        """Return the map (2, 3) from the face to a view in which the card lies at a place."""
        cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
        turn = np.array([[cos, -sin], [sin, cos]])
        centre_px = self._slot.centre_px
        from_view = centre_px - (view.window[1].start, view.window[0].start)
        return np.column_stack([turn, from_view + shift_px - turn @ (centre_px - self._low_px)])

    def _aligned(
        self, seen: Floats, view: View, start: Place, mask: NDArray[np.uint8]
    ) -> tuple[float, Place | None]:
        """Return how well the face fits a view at its best place near `start`, and that place."""
        shift_px, turn_deg = start
        centre_px = self._slot.centre_px
        from_view = centre_px - (view.window[1].start, view.window[0].start)
        from_face = centre_px - self._low_px
        match, warp = self._fitted(seen, self._warp(view, shift_px, turn_deg), mask)
        if warp is None:
            return 0.0, None
        at_px = warp[:, :2] @ from_face + warp[:, 2] - from_view
        stray_px = 15.0  # an alignment that moved farther than this found something else
        strayed = float(np.hypot(*(at_px - shift_px))) > stray_px
        if strayed or not self._is_shown(seen, warp, centre_px + at_px):
            return 0.0, None
        return match, (at_px, float(np.degrees(np.arctan2(warp[1, 0], warp[0, 0]))))

    def _fitted(
        self, seen: Floats, start: NDArray[np.float64], mask: NDArray[np.uint8]
    ) -> tuple[float, NDArray[np.float64] | None]:
        """Return how well the face fits a view near a place, and the map (2, 3) to it."""
        tall, wide = self._face.shape
        corners = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]]) @ start[:, :2].T + start[:, 2]
        close_px = 24  # around a card: the range of an alignment and its blur
        low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - close_px, 0)
        high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + close_px, seen.shape[::-1])
        if np.any(high <= low):
            return 0.0, None
        part = slice(low[1], high[1]), slice(low[0], high[0])
        inside = start.copy()
        inside[:, 2] -= low
        try:
            blur_px = 5
            match, found = cv2.findTransformECC(
                self._face,
                seen[part],
                inside.astype(np.float32),
                cv2.MOTION_EUCLIDEAN,
                _CRITERIA,
                mask[part],
                blur_px,
            )
        except cv2.error:  # no convergence if the card is hardly visible
            return 0.0, None
        warp = np.asarray(found, np.float64)
        warp[:, 2] += low
        return float(match), warp

    def _is_shown(self, seen: Floats, warp: NDArray[np.float64], centre_px: NDArray[np.float64]) -> bool:
        """Tell whether a place shows this card's print, and matches no other nearby card better."""
        shown = self._upright(seen, warp)
        normed = self._tiles.normed(shown)
        alike = self._tiles.alike(normed, self._own)
        if np.count_nonzero(alike > _AGREES) < _FEWEST_TILES:
            return False
        own, others = self._against_others(normed, alike, centre_px)
        return others <= RIVAL * own

    def _against_others(
        self, normed: Floats, alike: Floats, centre_px: NDArray[np.float64]
    ) -> tuple[float, float]:
        """Return the votes of tiles that are `alike` to this card's, and those for the best other card.

        `normed` is what the place shows, as `Tiles.normed` returns it.
        """
        own = float(np.maximum(alike - _NO_VOTE, 0.0).sum())
        neighbour_mm = 45.0
        rivals = {
            other
            for other, slot in enumerate(self._field.slots)
            if other in self._others
            or float(np.hypot(*(slot.centre_px - centre_px))) < neighbour_mm * slot.px_per_mm
        } - {self._number}
        if not rivals:
            return own, 0.0
        # poems share kana, even at the same places
        others = self._tiles.alike(normed, np.stack([self._rival(one) for one in rivals]))
        return own, float(np.maximum(others - _NO_VOTE, 0.0).sum(axis=1).max())

    def _rival(self, other: int) -> Floats:
        """Return another card's face at the places of this one's tiles, see `Tiles.normed`."""
        if other not in self._rivals:
            apart = self._field.slots[other].centre_px - self._slot.centre_px
            low = np.rint(self._low_px + apart).astype(int)
            face = framed(self._field.picture, low, low + self._face.shape[::-1])
            self._rivals[other] = self._tiles.normed(face)
        return self._rivals[other]
