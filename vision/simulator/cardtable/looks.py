"""The look of a simulated card table: surface, people, light, lens and sensor.

A look gives ranges, from which a film's seed draws. `holdout` is reserved: nothing is tuned on it.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.style import STYLES, Colour, Range, Style


@dataclass(frozen=True, slots=True)
class Look:
    """One table in one room."""

    hall: Style  # surface, people, light and sensor, as for a karuta hall
    back: Colour
    # pile_turn_deg, slot_turn_deg: standard deviation of the angles at which cards lie in captured piles and
    # on the field
    pile_turn_deg: float = 2.5
    slot_turn_deg: float = 4.0
    slip_mm: float = 2.0  # standard deviation of the cards' distance from their places
    fan_mm: Range = (12.0, 17.0)  # distance between cards in a captured fan
    shade: Range = (0.0, 0.3)  # how much darker the table is beyond the edge of a shadow, 0..1
    warm: float = 0.02  # standard deviation of the error of the white balance
    # tilt_deg, roll_deg, height_m: ranges of the camera's pose
    tilt_deg: Range = (0.0, 3.0)
    roll_deg: Range = (-1.0, 1.0)
    height_m: Range = (0.95, 1.3)
    k1: Range = (-0.04, 0.005)  # range of the lens's radial distortion

    def camera(
        self, rng: np.random.Generator, size_px: tuple[int, int], table_mm: tuple[float, float]
    ) -> Camera:
        """Draw a random camera that sees the whole table."""
        aspect = size_px[0] / size_px[1]
        headroom_m = 0.06  # from the table's edges to the picture's, in total
        needed_m = max(table_mm[0] / 1000 + headroom_m, (table_mm[1] / 1000 + headroom_m) * aspect)
        return Camera(
            width_px=size_px[0],
            height_px=size_px[1],
            across_m=needed_m * float(rng.uniform(1.0, 1.06)),
            height_m=float(rng.uniform(*self.height_m)),
            tilt_rad=float(np.deg2rad(rng.uniform(*self.tilt_deg))),
            roll_rad=float(np.deg2rad(rng.uniform(*self.roll_deg))),
            offset_m=(float(rng.uniform(-0.008, 0.008)), float(rng.uniform(-0.005, 0.005))),
            k1=float(rng.uniform(*self.k1)),
        )


_BLACK_BACK: Final = (34, 30, 32)
_RED_BACK: Final = (38, 34, 120)

LOOKS: Final[dict[str, Look]] = {
    "wood": Look(
        replace(
            STYLES["tatami"],
            floor="planks",
            floor_colour=(92, 128, 166),
            exposure_s=(0.004, 0.009),
            noise=(1.2, 2.2),
        ),
        _BLACK_BACK,
    ),
    "cloth": Look(
        replace(
            STYLES["hall"],
            floor="felt",
            floor_colour=(124, 78, 42),
            light=(0.22, 0.1, -0.14),
            exposure_s=(0.005, 0.012),
            flicker=0.02,
        ),
        _RED_BACK,
        shade=(0.1, 0.45),
    ),
    "tatami": Look(
        replace(STYLES["dojo"], exposure_s=(0.004, 0.01), drift=0.03),
        _BLACK_BACK,
        slot_turn_deg=6.0,
        slip_mm=3.0,
        tilt_deg=(1.0, 5.0),
    ),
    "holdout": Look(
        replace(
            STYLES["holdout"],
            floor="planks",
            floor_colour=(58, 74, 92),
            exposure_s=(0.006, 0.014),
            noise=(1.8, 3.4),
            defocus_px=0.7,
        ),
        (30, 52, 96),
        pile_turn_deg=4.0,
        slot_turn_deg=7.0,
        slip_mm=3.5,
        fan_mm=(10.0, 15.0),
        shade=(0.2, 0.5),
        warm=0.04,
        tilt_deg=(0.0, 7.0),
        roll_deg=(-3.0, 3.0),
    ),
}
