"""Measure how late a camera shows things because it mixes each picture with those before it.

A camera that takes noise away over time does so. What it shows of a hand that has left fades by the same
share from picture to picture until the floor is bare. A camera that does not mix its pictures shows the bare
floor in the next picture but one, at many places over which a hand's edge goes.
"""

from collections import deque

import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import LACKING_STEPS, Gray

Floats = NDArray[np.float32]

# Measured at 56 films of three renderers seen at 30 to 240 pictures a second, as they are and with 30 to 85 %
# of the last picture mixed in (`python -m benchmarks.disturbances --kinds none smear` edits films so):
# of all that fades the part that is bare at once, by the time between pictures: in a longer one hands go on
# farther; nanoseconds
_STEPS_NS, _PARTS = (8e6, 17e6), (0.10, 0.30)
_FAST, _SLOW = 0.20, 0.40
_ALIKE = 0.2  # where pictures are mixed, these parts keep shares as alike as this; of slow hands they differ
_ODD = 0.15  # then hardly more than this part is bare at once
_LEAST_KEPT = 0.12  # a share below this is that of slow hands or of noise: 0 to 0.12 at 30 and 60 a second
_CLEAR_GRAY = 30.0  # how much darker or brighter than the floor a cell must have been
_DIM_GRAY = 12.0  # a cell that falls to less at once has lost its share already
_BARE_GRAY = 6.0
_BARE_NS = 60_000_000  # for so long a cell must stay bare: nothing else came in a hand's place
_FEWEST_CELLS = 10
_EDGES = np.arange(0.0, 1.01, 0.01)


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
        # of the cells that have faded: how many, and how clear those were that kept each share, gray
        self._cells = 0
        self._kept = np.zeros(len(_EDGES) - 1)
        # of the cells that fade: which, which way, what was seen of each in the last picture, in how many
        # pictures, the share that stayed, since when it is bare (-1 if it is not), and of what it is a share
        self._fading = np.zeros((7, 0))

    def note(self, small: Gray | Floats, t_ns: int) -> None:
        """Take in a picture of the size of `rest` and in its light, nanoseconds after the one before."""
        before, now = self._before, small.ravel()[self._floor] - self._rest
        self._before = t_ns, now
        if before is None:
            return
        self._steps_ns.append(t_ns - before[0])
        if self._steps_ns[-1] >= LACKING_STEPS * np.median(self._steps_ns):
            self._fading = self._fading[:, :0]
            return
        left = np.flatnonzero((np.abs(before[1]) > _CLEAR_GRAY) & (np.abs(now) <= _CLEAR_GRAY))
        new = np.zeros((7, len(left)))
        new[0], new[1], new[2], new[5] = left, np.sign(before[1][left]), np.abs(before[1][left]), -1
        self._fade(np.concatenate([self._fading, new], axis=1), now, t_ns)

    def _fade(self, fading: NDArray[np.float64], now: Floats, t_ns: int) -> None:
        """Look how far the cells that fade have come; those that have been bare for long are counted."""
        cells, sign, last, age, kept, bare_ns, clear = fading
        gray = now[cells.astype(np.intp)] * sign
        is_bare = bare_ns >= 0
        rise_gray = 2  # noise
        steady = np.where(
            is_bare, np.abs(gray) <= _DIM_GRAY, (gray >= -_BARE_GRAY) & (gray <= last + rise_gray)
        )
        first, second = age == 0, (age == 1) & (last > _DIM_GRAY)
        kept = np.where(first | second, (gray / last.clip(1)).clip(0, 1), kept)
        clear = np.where(first | second, last, clear)
        bare_ns = np.where(~is_bare & (np.abs(gray) <= _BARE_GRAY), t_ns, bare_ns)
        last = np.where(is_bare, last, gray)
        done = steady & is_bare & (t_ns - bare_ns >= _BARE_NS)
        self._cells += int(done.sum())
        self._kept += np.histogram(kept[done], _EDGES, weights=clear[done])[0]
        self._fading = np.stack([cells, sign, last, age + 1, kept, bare_ns, clear])[:, steady & ~done]

    @property
    def lag_ns(self) -> float | None:
        """How late things are shown to move, nanoseconds; None if too little was seen to leave its place."""
        if self._cells < _FEWEST_CELLS:
            return self._known_ns or None
        step_ns = float(np.median(self._steps_ns))
        parts = _ODD, _FAST, _SLOW, float(np.interp(step_ns, _STEPS_NS, _PARTS))
        clear = np.cumsum(self._kept)
        odd, fast, slow, kept = (float(_EDGES[np.searchsorted(clear, part * clear[-1])]) for part in parts)
        if slow - fast > _ALIKE:
            kept = odd
        return 0.0 if kept < _LEAST_KEPT else kept / (1 - kept) * step_ns

    @property
    def hides_causes(self) -> bool:
        """Whether things show so late that a card moves before its hand seems to have come to it."""
        most_ns = 20e6  # a hand at 2 m/s goes 40 mm, most of a card, in this time
        return (self.lag_ns or 0.0) > most_ns

    def leaves_open(self, *, touched: bool) -> bool:
        """Tell whether things show too late to say when they moved; also if that is unknown of a touch."""
        most_ns = 7e6  # by how much differs from card to card, and an interval is no wider for it
        few = self._cells < _FEWEST_CELLS
        return (few and touched) or (self.lag_ns or 0.0) > most_ns
