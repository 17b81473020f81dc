"""How much later the last row of a picture is exposed than the first: rolling shutters.

A frame's time is that of its middle row; what happens at another row is seen earlier or later by a share of
the read-out. The ripple of mains lamps tells the read-out exactly: it brightens the rows of one picture one
after another, and the phase at which each row ripples over many pictures is the row's own delay. Where no
lamp ripples, the read-out is taken to be that of a usual camera, and the doubt about it is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.ripple import bands_of, find_ripple
from vision.frames import Frame

Floats = NDArray[np.float64]

SLOWEST_NS = 14e6
"""From the first row to the last; it also never takes longer than a frame."""
_FEWEST_FRAMES = 20
_SHORTEST_NS = 250_000_000
_MOST_FRAMES = 240
LEAST_SIGMA_NS = 200_000.0
_MOST_POEMS = 20
_ROUNDS = 5
_HUBER = 1.5
_USUAL_SHARE = 0.5
"""Of the longest read-out: sensors with a global shutter have none, others need half a frame and more."""
_USUAL_SIGMA_SHARE = 0.4


@dataclass(frozen=True, slots=True)
class Readout:
    """The time from the first row's exposure to the last row's, with its standard deviation."""

    mean_ns: float
    sigma_ns: float

    def delay_at(self, row_share: float) -> tuple[float, float]:
        """Return how much later than the frame's time a row is exposed, and the 95 % half width of that.

        Parameters
        ----------
        row_share : the row divided by the picture's height, 0 at the top, 1 at the bottom.
        """
        off = row_share - 0.5
        return off * self.mean_ns, 2 * abs(off) * self.sigma_ns


def usual_readout(frame_step_ns: float) -> Readout:
    """Return what is known of a camera's read-out from the time between its frames alone, 0 for unknown."""
    longest = _longest_ns(frame_step_ns)
    return Readout(_USUAL_SHARE * longest, _USUAL_SIGMA_SHARE * longest / 2**0.5)


def combined(known: Sequence[Readout], frame_step_ns: float) -> Readout:
    """Return the read-out that several measurements and the usual one agree on.

    Measurements that lie far from the others count less, as Huber weighs them (source in docs/credits.md).
    """
    usual = usual_readout(frame_step_ns)
    every = [usual, *known]
    means = np.array([one.mean_ns for one in every])
    sigmas = np.array([one.sigma_ns for one in every])
    mean = float(np.median(means))
    weight = sigmas**-2
    for _ in range(_ROUNDS):
        off = np.abs(means - mean) / sigmas
        weight = np.minimum(1.0, _HUBER / np.maximum(off, 1e-9)) / sigmas**2
        mean = float(weight @ means / weight.sum())
    sigma = float(np.hypot(weight.sum() ** -0.5, LEAST_SIGMA_NS))
    return Readout(float(np.clip(mean, 0.0, _longest_ns(frame_step_ns))), min(sigma, usual.sigma_ns))


def _longest_ns(frame_step_ns: float) -> float:
    """Return how long a read-out may take: where frames were lost their step is not known."""
    return min(frame_step_ns, SLOWEST_NS) if frame_step_ns > 0 else SLOWEST_NS


class RowClock:
    """Learns a camera's read-out, over as many poems as it films.

    Parameters
    ----------
    measured : what the bench found of this camera; lamps that ripple now are believed before it.
    """

    def __init__(self, measured: Readout | None = None) -> None:
        self.ripple = RippleMeter()
        self._measured = measured
        self._sheared: dict[int, Sequence[Readout]] = {}

    def note(self, frame: Frame) -> None:
        """Take in a frame of a field at rest, as long as that may tell more of lamps that ripple."""
        if not self.ripple.full:
            # of JPEG some frames are only glanced at: rows must be the same mean in all of them
            self.ripple.note(frame.t_ns, bands_of(frame.gray if frame.jpeg is None else frame.eighth()))

    def note_sheared(self, poem_ns: int, readouts: Sequence[Readout]) -> None:
        """Take in what the cards that flew in a poem tell; a poem is known by any instant of its own."""
        self._sheared[poem_ns] = readouts
        while len(self._sheared) > _MOST_POEMS:
            del self._sheared[next(iter(self._sheared))]

    def readout(self, frame_step_ns: float) -> Readout:
        """Return the read-out as far as it is known, for frames that come `frame_step_ns` apart."""
        rippled = self.ripple.readout()
        if rippled is not None:
            return rippled
        if self._measured is not None:
            return self._measured
        return combined([one for poem in self._sheared.values() for one in poem], frame_step_ns)


class RippleMeter:
    """Watches the rows' brightness for the ripple of lamps."""

    def __init__(self) -> None:
        self._times: list[int] = []
        self._rows: list[Floats] = []

    @property
    def full(self) -> bool:
        """Whether enough frames were noted."""
        return len(self._times) >= _MOST_FRAMES

    def note(self, t_ns: int, brightness: Floats) -> None:
        """Take in a frame: the mean brightness of each band of rows, from top to bottom.

        A camera that was knocked looks at other rows: what was noted of the old ones says nothing about them.
        """
        if self._rows and len(self._rows[-1]) != len(brightness):
            self._times, self._rows = [], []
        if not self.full:
            self._times.append(t_ns)
            self._rows.append(np.asarray(brightness, np.float64))

    def readout(self) -> Readout | None:
        """Return the read-out, None where no lamp was seen to ripple."""
        if len(self._times) < _FEWEST_FRAMES or self._times[-1] - self._times[0] < _SHORTEST_NS:
            return None
        times_s = (np.array(self._times, np.float64) - self._times[0]) / 1e9
        found = find_ripple(times_s, np.stack(self._rows), SLOWEST_NS / 1e9)
        return None if found is None else Readout(found.readout_s * 1e9, found.sigma_s * 1e9)
