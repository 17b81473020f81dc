"""A camera that looks at the field at a slant: from a side, or from low down behind a player."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.paths import Floats

AZIMUTHS_RAD = {"near": 0.0, "left": np.pi / 2, "far": np.pi, "right": -np.pi / 2}
"""Direction of a camera's stand, by side of the field."""
_STEP_M = 0.01


@dataclass(frozen=True)
class ObliqueCamera(Camera):
    """A camera that stands on any side of the field and leans towards its middle.

    At such a slant a thing's size in the picture depends on its place, and flat things look narrower along
    the view than across it.
    """

    # where it stands, as in `AZIMUTHS_RAD`; `tilt_rad` is how far its axis leans from there
    azimuth_rad: float = 0.0

    @cached_property
    def _turn(self) -> Floats:
        cos, sin = np.cos(self.azimuth_rad), np.sin(self.azimuth_rad)
        return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])

    @cached_property
    def _axes(self) -> Floats:
        return np.asarray(super()._axes @ self._turn.T)

    @cached_property
    def _lens_m(self) -> Floats:
        back = self._turn @ np.array([0.0, self.height_m * np.tan(self.tilt_rad), self.height_m])
        return np.asarray(np.array([*self.offset_m, 0.0]) + back)

    def px_per_m_at(self, height_m: float, at_m: Floats | None = None) -> float:
        """Return pixels per metre at a height above (x, y), by default where the axis meets the field."""
        x, y = self.offset_m if at_m is None else (float(at_m[0]), float(at_m[1]))
        depth_m = float(self._axes[2] @ (np.array([x, y, height_m]) - self._lens_m))
        return self._focal_px / max(depth_m, _STEP_M)

    def right_px(self, at_m: Floats, angle_rad: float) -> Floats:
        """Return the direction (2,) of a flat thing's own right in the picture, pixels per metre."""
        step = np.array([np.cos(angle_rad), np.sin(angle_rad), 0.0]) * _STEP_M
        ends = self.to_image(np.stack([at_m, np.asarray(at_m) + step]))
        return np.asarray((ends[1] - ends[0]) / _STEP_M)
