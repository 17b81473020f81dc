"""Measure how far a camera mixes each picture with those before it, to take noise away.

What such a camera shows of a hand that has left fades by the same share from picture to picture, and all
that moves seems to come late. Where a camera does not do that, brightness hardly ever falls so evenly.
Of the cells of the players' map that grew more like the floor in two steps, one to three in ten did so
by like shares in 18 clips of two renderers at 30 to 240 pictures a second, and seven to nine in ten
where three quarters of the last picture were mixed in (`python -m benchmarks.disturbances --kinds none
smear` edits films so).
"""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Gray

Floats = NDArray[np.float32]

_SMEARED_SHARE = 0.4  # between both; half of the last picture mixed in gives 0.2 to 0.7
_FEWEST_CELLS = 150  # of hands that left: with fewer nothing is told


class Afterimage:
    """Counts how brightness falls back to that of the field at rest."""

    def __init__(self, rest: Gray) -> None:
        self._rest = rest.astype(np.float32)
        self._off: deque[Floats] = deque(maxlen=3)
        self._falls = self._even = 0

    def note(self, small: Gray) -> None:
        """Take in the next picture, of the size of `rest`."""
        self._off.append(small.astype(np.float32) - self._rest)
        if len(self._off) < 3:
            return
        before, middle, now = self._off
        clear_gray, faint_gray = (
            30.0,
            12.0,
        )  # how much darker or brighter than the floor a cell must have been
        clear = np.flatnonzero(np.abs(before) > clear_gray)
        first = middle.ravel()[clear] / before.ravel()[clear]
        least, most = 0.15, 0.9  # shares that stay; slow shades fall by less
        falls = (first > least) & (first < most) & (np.abs(middle.ravel()[clear]) > faint_gray)
        clear, first = clear[falls], first[falls]
        second = now.ravel()[clear] / middle.ravel()[clear]
        alike = 0.06  # noise and rounding of a cell that fades
        self._falls += int(np.count_nonzero(second < most))
        self._even += int(np.count_nonzero((second < most) & (np.abs(second - first) < alike)))

    @property
    def is_smeared(self) -> bool:
        """Whether pictures show so much of those before them that instants are late by unknown times."""
        return self._falls >= _FEWEST_CELLS and self._even > _SMEARED_SHARE * self._falls
