"""Find a card's path through pictures none of which shows enough of it to be certain by itself.

Fingers hide most of a card that they drive, and the few visible tiles of its print resemble many other
things. But a driven card moves about evenly: matches on one path away from its place, picture after picture,
are the card, however little of it each of them shows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.departures.departure import View
from vision.field.model import FieldModel
from vision.field.slots import Floats
from vision.sightings.spots import MOST_PLACES, RIVAL, Spot, TiledFace

_FASTEST = 3.2  # m/s
EXPOSED_MS = 3.0  # typical exposure: a card that set off this long before its last sight may look in place
_SEEN = 0.6  # least votes in each of the first two pictures


@dataclass(frozen=True, slots=True, eq=False)
class _Path:
    """Places (2,) in the first pictures, pixels from where the card lay, and the votes for each."""

    places_px: tuple[NDArray[np.intp], ...]
    votes: tuple[float, ...]

    @property
    def total(self) -> float:
        return sum(self.votes)

    def apart_px(self, other: _Path) -> float:
        """Return the distance of two paths in the last picture that both reach, pixels."""
        last = min(len(self.votes), len(other.votes)) - 1
        return float(np.hypot(*(self.places_px[last] - other.places_px[last])))


def follow_print(
    field: FieldModel, number: int, views: Sequence[View], still_ns: int, others: Collection[int]
) -> list[Spot]:
    """Return where a card is seen along a path, in order of time; nothing if no path stands out.

    `number`: index of the card's slot. `views`: the pictures after the card was last seen in place. `others`:
    slot numbers of cards that may have left their places, too.
    """
    soon_ns, most_views = 46_000_000, 5  # later it has turned too far
    soon = [view for view in views[:most_views] if view.t_ns - still_ns < soon_ns]
    second_ns = 75_000_000  # longest time, so that there are two pictures at 30 fps, too
    soon = soon if len(soon) > 1 else [view for view in views[:2] if view.t_ns - still_ns < second_ns]
    face = TiledFace(field, number, others)
    if len(soon) < 2 or not face.can_vote:
        return []
    search = _Search(face, soon, still_ns, field.slots[number].px_per_mm)
    paths = [search.followed(begun) for begun in search.begun()]
    best = max(paths, key=lambda path: path.total, default=None)
    if best is None or not search.stands_out(best, paths):
        return []
    own = search.own(best)
    at = zip(soon, best.places_px, own, strict=False)
    # Standard deviation of a place, each way. Of 279 cards of contested simulated poems half set off within
    # 1.3 ms of the touch that moved them; without paths it was 1.5 ms, and one in five was more than 7 ms
    # wrong (now 4 ms).
    sigma_px = 1.2
    spots = [Spot(view.t_ns, place.astype(np.float64), sigma_px) for view, place, is_own in at if is_own]
    return spots if len(spots) > 1 else []


class _Search:
    """Searches for a card picture by picture, each time guided by where it was before."""

    def __init__(self, face: TiledFace, views: Sequence[View], still_ns: int, px_per_mm: float) -> None:
        self._face, self._views, self._px_per_mm = face, views, px_per_mm
        self._times_ms = [(view.t_ns - still_ns) / 1e6 for view in views]
        aside_mm = 5.5  # from an even path
        self._aside_px = max(1, round(aside_mm * px_per_mm))
        self._seen: dict[int, Floats] = {}

    def begun(self) -> list[_Path]:
        """Return the places in the first picture that may be the card's, the most promising first."""
        first_mm = 65.0  # farthest place in the first picture
        farthest_mm = min(_FASTEST * (self._times_ms[0] + EXPOSED_MS), first_mm)
        reach_px = int(np.ceil(farthest_mm * self._px_per_mm))
        votes = self._votes(0, np.zeros(2, np.intp), reach_px)
        summit_mm = 8.0  # of a peak of votes
        near_px = self._px_per_mm * summit_mm / 2
        around = cv2.dilate(votes, np.ones((2 * round(near_px) + 1,) * 2, np.uint8))
        ys, xs = np.nonzero((votes >= around) & (votes >= _SEEN))
        best = np.argsort(-votes[ys, xs], kind="stable")[:MOST_PLACES]
        return [
            _Path((np.array([xs[one], ys[one]]) - reach_px,), (float(votes[ys[one], xs[one]]),))
            for one in best
        ]

    def followed(self, path: _Path) -> _Path:
        """Return a path extended as far as the card is seen along it."""
        places, votes = list(path.places_px), list(path.votes)
        still_seen = 0.35  # least votes in each of the later pictures
        for index in range(1, len(self._views)):
            ends = self._line(places, index)
            if ends is None:
                break
            place, vote = self._best_on(index, *ends)
            if vote < (_SEEN if index == 1 else still_seen):
                break
            places.append(place)
            votes.append(vote)
        return _Path(tuple(places), tuple(votes))

    def stands_out(self, best: _Path, paths: Sequence[_Path]) -> bool:
        """Tell whether a path has enough votes, leads away, and has no rival nearly as likely."""
        in_all, runner_up = 2.0, 0.85  # least votes of a path, and largest share of them of another one
        if len(best.votes) < 2 or best.total < in_all:
            return False
        share = runner_up
        if len(best.votes) == 2:
            # for a path through only two pictures: least votes in each, and largest share of a rival
            in_each, beside_two = 1.2, 0.65
            share = beside_two
            if min(best.votes) < in_each:
                return False
        apart_mm, least_way_mm = 8.0, 3.0
        apart_px = apart_mm * self._px_per_mm
        rivals = [path.total for path in paths if path.apart_px(best) > apart_px]
        far_px = float(np.hypot(*best.places_px[-1]))
        return max(rivals, default=0.0) <= share * best.total and far_px >= least_way_mm * self._px_per_mm

    def own(self, path: _Path) -> list[bool]:
        """Tell at which places of a path the card's own print is seen: nowhere if others' print fits better.

        The print that lay there at rest counts among the others.
        """
        votes = [
            self._face.votes_at(self._picture(index), self._views[index], place.astype(np.float64))
            for index, place in enumerate(path.places_px)
        ]
        mine, others = np.sum(votes, axis=0)
        return [bool(others <= RIVAL * mine and other <= RIVAL * own) for own, other in votes]

    def _line(self, places: Sequence[NDArray[np.intp]], index: int) -> tuple[Floats, Floats] | None:
        """Return the ends (2,) of the line where the card is expected next; None if it would be too fast."""
        times_ms = self._times_ms
        if index > 1:
            share = (times_ms[index] - times_ms[index - 1]) / (times_ms[index - 1] - times_ms[index - 2])
            ahead = (places[-1] + share * (places[-1] - places[-2])).astype(np.float32)
            return ahead, ahead
        step_ms = 0.5
        # the place to which an even path leads depends on when it set off
        begins_ms = np.arange(-EXPOSED_MS, times_ms[0] - step_ms / 2, step_ms)
        shares = (times_ms[1] - begins_ms) / (times_ms[0] - begins_ms)
        fastest_px = _FASTEST * self._px_per_mm * (times_ms[1] - begins_ms)
        shares = shares[shares * np.hypot(*places[0]) <= np.maximum(fastest_px, 2 * self._aside_px)]
        if not len(shares):
            return None
        return (places[0] * shares.min()).astype(np.float32), (places[0] * shares.max()).astype(np.float32)

    def _best_on(self, index: int, start: Floats, end: Floats) -> tuple[NDArray[np.intp], float]:
        """Return the place with the most votes near a line through a picture, and those votes."""
        centre = np.rint((start + end) / 2).astype(np.intp)
        reach_px = int(np.ceil(np.abs(end - start).max() / 2)) + self._aside_px
        near = np.zeros((2 * reach_px + 1,) * 2, np.uint8)
        first, last = (np.rint(one - centre + reach_px).astype(int).tolist() for one in (start, end))
        cv2.line(near, first, last, 1, 2 * self._aside_px + 1)
        votes = self._votes(index, centre, reach_px) * near
        y, x = np.unravel_index(int(votes.argmax()), votes.shape)
        return np.array([x, y], np.intp) - reach_px + centre, float(votes[y, x])

    def _votes(self, index: int, centre: NDArray[np.intp], reach_px: int) -> Floats:
        """Return the tiles' votes for each place around one, (2 reach + 1, 2 reach + 1)."""
        votes = self._face.votes_around(self._picture(index), self._views[index], centre, reach_px)
        # each tile takes the best within a pixel, so the middle of the flat peak is meant
        return np.asarray(cv2.blur(votes, (3, 3)), np.float32)

    def _picture(self, index: int) -> Floats:
        if index not in self._seen:
            self._seen[index] = self._face.seen_in(self._views[index])
        return self._seen[index]
