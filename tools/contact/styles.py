"""Halls drawn at random, in families that differ in hands, cloth, light, noise and how cards fly."""

from dataclasses import replace
from typing import Final

import numpy as np

from vision.simulator.drawing.style import STYLES, HandShape, Person, Style
from vision.simulator.play.moving_cards import Friction, Temper

FAMILIES: Final = ("tatami", "dojo", "hall", "evening", "bright")
"""What is left out whole when a model is tested on it. The style `holdout` belongs to the benchmarks."""


def drawn_style(family: str, rng: np.random.Generator) -> Style:
    """Draw a hall of a family."""
    base = STYLES[{"evening": "dojo", "bright": "hall"}.get(family, family)]
    floor, gray = base.floor, float(np.mean(base.floor_colour))
    exposure, noise, shadow = base.exposure_s, (1.0, 3.2), (0.15, 0.55)
    if family == "evening":  # long exposures under weak lamps, on dark boards
        floor, gray, exposure, noise, shadow = "planks", 82.0, (0.005, 0.010), (2.5, 5.0), (0.4, 0.7)
    if family == "bright":  # pale cloth, on which hands hardly stand out
        floor, gray, exposure, noise, shadow = "felt", 178.0, (0.0008, 0.003), (0.8, 2.0), (0.05, 0.25)
    gray *= float(rng.uniform(0.85, 1.15))
    tint = rng.uniform(0.88, 1.12, 3)
    lamps = rng.uniform() < 0.5
    return replace(
        base,
        floor=floor,
        floor_colour=_colour(gray * tint),
        near=_person(family, rng),
        far=_person(family, rng),
        light=(float(rng.uniform(0, 0.25)), float(rng.uniform(-0.15, 0.15)), float(rng.uniform(-0.15, 0.15))),
        shadow=float(rng.uniform(*shadow)),
        sun=_sun(rng),
        exposure_s=exposure,
        readout_s=(0.0, float(rng.choice([0.0, 0.006, 0.014]))),
        noise=noise,
        defocus_px=float(rng.uniform(0.4, 1.0)),
        flicker=float(rng.choice([0.0, 0.05])),
        dropped=float(rng.choice([0.0, 0.0, 0.01])),
        jitter_s=float(rng.choice([0.0, 0.0005])),
        sway_m=float(rng.uniform(0, 0.002)),
        tilt_deg=(0.0, 4.0),
        card_turn_deg=float(rng.uniform(0.4, 2.0)),
        tumble_rad_per_m=float(rng.uniform(0, 30)),
        second_lamp=(_sun(rng), float(rng.uniform(0.2, 0.5)) if lamps else 0.0),
    )


def _sun(rng: np.random.Generator) -> tuple[float, float]:
    across, along = rng.uniform(-0.5, 0.5, 2)
    return float(across), float(along)


def _colour(values: np.typing.NDArray[np.float64]) -> tuple[int, int, int]:
    blue, green, red = np.clip(values, 8, 245).astype(int).tolist()
    return blue, green, red


def _person(family: str, rng: np.random.Generator) -> Person:
    skin_gray = float(rng.uniform(70, 205))
    sleeve_gray = float(rng.uniform(25, 225))
    bare = {"bright": 0.5, "evening": 0.2}.get(family, 0.25)
    spread, bend = float(rng.uniform(0, 0.4)), float(rng.uniform(0.55, 1.0))
    fingers = np.clip(rng.normal(bend, 0.12, 4), 0.4, 1.1).tolist()
    return Person(
        skin=_colour(skin_gray * np.array([0.8, 0.97, 1.25])),
        sleeve=_colour(sleeve_gray * rng.uniform(0.7, 1.3, 3)),
        hair=_colour(np.full(3, rng.uniform(18, 60))),
        wide_sleeve=bool(rng.uniform() < 0.35),
        sleeve_from=1.0 if rng.uniform() < bare else float(rng.uniform(0.1, 0.7)),
        shape=HandShape(
            size=float(rng.uniform(0.84, 1.12)),
            spread=spread,
            reach=(fingers[0], fingers[1], fingers[2], fingers[3]),
            thumb=float(rng.uniform(0.6, 1.1)),
        ),
    )


def drawn_temper(rng: np.random.Generator) -> Temper:
    """Draw how the players of a hall go about it."""
    lies = 0.6  # share of the halls in which fingers lie on a card before they push
    lies_s = float(rng.uniform(0.01, 0.06)) if rng.uniform() < lies else 0.0
    return Temper(haste=float(rng.uniform(0.7, 1.6)), lies_s=lies_s)


def drawn_friction(rng: np.random.Generator) -> Friction:
    """Draw how cards and hands act on one another."""
    return Friction(
        sliding_mps2=float(rng.uniform(2.0, 6.5)),
        grip_s=float(rng.uniform(0.0015, 0.006)),
        passed_on=float(rng.uniform(0.5, 0.95)),
        lift=float(rng.uniform(0.4, 1.4)),
        leaps=float(rng.uniform(0.4, 1.6)),
        fingers_half_m=(float(rng.uniform(0.030, 0.040)), float(rng.uniform(0.020, 0.034))),
    )
