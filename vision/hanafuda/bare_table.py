"""What a table looks like where nothing lies on it: whatever shows the table itself is no part of a card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.frames.frame import Gray
from vision.plane.table_plane import PX_PER_MM

LIKE_TABLE: Final = 34
"""Steps of any channel within which a pixel may be the table's: grain, weave and shading."""
DOUBTFUL: Final = 80
"""Mask value where the table only seems to show, by its colour; 255 is where it is known to."""


class BareTable:
    """Learns what the bare table looks like; see `learn` and `shows`."""

    def __init__(self) -> None:
        self._picture: Picture | None = None
        self._known: NDArray[np.bool_] | None = None

    def learn(self, view: Picture, covered: Gray) -> None:
        """Take over what shows of the table.

        Parameters
        ----------
        view : the table from above, shape (height, width, 3).
        covered : mask of the same size, not 0 where cards lie.
        """
        bare = (covered == 0) & like_table(view)
        soft = cv2.blur(view, (3, 3))
        if self._picture is None or self._known is None:
            self._picture, self._known = np.asarray(soft, np.uint8), bare
        else:
            self._picture[bare] = soft[bare]
            self._known |= bare

    def shows(self, view: Picture) -> Gray:
        """Mask where a view shows the bare table, 255 there; before the first is learnt, `DOUBTFUL`."""
        if self._picture is None or self._known is None:
            return np.asarray(like_table(view), np.uint8) * np.uint8(DOUBTFUL)
        difference = largest_channel(np.asarray(cv2.absdiff(cv2.blur(view, (3, 3)), self._picture), np.uint8))
        # Steps of any channel within which a pixel still shows what it showed when it was bare.
        unchanged_steps = 9
        return np.asarray((difference < unchanged_steps) & self._known, np.uint8) * np.uint8(255)


def like_table(view: Picture, tone: Picture | None = None) -> NDArray[np.bool_]:
    """Tell which pixels have about the colour that prevails around them.

    Parameters
    ----------
    view : shape (height, width, 3).
    tone : that colour, of the same shape, where it is known.
    """
    if tone is None:
        scale = 0.25  # The table's colour is taken from a picture this much smaller.
        small = cv2.resize(view, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        # Side of the square of small pixels, several cards wide, whose median is the table's colour there.
        around_px = 61
        tone = np.asarray(
            cv2.resize(cv2.medianBlur(small, around_px), (view.shape[1], view.shape[0])), np.uint8
        )
    return largest_channel(np.asarray(cv2.absdiff(cv2.blur(view, (3, 3)), tone), np.uint8)) < LIKE_TABLE


def largest_channel(picture: Picture) -> Gray:
    """Return the largest of each pixel's three values."""
    largest = np.empty(picture.shape[:2], np.uint8)
    for rows in strips(len(picture)):
        # the array library's own maximum over so short an axis takes ten times as long
        first, second, third = cv2.split(picture[rows])
        cv2.max(cv2.max(first, second, dst=first), third, dst=largest[rows])
    return largest


def strips(height: int) -> Iterator[slice]:
    """Yield the rows of a picture some at a time: what is made of so few stays in the cache.

    Memory for a whole picture has to be asked of the system anew each time, which takes longer than the sums.
    """
    strip_rows = 64  # Rows of a picture that are worked on at once.
    for first in range(0, height, strip_rows):
        yield slice(first, min(first + strip_rows, height))


def changed_since(before: Picture | None, view: Picture) -> Gray:
    """Mask what differs between two views of the table, shape (height, width); all of it without a first."""
    if before is None:
        return np.full(view.shape[:2], 255, np.uint8)
    difference = cv2.absdiff(cv2.blur(before, (3, 3)), cv2.blur(view, (3, 3)))
    # Steps by which a pixel of the table changes, in any channel, when another thing lies there.
    changed_steps = 22
    mask = np.asarray(largest_channel(np.asarray(difference, np.uint8)) > changed_steps, np.uint8) * np.uint8(
        255
    )
    size = round(1.6 * PX_PER_MM) | 1
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((size, size), np.uint8)), np.uint8)
