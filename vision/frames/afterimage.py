"""Measure how late a camera shows things because it mixes each picture with those before it.

A camera that takes noise away over time does so. What it shows of a hand that has left fades by the same
share from picture to picture until the floor is bare. A camera that does not mix its pictures shows the bare
floor in the next picture but one, at many places over which a hand's edge goes.
"""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Gray

Floats = NDArray[np.float32]

# Measured at 56 films of three renderers seen at 30 to 240 pictures a second, as they are and with 30 to 85 %
# of the last picture mixed in (`python -m benchmarks.disturbances --kinds none smear` edits films so):
_FASTEST, _FAST = 0.10, 0.20  # of all cells that fade; fewer are odd: something else came there
_ALIKE = 0.3  # where pictures are mixed, both keep shares as alike as this; of slow hands they differ more
_LEAST_KEPT = 0.12  # a share below this is that of slow hands or of noise: 0 to 0.12 at 30 and 60 a second
_CLEAR_GRAY = 30.0  # how much darker or brighter than the floor a cell must have been
_DIM_GRAY = 12.0  # a cell that falls to less at once has lost its share already
_BARE_GRAY = 6.0
_BARE_NS = 60_000_000  # for so long a cell must stay bare: nothing else came in a hand's place
_FEWEST_CELLS = 10
_EDGES = np.arange(-1.0, 1.01, 0.01)


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
        # of the cells that fade: which, which way, what was seen of each in the last picture, in how many
        # pictures, the share that stayed, and since when it is bare (-1 if it is not)
        self._fading = np.zeros((6, 0))

    def note(self, small: Gray | Floats, t_ns: int) -> None:
        """Take in a picture of the size of `rest` and in its light, nanoseconds after the one before."""
        before, now = self._before, small.ravel()[self._floor] - self._rest
        self._before = t_ns, now
        if before is None:
            return
        self._steps_ns.append(t_ns - before[0])
        hole = 1.5  # of the usual time between pictures
        if self._steps_ns[-1] >= hole * np.median(self._steps_ns):
            self._fading = self._fading[:, :0]
            return
        left = np.flatnonzero((np.abs(before[1]) > _CLEAR_GRAY) & (np.abs(now) <= _CLEAR_GRAY))
        new = np.zeros((6, len(left)))
        new[0], new[1], new[2], new[5] = left, np.sign(before[1][left]), np.abs(before[1][left]), -1
        self._fade(np.concatenate([self._fading, new], axis=1), now, t_ns)

    def _fade(self, fading: NDArray[np.float64], now: Floats, t_ns: int) -> None:
        """Look how far the cells that fade have come; those that have been bare for long are counted."""
        cells, sign, last, age, kept, bare_ns = fading
        gray = now[cells.astype(np.intp)] * sign
        is_bare = bare_ns >= 0
        rise_gray = 2  # noise
        steady = np.where(
            is_bare, np.abs(gray) <= _DIM_GRAY, (gray >= -_BARE_GRAY) & (gray <= last + rise_gray)
        )
        first, second = age == 0, (age == 1) & (last > _DIM_GRAY)
        share = gray / last.clip(1)
        kept = np.where(first, share.clip(0), np.where(second, share, kept))
        bare_ns = np.where(~is_bare & (np.abs(gray) <= _BARE_GRAY), t_ns, bare_ns)
        last = np.where(is_bare, last, gray)
        done = steady & is_bare & (t_ns - bare_ns >= _BARE_NS)
        self._kept += np.histogram(kept[done], _EDGES)[0]
        self._fading = np.stack([cells, sign, last, age + 1, kept, bare_ns])[:, steady & ~done]

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

    @property
    def hides_causes(self) -> bool:
        """Whether things show so late that a card moves before its hand seems to have come to it."""
        most_ns = 20e6  # a hand at 2 m/s goes 40 mm, most of a card, in this time
        return (self.lag_ns or 0.0) > most_ns

    def leaves_open(self, *, touched: bool) -> bool:
        """Tell whether things show too late to say when they moved; also if that is unknown of a touch."""
        most_ns = 7e6  # by how much differs from card to card, and an interval is no wider for it
        few = int(self._kept.sum()) < _FEWEST_CELLS
        return (few and touched) or (self.lag_ns or 0.0) > most_ns
