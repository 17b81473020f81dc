"""The look of a table where nothing lies on it: whatever shows the table itself is no part of a card."""

from collections.abc import Iterable, Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.frames.frame import Gray
from vision.hanafuda.pose import Poses, corners_mm, share_in
from vision.plane.table_plane import PX_PER_MM, view_px


class Ground:
    """The parts of a view in which cards may lie, judged without those cards.

    `bare`: mask of the view, 255 where the bare table shows, less where it may; None if unknown. `untold`:
    mask of the view, 255 where something lies that no known card explains; None for everywhere. `size_mm`:
    width and height of a card.
    """

    def __init__(self, bare: Gray | None, untold: Gray | None, size_mm: tuple[float, float]) -> None:
        self._bare = bare
        self._untold = None if untold is None else untold.copy()
        self._size_mm = size_mm

    def tell(self, poses: Iterable[NDArray[np.float64]]) -> None:
        """Note poses of cards, shape (3,) each: they explain what is seen there."""
        if self._untold is not None:
            for pose in poses:
                outline = view_px(corners_mm(pose[None], self._size_mm))[0]
                cv2.fillConvexPoly(self._untold, np.rint(outline).astype(np.int32), 0)

    def is_untold(self, poses: Poses) -> NDArray[np.bool_]:
        """Tell at which `poses` something is seen that no known card explains, (N,)."""
        if self._untold is None:
            return np.ones(len(poses), bool)
        untold_share = 0.05  # of a proposed card that must lie on something unexplained
        return np.asarray(share_in(self._untold, poses, self._size_mm) >= untold_share, bool)

    def bare_share(self, poses: Poses, visible: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        """Return the share of each card's cells, or of its `visible` ones, that show the bare table, (N,)."""
        if self._bare is None:
            return np.zeros(len(poses))
        return share_in(self._bare, poses, self._size_mm, visible)


LIKE_TABLE: Final = 34
"""Difference in any channel within which a pixel may be the table's: grain, weave and shading."""
DOUBTFUL: Final = 80
"""Mask value where the table only seems to show, by its colour; 255 is where it is known to show."""


class BareTable:
    """Learns what the bare table looks like; see `learn` and `shows`."""

    def __init__(self) -> None:
        self._picture: Picture | None = None
        self._known: NDArray[np.bool_] | None = None

    def learn(self, view: Picture, covered: Gray) -> None:
        """Learn the parts of the table that are visible.

        `view`: the table from above, shape (height, width, 3). `covered`: mask of the same size, nonzero
        where cards lie.
        """
        bare = (covered == 0) & like_table(view)
        soft = cv2.blur(view, (3, 3))
        if self._picture is None or self._known is None:
            self._picture, self._known = np.asarray(soft, np.uint8), bare
        else:
            self._picture[bare] = soft[bare]
            self._known |= bare

    def shows(self, view: Picture) -> Gray:
        """Mask where a view shows the bare table, 255 there; `DOUBTFUL` before anything was learned."""
        if self._picture is None or self._known is None:
            return np.asarray(like_table(view), np.uint8) * np.uint8(DOUBTFUL)
        difference = largest_channel(np.asarray(cv2.absdiff(cv2.blur(view, (3, 3)), self._picture), np.uint8))
        # Difference in any channel within which a pixel still shows what it showed when it was bare.
        unchanged_steps = 9
        return np.asarray((difference < unchanged_steps) & self._known, np.uint8) * np.uint8(255)


def like_table(view: Picture, tone: Picture | None = None) -> NDArray[np.bool_]:
    """Tell which pixels have about the prevailing colour around them, (height, width).

    `view`: shape (height, width, 3). `tone`: that colour, of the same shape, if it is known.
    """
    if tone is None:
        scale = 0.25  # size of the picture from which the table's colour is taken
        small = cv2.resize(view, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        # Side, in small pixels, of the square whose median is the table's colour: several cards wide.
        around_px = 61
        tone = np.asarray(
            cv2.resize(cv2.medianBlur(small, around_px), (view.shape[1], view.shape[0])), np.uint8
        )
    return largest_channel(np.asarray(cv2.absdiff(cv2.blur(view, (3, 3)), tone), np.uint8)) < LIKE_TABLE


def largest_channel(picture: Picture) -> Gray:
    """Return the largest of each pixel's three values."""
    largest = np.empty(picture.shape[:2], np.uint8)
    for rows in strips(len(picture)):
        # NumPy's own maximum over so short an axis takes ten times as long
        first, second, third = cv2.split(picture[rows])
        cv2.max(cv2.max(first, second, dst=first), third, dst=largest[rows])
    return largest


def strips(height: int) -> Iterator[slice]:
    """Yield the rows of a picture in strips, so that intermediate results stay in the cache.

    Memory for a whole picture has to be requested from the system each time, which takes longer than the
    sums.
    """
    strip_rows = 64  # rows of a picture to work on at once
    for first in range(0, height, strip_rows):
        yield slice(first, min(first + strip_rows, height))


def changed_since(before: Picture | None, view: Picture) -> Gray:
    """Mask the differences between two views of the table, (height, width); everything without a first."""
    if before is None:
        return np.full(view.shape[:2], 255, np.uint8)
    difference = cv2.absdiff(cv2.blur(before, (3, 3)), cv2.blur(view, (3, 3)))
    # Difference in any channel by which a pixel of the table changes when something else lies there.
    changed_steps = 22
    mask = np.asarray(largest_channel(np.asarray(difference, np.uint8)) > changed_steps, np.uint8) * np.uint8(
        255
    )
    size = round(1.6 * PX_PER_MM) | 1
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((size, size), np.uint8)), np.uint8)
