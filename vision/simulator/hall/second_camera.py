"""Another camera of the same match: its side, its slant, and its clock."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.style import Style

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


Stand = Literal["near", "left", "far", "right"]


@dataclass(frozen=True, slots=True)
class SecondCamera:
    """The settings of a second camera; everything else is drawn at random as for the first one."""

    fps: float = 60.0  # nominal frames a second
    size: tuple[int, int] = (1280, 720)  # width and height of its pictures in pixels
    stand: Stand = "left"  # the side of the field on which it stands
    tilt_deg: float = 35.0  # angle of its axis from the vertical: 0 from above, 60 from low down
    distance_m: float = 1.9  # from its lens to the centre of the field
    across_m: float = 1.6  # width of the field that its picture shows there
    clock_s: float = 0.0  # time on its clock when the match begins; negative if it was switched on later

    def draw(self, hall: Style, dice: np.random.Generator) -> ObliqueCamera:
        """Draw a random camera, as crooked as people mount it."""
        tilt_rad = float(np.deg2rad(self.tilt_deg + dice.uniform(-2.0, 2.0)))
        return ObliqueCamera(
            width_px=self.size[0],
            height_px=self.size[1],
            across_m=self.across_m,
            height_m=self.distance_m * float(np.cos(tilt_rad)),
            tilt_rad=tilt_rad,
            roll_rad=float(np.deg2rad(dice.uniform(-2.0, 2.0))),
            offset_m=(float(dice.uniform(-0.02, 0.02)), float(dice.uniform(-0.02, 0.02))),
            k1=float(dice.uniform(*hall.k1)),
            azimuth_rad=AZIMUTHS_RAD[self.stand] + float(np.deg2rad(dice.uniform(-3.0, 3.0))),
        )
