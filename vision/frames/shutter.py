"""Rolling shutters: how much later the last row of a picture is exposed than the first.

A frame's time is that of its middle row; an event at another row is seen earlier or later by a share of the
read-out. The ripple of mains lamps gives the read-out exactly: it brightens the rows of a picture one after
another, and the phase of each row's ripple over many pictures is that row's delay. If no lamp ripples, the
read-out is assumed to be that of a usual camera, with the uncertainty this implies.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.clocks.readout import bands_of, find_ripple
from vision.frames.frame import Frame

Floats = NDArray[np.float64]

SLOWEST_NS = 14e6  # from the first row to the last; it also never takes longer than a frame
LEAST_SIGMA_NS = 200_000.0  # standard deviation that remains of any measurement


@dataclass(frozen=True, slots=True)
class Readout:
    """The time from the first row's exposure to the last row's, with its standard deviation, nanoseconds."""

    mean_ns: float
    sigma_ns: float

    def delay_at(self, row_share: float) -> tuple[float, float]:
        """Return how much later than the frame's time a row is exposed, and its 95 % half width, nanoseconds.

        `row_share`: the row divided by the picture's height, 0 at the top, 1 at the bottom.
        """
        off = row_share - 0.5
        return off * self.mean_ns, 2 * abs(off) * self.sigma_ns


def usual(frame_step_ns: float) -> Readout:
    """Return the read-out of a usual camera, given the time between frames; 0 stands for an unknown one.

    It has a global shutter or a rolling one.
    """
    longest_ns = min(frame_step_ns, SLOWEST_NS) if frame_step_ns > 0 else SLOWEST_NS
    step_ns = 100_000.0
    tried = np.arange(0.0, longest_ns + step_ns / 2, step_ns)
    # How often a sensor has a global shutter, and how often a rolling one that takes at least `slow_share` of
    # the longest read-out; all other read-outs are equally likely. Fast modes read as fast as frames come.
    global_share, rolling_share, slow_share = 0.35, 0.5, 0.6
    slow = tried >= slow_share * longest_ns
    chance = (1 - global_share - rolling_share) / len(tried) + rolling_share * slow / slow.sum()
    chance[0] += global_share
    mean_ns = float(chance @ tried)
    return Readout(mean_ns, float(np.sqrt(chance @ (tried - mean_ns) ** 2)))


class RowClock:
    """Learns a camera's read-out over all poems that it films.

    `measured`: the read-out measured on the bench; lamps that ripple now take precedence.
    """

    def __init__(self, measured: Readout | None = None) -> None:
        self.ripple = RippleMeter()
        self._measured = measured

    def note(self, frame: Frame) -> None:
        """Note a frame of a field at rest, as long as that may tell more about rippling lamps."""
        if not self.ripple.full:
            # some JPEG frames are only glanced at: rows must be averaged in the same way in all of them
            self.ripple.note(frame.t_ns, bands_of(frame.gray if frame.jpeg is None else frame.eighth()))

    def readout(self, frame_step_ns: float) -> Readout:
        """Return the read-out as far as it is known, for frames `frame_step_ns` apart."""
        rippled = self.ripple.readout()
        if rippled is not None:
            return rippled
        if self._measured is not None:
            return self._measured
        return usual(frame_step_ns)


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
        """Note a frame: the mean brightness of each band of rows, from top to bottom.

        If the number of bands changes, the camera was knocked and sees other rows: earlier frames are
        dropped.
        """
        if self._rows and len(self._rows[-1]) != len(brightness):
            self._times, self._rows = [], []
        if not self.full:
            self._times.append(t_ns)
            self._rows.append(np.asarray(brightness, np.float64))

    def readout(self) -> Readout | None:
        """Return the read-out, None if no lamp was seen to ripple."""
        fewest_frames = 20
        shortest_ns = 250_000_000
        if len(self._times) < fewest_frames or self._times[-1] - self._times[0] < shortest_ns:
            return None
        times_s = (np.array(self._times, np.float64) - self._times[0]) / 1e9
        found = find_ripple(times_s, np.stack(self._rows), SLOWEST_NS / 1e9)
        return None if found is None else Readout(found.readout_s * 1e9, found.sigma_s * 1e9)
