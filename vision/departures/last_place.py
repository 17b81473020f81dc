"""Find where a card that left its place lies in the end, which may be outside its territory.

The first motion of a pushed card tells its way only until hands hide it. When they have left, the card lies
somewhere in the picture as often as not. Every card that is found there (`vision.cards.rectangle_finder`) is
rectified and compared with the faces of those that left, either way up.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.poses import laid_flat
from vision.cards.rectangle_finder import find_cards
from vision.departures.outcome import End, Ending
from vision.field.model import FieldModel
from vision.field.slots import REACH_MM, Floats, Slot
from vision.frames.frame import Gray
from vision.hands.frame_map import FrameMap


class LastPlaces:
    """The cards that left their places, and where they are; searched for at the first question.

    `ends`: what became of each slot's card.
    """

    def __init__(
        self, field: FieldModel, ends: Mapping[int, Ending], gray: Gray, over: FrameMap | None = None
    ) -> None:
        self._field, self._gray, self._over = field, gray, over
        self._hidden = {number for number, one in ends.items() if one.end is End.HIDDEN}
        self._away = {number for number, one in ends.items() if one.end is End.GONE} | self._hidden
        self._places: dict[int, NDArray[np.float64]] | None = None

    def corners_px(self, number: int) -> NDArray[np.float64] | None:
        """Return the corners (4, 2) in the picture of a slot's card, None if it is not seen elsewhere."""
        return self._all().get(number) if number in self._away else None

    def is_empty(self, area_px: NDArray[np.float64]) -> bool:
        """Tell whether an area (4, 2) holds nothing but cards in their places and those found elsewhere.

        The answer is False for an area that is partly outside the picture.
        """
        size = np.array(self._gray.shape[::-1])
        if self._over is None or (area_px < 0).any() or (area_px >= size).any():
            return False
        over, scale = self._over, self._over.scale
        left = np.zeros_like(over.mask)
        _fill(left, area_px, scale, 1)
        for corners_px in self._all().values():
            _fill(left, corners_px, scale, 0)
        cell_mm2 = (1 / scale / self._field.px_per_mm) ** 2
        nothing_mm2 = 700.0  # a fifth of a card: anything that lies there shows more
        return float(np.count_nonzero(left & over.mask)) * cell_mm2 < nothing_mm2

    def found(self, numbers: Iterable[int]) -> dict[int, Ending]:
        """Return the endings of those of `numbers` whose places are hidden and that are found elsewhere."""
        hidden = [number for number in numbers if number in self._hidden]
        return {number: Ending(End.GONE) for number in hidden if self.corners_px(number) is not None}

    def _all(self) -> dict[int, NDArray[np.float64]]:
        if self._places is None:
            self._places = last_places(self._field, self._away, self._gray)
        return self._places


def _fill(area: NDArray[np.uint8], corners_px: NDArray[np.float64], scale: float, value: int) -> None:
    """Set the map's cells inside and on an outline."""
    corners = np.rint(((corners_px + 0.5) * scale - 0.5) * 16).astype(np.int32)
    cv2.fillConvexPoly(area, corners, value, shift=4)


def last_places(field: FieldModel, numbers: Collection[int], gray: Gray) -> dict[int, NDArray[np.float64]]:
    """Return the corners (4, 2) in the picture of the cards that are seen elsewhere, by slot number.

    Returns: without those that lie so near their place that `vision.field.slots` decides whether they
    moved.

    `numbers`: the slots whose cards are not seen in place; all others are. `gray`: a picture in which the
    cards lie still.
    """
    if not numbers:
        return {}
    stayed = [slot for number, slot in enumerate(field.slots) if number not in numbers]
    same_place_mm = 20.0  # cards side by side lie farther apart
    outlines = [
        one.corners_px
        for one in find_cards(gray)
        if not _lies_at(one.corners_px, stayed, same_place_mm)
        and not _lay_there(field.picture, gray, one.corners_px)
    ]
    if not outlines:
        return {}
    asked = sorted(numbers)
    faces = [laid_flat(field.picture, field.slots[number].upright_corners_px()) for number in asked]
    slack_mm = 4  # an outline may be off by this much
    inner = [face[slack_mm:-slack_mm, slack_mm:-slack_mm] for face in faces]
    alike = np.array([_likeness(gray, corners, inner) for corners in outlines])  # (outlines, cards)
    found = {asked[column]: outlines[row] for column, row in _paired(alike).items()}
    return {
        number: corners_px
        for number, corners_px in found.items()
        if not _lies_at(corners_px, [field.slots[number]], REACH_MM)
    }


def _paired(alike: NDArray[np.float64]) -> dict[int, int]:
    """Return the outline that surely shows a card, by card; each match leaves fewer candidates for the rest.

    `alike` (outlines, cards) is the similarity of each outline to each card.
    """
    left, found = alike.copy(), dict[int, int]()
    least_likeness = 0.7  # correlation of a card's print with itself in another light and at another angle
    runner_up = 0.2  # least lead over the next best: cards share kana, even at the same places
    while True:
        for row, column in np.argwhere(left > least_likeness).tolist():
            others = np.concatenate([np.delete(left[row], column), np.delete(left[:, column], row), [0.0]])
            if left[row, column] - others.max() > runner_up:
                found[column] = row
                left[row], left[:, column] = 0.0, 0.0
                break
        else:
            return found


def _lies_at(corners_px: NDArray[np.float64], slots: Sequence[Slot], within_mm: float) -> bool:
    """Tell whether an outline is that of a card in one of some slots."""
    x_px, y_px = (corners_px.sum(axis=0) / 4).tolist()
    return any(
        math.hypot(slot.centre_px[0] - x_px, slot.centre_px[1] - y_px) < within_mm * slot.px_per_mm
        for slot in slots
    )


def _lay_there(rest: Floats, gray: Gray, corners_px: NDArray[np.float64]) -> bool:
    """Tell whether the resting picture showed the same inside an outline, e.g. a pattern or a pile."""
    x0, y0 = np.maximum(np.ceil(corners_px.min(axis=0)), 0).astype(int)
    x1, y1 = np.floor(corners_px.max(axis=0)).astype(int)
    now, then = gray[y0:y1, x0:x1].astype(np.float32), rest[y0:y1, x0:x1]
    # correlation with what lay there before; bare floor or another card has less
    least_unchanged = 0.9
    return float(cv2.matchTemplate(now, then, cv2.TM_CCOEFF_NORMED)[0, 0]) > least_unchanged


def _likeness(gray: Gray, corners_px: NDArray[np.float64], faces: Sequence[Floats]) -> list[float]:
    """Return how much an outline's card looks like each of some faces, either way up."""
    border_mm = 1.5  # an outline is that of the paper inside the printed border
    ways = [laid_flat(gray, np.roll(corners_px, turn, axis=0), border_mm) for turn in (0, 2)]
    return [
        max(float(cv2.matchTemplate(way, face, cv2.TM_CCOEFF_NORMED).max()) for way in ways) for face in faces
    ]
