"""The looks of a simulated hall: floor, cards, people, light, lens and sensor.

A style gives ranges, from which a match's seed draws. `holdout` is reserved: nothing is tuned or trained on
it, so that benchmarks use a hall, a typeface and people that the eye has never seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from vision.simulator.drawing.camera import Camera

T = TypeVar("T")

Colour = tuple[int, int, int]  # blue, green, red, 0..255
Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class HandShape:
    """Differences between a hand and the modelled one, seen from above."""

    size: float = 1.0  # overall factor
    spread: float = 0.0  # how far the fingers are spread, 0 as modelled
    # factor on the length of each finger, index to little finger; a bent one looks short
    reach: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    thumb: float = 1.0  # factor on the thumb's length


@dataclass(frozen=True, slots=True)
class Person:
    """The look of one player from above."""

    skin: Colour
    sleeve: Colour
    hair: Colour
    wide_sleeve: bool = False  # a kimono's draping sleeve instead of a tight one
    sleeve_from: float = 0.35  # end of the sleeve on the forearm: 0 is the wrist, 1 the elbow
    shape: HandShape = HandShape()


_INDIGO_KIMONO = Person((150, 178, 222), (96, 58, 40), (28, 26, 30), wide_sleeve=True, sleeve_from=0.45)
_MADDER_KIMONO = Person((128, 160, 208), (58, 44, 128), (24, 22, 24), wide_sleeve=True, sleeve_from=0.4)
_WHITE_SHIRT = Person((120, 150, 198), (205, 208, 210), (30, 32, 38), sleeve_from=0.9)
_GREY_JERSEY = Person((88, 118, 168), (104, 100, 98), (20, 20, 22), sleeve_from=0.15)
_BARE_ARM = Person((72, 98, 142), (70, 120, 70), (18, 18, 20), sleeve_from=1.0)
_MUSTARD_SHIRT = Person((140, 168, 214), (52, 142, 196), (40, 56, 84), sleeve_from=0.25)


@dataclass(frozen=True, slots=True)
class Style:
    """One hall; by default `tatami`."""

    typeface: str = "mincho"
    ink: Colour = (34, 30, 30)
    paper: Colour = (222, 236, 242)
    border: Colour = (62, 92, 36)
    floor: str = "tatami"  # `tatami`, `felt` or `planks`; floor_colour its mean colour
    floor_colour: Colour = (104, 158, 164)
    near: Person = _INDIGO_KIMONO
    far: Person = _MADDER_KIMONO
    # distribution of the light over the picture: (vignette, slope across, slope down), 0 for even light
    light: tuple[float, float, float] = (0.14, 0.05, -0.06)
    shadow: float = (
        0.42  # darkness of the players' shadows, 0..1; sun the horizontal shift of a shadow per height
    )
    sun: tuple[float, float] = (0.35, 0.22)
    # exposure_s, readout_s: exposure time, and the delay from the first to the last row
    exposure_s: Range = (0.002, 0.004)
    readout_s: Range = (0.0, 0.0)
    noise: Range = (1.6, 2.2)  # standard deviation of a pixel in gray levels
    defocus_px: float = 0.5
    flicker: float = 0.0  # depth of the lamps' 100 Hz ripple, 0..1
    # share of frames that never arrive; jitter_s the standard deviation of the frame times
    dropped: float = 0.0
    jitter_s: float = 0.0
    drift: float = 0.0  # depth of slow changes of brightness, as by an automatic exposure, 0..1
    sway_m: float = 0.0  # how far waiting hands wander
    across_m: Range = (1.13, 1.26)
    height_m: Range = (1.45, 1.85)
    tilt_deg: Range = (0.0, 2.5)
    k1: Range = (-0.05, 0.005)
    # how crookedly cards are laid: twice the largest angle, four standard deviations
    card_turn_deg: float = 0.8
    tumble_rad_per_m: float = 0.0  # rotation of a flying card about its long edge per metre of height
    # another lamp's sun and the darkness of its shadows, 0 for a single lamp
    second_lamp: tuple[tuple[float, float], float] = ((0.0, 0.0), 0.0)

    def camera(self, rng: np.random.Generator, size: tuple[int, int]) -> Camera:
        """Draw a random camera for pictures of `size` (width, height)."""
        return Camera(
            width_px=size[0],
            height_px=size[1],
            # A picture narrower than 16:9 must still contain both territories.
            across_m=float(rng.uniform(*self.across_m)) * max(1.0, size[0] / size[1] * 9 / 16),
            height_m=float(rng.uniform(*self.height_m)),
            tilt_rad=float(np.deg2rad(rng.uniform(*self.tilt_deg))),
            roll_rad=float(np.deg2rad(rng.uniform(-0.8, 0.8))),
            offset_m=(float(rng.uniform(-0.012, 0.012)), float(rng.uniform(-0.008, 0.008))),
            k1=float(rng.uniform(*self.k1)),
        )


STYLES: dict[str, Style] = {
    "tatami": Style(),
    "dojo": Style(
        typeface="hand",
        ink=(44, 38, 36),
        paper=(198, 220, 232),
        border=(40, 44, 110),
        floor="tatami",
        floor_colour=(108, 152, 176),
        near=_WHITE_SHIRT,
        far=_GREY_JERSEY,
        light=(0.22, -0.12, 0.1),
        shadow=0.5,
        sun=(-0.45, 0.15),
        exposure_s=(0.004, 0.006),
        readout_s=(0.008, 0.012),
        noise=(2.4, 3.2),
        defocus_px=0.7,
        drift=0.02,
        sway_m=0.0015,
        card_turn_deg=1.2,
    ),
    "hall": Style(
        typeface="udmincho",
        ink=(30, 26, 26),
        paper=(232, 236, 236),
        border=(110, 66, 30),
        floor="felt",
        floor_colour=(112, 116, 104),
        near=_GREY_JERSEY,
        far=_BARE_ARM,
        light=(0.1, 0.1, 0.04),
        shadow=0.32,
        sun=(0.1, -0.3),
        exposure_s=(0.0015, 0.003),
        readout_s=(0.0, 0.006),
        noise=(1.8, 2.8),
        flicker=0.06,
        dropped=0.006,
        jitter_s=0.0006,
        card_turn_deg=1.0,
    ),
    "holdout": Style(
        typeface="tegomin",
        ink=(40, 34, 32),
        paper=(208, 228, 234),
        border=(52, 60, 58),
        floor="planks",
        floor_colour=(96, 132, 164),
        near=_MUSTARD_SHIRT,
        far=_WHITE_SHIRT,
        light=(0.18, 0.1, 0.12),
        shadow=0.46,
        sun=(-0.25, -0.25),
        exposure_s=(0.002, 0.005),
        readout_s=(0.0, 0.012),
        noise=(1.8, 3.2),
        defocus_px=0.8,
        flicker=0.04,
        dropped=0.004,
        jitter_s=0.0004,
        drift=0.03,
        sway_m=0.001,
        tilt_deg=(0.0, 4.5),
        k1=(-0.065, 0.01),
        card_turn_deg=1.6,
    ),
}


def chosen(what: str, name: str, offered: Mapping[str, T]) -> T:
    """Return what is called `name`; ValueError names what is offered."""
    if name not in offered:
        raise ValueError(f"no {what} {name!r}; choose one of: {', '.join(offered)}")
    return offered[name]
