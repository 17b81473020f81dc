"""Another camera of the same match: its side, its slant, and its clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from vision.simulator.drawing.oblique_camera import AZIMUTHS_RAD, ObliqueCamera
from vision.simulator.drawing.style import Style

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
