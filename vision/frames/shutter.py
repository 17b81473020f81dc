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

from calibration.clocks.ripple import bands_of, find_ripple
from vision.frames.frame import Frame

Floats = NDArray[np.float64]

SLOWEST_NS = 14e6
"""From the first row to the last; it also never takes longer than a frame."""
LEAST_SIGMA_NS = 200_000.0


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


def combined(known: Sequence[Readout], frame_step_ns: float) -> Readout:
    """Return the read-out that several measurements and the usual cameras agree on: its mean by Bayes' rule.

    A camera has a global shutter or a rolling one: where measurements tell which, all of the doubt between
    the two is gone. Some measurements are false, and then they tell little. Without any it is what is known
    from the time between frames alone; 0 stands for an unknown one.
    """
    longest_ns = _longest_ns(frame_step_ns)
    step_ns = 100_000.0
    tried = np.arange(0.0, longest_ns + step_ns / 2, step_ns)
    # How often a sensor has a global shutter, and how often a rolling one that takes most of the longest
    # read-out, from this share of it on; the others may take anything. Fast modes read as fast as frames
    # come.
    global_share, rolling_share, slow_share = 0.35, 0.5, 0.6
    slow = tried >= slow_share * longest_ns
    chance = (1 - global_share - rolling_share) / len(tried) + rolling_share * slow / slow.sum()
    chance[0] += global_share
    false_share, false_sigmas = 0.1, 4.0  # share of measurements that are so many times worse than they say
    for one in known:
        off = (tried - one.mean_ns) / one.sigma_ns
        true, false = np.exp(-(off**2) / 2), np.exp(-((off / false_sigmas) ** 2) / 2) / false_sigmas
        chance = chance * ((1 - false_share) * true + false_share * false)
    chance = chance / chance.sum()
    mean_ns = float(chance @ tried)
    sigma_ns = float(np.sqrt(chance @ (tried - mean_ns) ** 2))
    return Readout(mean_ns, float(np.hypot(sigma_ns, LEAST_SIGMA_NS)))


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
        most_poems = 20
        while len(self._sheared) > most_poems:
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
        most_frames = 240
        return len(self._times) >= most_frames

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
        fewest_frames = 20
        shortest_ns = 250_000_000
        if len(self._times) < fewest_frames or self._times[-1] - self._times[0] < shortest_ns:
            return None
        times_s = (np.array(self._times, np.float64) - self._times[0]) / 1e9
        found = find_ripple(times_s, np.stack(self._rows), SLOWEST_NS / 1e9)
        return None if found is None else Readout(found.readout_s * 1e9, found.sigma_s * 1e9)
