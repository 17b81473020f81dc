"""A hall at random: people, floor, lamps and the camera's manners, all from one seed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from referee.sides import BySide
from traced.floors import FLOORS
from traced.shapes import Build
from traced.webcam import Webcam
from vision.simulator.drawing.style import STYLES, Style

Colour = tuple[float, float, float]  # red, green, blue, linear 0..1


@dataclass(frozen=True)
class Person:
    """One player: skin, cloth and hair, the hands' build, the sleeve, and what he wears at the left wrist."""

    skin: Colour
    cloth: Colour
    hair: Colour
    build: Build
    sleeve: str  # `kimono`, `shirt` or `short`
    watch: bool


@dataclass(frozen=True)
class Tube:
    """A ceiling lamp: where, its size (across, along), metres, and its power, watts."""

    at: tuple[float, float, float]
    size_m: tuple[float, float]
    power_w: float


@dataclass(frozen=True)
class Hall:
    """One hall."""

    seed: int  # of everything here
    # what the simulator needs of it: camera, shutter, typeface, how cards are laid and how they tumble
    style: Style
    # floor, floor_colour: kind and mean colour
    floor: str
    floor_colour: Colour
    people: BySide[Person]
    # the lamps; ambient the light from everywhere, watts per square metre and steradian
    tubes: tuple[Tube, ...]
    ambient: float
    # direction of the sun, radians of azimuth and height, and its power; None without a sunny blind
    stripes: tuple[float, float, float] | None
    gloss: float  # roughness of the cards' faces, 0 a mirror to 1 chalk
    webcam: Webcam


def drawn_hall(seed: int) -> Hall:
    """Draw the hall of a seed."""
    rng = np.random.default_rng([seed, 661])
    floor = [*FLOORS][int(rng.uniform() < 0.4)]
    colour = _tatami(rng) if floor == "tatami" else _carpet(rng)
    base = STYLES[str(rng.choice(["tatami", "dojo", "hall"]))]
    style = replace(
        base,
        paper=(214, 230, 238),
        exposure_s=(0.004, 0.010),
        readout_s=(0.0, float(rng.choice([0.0, 0.006, 0.012]))),
        dropped=0.0,
        jitter_s=float(rng.choice([0.0, 0.0004])),
        sway_m=0.0,
        k1=(0.0, 0.0),  # the tracer's camera is a pinhole
        tilt_deg=(0.0, 3.0),
        card_turn_deg=float(rng.uniform(0.6, 1.8)),
        tumble_rad_per_m=float(rng.uniform(4, 28)),
    )
    tubes = tuple(
        Tube(
            (float(rng.uniform(-1.6, 1.6)), float(rng.uniform(-1.6, 1.6)), float(rng.uniform(2.3, 2.9))),
            (1.2, 0.08) if rng.uniform() < 0.7 else (0.5, 0.5),
            float(rng.uniform(25, 60)),
        )
        for _ in range(int(rng.integers(2, 5)))
    )
    sunny = rng.uniform() < 0.4
    sun = (float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.6, 1.0)), float(rng.uniform(1.0, 2.5)))
    return Hall(
        seed,
        style,
        floor,
        colour,
        BySide(_person(rng), _person(rng)),
        tubes,
        float(rng.uniform(0.15, 0.5)),
        sun if sunny else None,
        float(rng.uniform(0.18, 0.45)),
        Webcam.drawn(rng),
    )


def _tatami(rng: np.random.Generator) -> Colour:
    age = float(rng.uniform())  # green when new, straw when old
    light = float(rng.uniform(0.8, 1.1))
    red, green, blue = (0.34 + 0.16 * age) * light, (0.38 + 0.04 * age) * light, (0.19 + 0.03 * age) * light
    return red, green, blue


def _carpet(rng: np.random.Generator) -> Colour:
    gray = float(rng.uniform(0.06, 0.32))
    red, green, blue = (gray * rng.uniform(0.75, 1.3, 3)).tolist()
    return red, green, blue


def _person(rng: np.random.Generator) -> Person:
    tone = float(rng.uniform(0.45, 1.0))
    cloth = (float(rng.uniform(0.015, 0.6)) * rng.uniform(0.5, 1.4, 3)).clip(0.01, 0.75).tolist()
    hair = float(rng.uniform(0.008, 0.03))
    return Person(
        (0.66 * tone, 0.42 * tone**1.15, 0.31 * tone**1.25),
        (cloth[0], cloth[1], cloth[2]),
        (hair * 1.2, hair, hair * 0.9),
        Build(float(rng.uniform(0.92, 1.06)), float(rng.uniform(0, 0.3))),
        str(rng.choice(["kimono", "shirt", "short"])),
        bool(rng.uniform() < 0.4),
    )
