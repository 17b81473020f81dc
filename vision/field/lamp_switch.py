"""Measure how bright the field is during a poem, and between which pictures a lamp was switched."""

from __future__ import annotations

from collections import deque

import numpy as np

from vision.field.resting_map import UNIT, median_of
from vision.frames.frame import Gray


class Lighting:
    """Follows the light over the field, relative to its resting picture."""

    def __init__(self) -> None:
        kept_changes = 20_000  # changes of the light: more than a minute of flicker at 240 fps
        # first and last instant of a level, and the level in hundredths
        self._levels: deque[tuple[int, int, int]] = deque(maxlen=kept_changes)
        latest_pictures = 5  # pictures that tell the present brightness
        self._latest: deque[int] = deque([round(UNIT)], maxlen=latest_pictures)

    def note(self, light: Gray, t_ns: int) -> None:
        """Note the light (h, w), in hundredths, of the next frame."""
        level = median_of(light)
        self._latest.append(level)
        if self._levels and self._levels[-1][2] == level:
            self._levels[-1] = self._levels[-1][0], t_ns, level
        else:
            self._levels.append((t_ns, t_ns, level))

    @property
    def factor(self) -> float:
        """Brightness of the field now, as a multiple of that in its resting picture."""
        return float(np.median(self._latest)) / UNIT

    def farthest_since(self, t_ns: int) -> float:
        """Return the brightness since an instant that differed most from that of the resting picture.

        Single pictures do not count: an arm may fill most of one.
        """
        since = [(level, last_ns > first_ns) for first_ns, last_ns, level in self._levels if last_ns >= t_ns]
        levels = np.array([level for level, lasts in since for _ in range(1 + lasts)], np.float64) / UNIT
        middles = (
            np.median(np.stack([levels[:-2], levels[1:-1], levels[2:]]), axis=0) if len(levels) > 2 else ()
        )
        factors = np.maximum([self.factor, *middles], 1 / UNIT)
        return float(factors[np.abs(np.log(factors)).argmax()])

    def switched_ns(self) -> tuple[int, int] | None:
        """Return the instants between which the light of the resting picture became the present light.

        Returns: the last picture before the change and the first one after it, nanoseconds; None if that was
        not seen.
        """
        whole = float(np.log(self.factor))
        least_factor = 1.1  # smallest factor that is seen through flicker and noise
        if abs(whole) < np.log(least_factor):
            return None
        way = np.log(np.array([level for _, _, level in self._levels]) / UNIT)
        # shares of the log factor from the light at rest to the present light
        begun_share, done_share = 0.25, 0.75
        begun = np.flatnonzero(way / whole > begun_share)[0]
        done = np.flatnonzero(way / whole < done_share)
        if not begun or not len(done):
            return None
        return self._levels[begun - 1][1], self._levels[min(done[-1] + 1, len(way) - 1)][0]
