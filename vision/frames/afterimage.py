"""Measure how late a camera shows things because it mixes each picture with those before it.

A camera that takes noise away over time does so. What it shows of a hand that has left fades by the same
share from picture to picture, and nothing fades faster. A camera that does not mix its pictures shows bare
floor in the next one, at least at the edges of fast hands.
"""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Gray

Floats = NDArray[np.float32]

# Measured at 28 films of two renderers seen at 30 to 240 pictures a second, as they are and with 20 to 85 %
# of the last picture mixed in (`python -m benchmarks.disturbances --kinds none smear` edits films so):
_FASTEST, _FAST = 0.01, 0.05  # of all cells that fade
_ALIKE = 0.15  # where pictures are mixed, both keep shares as alike as this; of slow hands they differ more
_LEAST_KEPT = 0.25  # a share below this is that of slow hands or of noise: 0 to 0.22
_CLEAR_GRAY = 30.0  # how much darker or brighter than the floor a cell must have been
_FEWEST_CELLS = 10
_EDGES = np.arange(-0.02, 0.96, 0.01)  # what stays of a cell; less is something else that came there


class Afterimage:
    """Measures by which share things that left stay in the next picture.

    Parameters
    ----------
    rest : the field at rest, small, (h, w).
    cards : (S, 4), around each card left, top, right and bottom: they move, the floor beside them does not.
    known_ns : how late the camera was found to be before, nanoseconds; 0 if nobody found it late.
    """

    def __init__(self, rest: Gray, cards: NDArray[np.intp], known_ns: float = 0.0) -> None:
        self._known_ns = known_ns
        floor = np.ones(rest.shape, np.bool_)
        for x0, y0, x1, y1 in cards:
            floor[y0:y1, x0:x1] = False
        self._floor = np.flatnonzero(floor)
        self._rest = rest.ravel()[self._floor].astype(np.float32)
        self._before: tuple[int, Floats] | None = None
        self._steps_ns: deque[int] = deque(maxlen=50)
        self._kept = np.zeros(len(_EDGES) - 1, np.int64)

    def note(self, small: Gray | Floats, t_ns: int) -> None:
        """Take in a picture of the size of `rest` and in its light, nanoseconds after the one before."""
        before, now = self._before, small.ravel()[self._floor] - self._rest
        self._before = t_ns, now
        if before is None:
            return
        self._steps_ns.append(t_ns - before[0])
        hole = 1.5  # of the usual time between pictures
        if self._steps_ns[-1] < hole * np.median(self._steps_ns):
            clear = np.abs(before[1]) > _CLEAR_GRAY
            self._kept += np.histogram(now[clear] / before[1][clear], _EDGES)[0]

    @property
    def lag_ns(self) -> float | None:
        """How late things are shown to move, nanoseconds; None if too little was seen to leave its place."""
        cells = np.cumsum(self._kept)
        if cells[-1] < _FEWEST_CELLS:
            return self._known_ns or None
        least, kept = (float(_EDGES[np.searchsorted(cells, each * cells[-1])]) for each in (_FASTEST, _FAST))
        if kept - least > _ALIKE:
            kept = least
        return 0.0 if kept < _LEAST_KEPT else kept / (1 - kept) * float(np.median(self._steps_ns))

    def leaves_open(self, *, touched: bool) -> bool:
        """Tell whether things show too late to say when they moved; also if that is unknown of a touch."""
        most_ns = 10e6  # by how much differs from card to card, and an interval is no wider for it
        few = int(self._kept.sum()) < _FEWEST_CELLS
        return (few and touched) or (self.lag_ns or 0.0) > most_ns
