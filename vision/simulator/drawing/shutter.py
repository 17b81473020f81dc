"""The exposure of each row of a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.simulator.drawing.paths import Floats


@dataclass(frozen=True, slots=True)
class Shutter:
    """Exposure time of each row, and how much later the last row is than the first, in seconds."""

    exposure_s: float
    readout_s: float

    @property
    def reach_s(self) -> float:
        """Time from the middle of the frame to its first or last light."""
        return (self.exposure_s + self.readout_s) / 2

    def row_weights(self, times: Floats, t_s: float, rows: Floats, height: int) -> Floats:
        """Return the weight of each sample in each row, (samples, rows); a row's weights add up to 1."""
        middle = t_s + ((rows + 0.5) / height - 0.5) * self.readout_s
        half_step = float(times[1] - times[0]) / 2
        opens, closes = middle - self.exposure_s / 2, middle + self.exposure_s / 2
        inside = np.minimum(times[:, None] + half_step, closes) - np.maximum(
            times[:, None] - half_step, opens
        )
        inside = np.maximum(inside, 0)
        return np.asarray(inside / inside.sum(axis=0))
