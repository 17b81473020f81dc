"""The twelve months' plants, each drawn a little differently for each card of its month (`slot` 1..4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from vision.simulator.art.hanafuda.pen import (
    BLACK,
    BLUE,
    BROWN,
    GREEN,
    LEAF,
    OLIVE,
    ORANGE,
    PINK,
    PURPLE,
    RED,
    WHITE,
    YELLOW,
    Pen,
    Point,
)


def _pine(pen: Pen, slot: int) -> None:
    pen.oval((16, 56), (26, 12), RED)
    pen.curve(((24, 54), (12, 40), (18, 18)), 3.0, BROWN, 1.6)
    clumps: tuple[Point, ...] = ((9, 33), (23, 27), (12, 16), (24, 42), (25, 12))
    for number, at in enumerate(clumps[slot % 2 : slot % 2 + 4]):
        radius = 7.0 - number * 0.5
        pen.oval(at, (radius, radius), GREEN, -90, (-105, 105))
        for angle in np.deg2rad(np.arange(-190, 11, 20)):
            tip = at[0] + radius * np.cos(angle), at[1] + radius * np.sin(angle)
            pen.line([at, tip], 0.35, LEAF)


def _plum(pen: Pen, slot: int) -> None:
    pen.curve(((3, 54), (4, 30), (24, 12)), 3.4, BROWN, 1.0)
    pen.curve(((7, 38), (20, 36), (29, 26)), 1.8, BROWN, 0.6)
    pen.curve(((10, 30), (8, 18), (12, 6)), 1.4, BROWN, 0.6)
    at: tuple[Point, ...] = ((24, 13), (12, 24), (27, 29), (12, 9), (17, 35), (25, 43), (22, 21))
    for number, place in enumerate(at[slot - 1 : slot + 4]):
        pen.flower(place, 4.2 - 0.3 * (number % 2), 5, (RED, YELLOW), turn_deg=20 * number)


def _cherry(pen: Pen, slot: int) -> None:
    pen.curve(((2, 12), (16, 20), (31, 8)), 1.8, BROWN, 0.8)
    dice = np.random.default_rng(30 + slot)
    rows = 30 if slot > 1 else 22
    for number in range(rows):
        at = (float(dice.uniform(3, 30)), float(dice.uniform(4, 34 if slot > 1 else 28)))
        pen.flower(at, 3.4, 5, ((PINK, RED)[number % 3 == 0], WHITE), turn_deg=float(dice.uniform(0, 72)))
    for place in ((6, 38), (17, 42), (26, 37)):
        pen.leaf(place, 7, 3, 150, BROWN)


def _wisteria(pen: Pen, slot: int) -> None:
    for column, x in enumerate((6.5, 13.0, 20.0, 26.5)):
        length = 30 + 8 * ((column + slot) % 3)
        pen.line([(x, 2), (x, length)], 0.4, BLACK)
        for step in range(4, length, 3):
            wide = 2.6 * (1 - step / (length + 14))
            pen.oval((x - wide, step), (1.7, 1.2), PURPLE, -35)
            pen.oval((x + wide, step), (1.7, 1.2), PURPLE, 35)
    for x in (5, 12, 19, 26):
        pen.leaf((x, 3), 8, 3.4, 150 if (x + slot) % 2 else 205, LEAF)


def _iris(pen: Pen, slot: int) -> None:
    for number, x in enumerate((4, 8, 12, 17, 21, 25, 29)):
        lean = (-10, 8, -4, 12, -8, 5, 10)[number]
        pen.leaf((x, 55), 34 + 5 * ((number + slot) % 3), 3.0, lean, GREEN)
    places: tuple[Point, ...] = ((9, 18), (22, 14), (17, 27), (26, 25))
    for place in places[slot % 2 : slot % 2 + 2 + slot // 3]:
        for angle in (-120, 120, 180):
            pen.leaf(place, 7.5, 4.6, angle, PURPLE)
        for angle in (-30, 0, 30):
            pen.leaf(place, 6.5, 3.2, angle, BLUE)
        pen.disc(place, 1.3, YELLOW)


def _peony(pen: Pen, slot: int) -> None:
    places: tuple[Point, ...] = ((16, 16), (9, 36), (25, 33), (17, 42))
    for place in places[slot % 2 : slot % 2 + 2]:
        for angle in range(0, 360, 45):
            pen.leaf(place, 13, 5.5, angle + 20, GREEN)
    for place in places[slot % 2 : slot % 2 + 2]:
        for radius, colour in ((8.0, RED), (5.6, PINK), (3.6, RED)):
            pen.flower(place, radius, 7, (colour, YELLOW), turn_deg=radius * 20)


def _clover(pen: Pen, slot: int) -> None:
    for number, x in enumerate((6, 13, 20, 27)):
        tip = (x + (5, -5, 6, -4)[(number + slot) % 4], 6 + 2 * number)
        points = pen.curve(((x, 54), (x - 4 + 2 * number, 30), tip), 0.7, BROWN)
        for step, (px, py) in enumerate(points[6:-1:3]):
            side = 1 if step % 2 else -1
            colour = (RED, LEAF, PURPLE)[(step + number + slot) % 3]
            pen.oval((px + side * 2.4, py), (2.2, 1.2), colour, -30 * side)


def _pampas(pen: Pen, slot: int) -> None:
    top = 27 if slot < 3 else 20 + 3 * slot
    pen.oval((16, top + 26), (30, 26), BLACK)
    for number in range(11):
        x = 2 + number * 2.9
        foot = (x, top + 24 - 16 * np.sin(np.pi * (number + 1) / 13))
        pen.curve((foot, (x + 1, top), (x + 3.5 - slot, top - 7 + number % 3)), 0.5, OLIVE)
    for number in range(16):
        pen.line([(2 + 2 * number, 54), (3 + 2 * number, top + 8 + (number * 7) % 9)], 0.3, GREEN)


def _chrysanthemum(pen: Pen, slot: int) -> None:
    places: tuple[Point, ...] = ((11, 14), (23, 29), (9, 38), (24, 46))
    for place in places:
        for angle in (60, 150, 240):
            pen.leaf(place, 12, 5, angle + 15 * slot, GREEN)
    for number, place in enumerate(places[slot % 2 : slot % 2 + 3]):
        colour = (YELLOW, RED, ORANGE)[(number + slot) % 3]
        for radius, petals in ((7.0, 16), (4.6, 12)):
            for step in range(petals):
                pen.leaf(place, radius, 2.3, step * 360 / petals, colour)
        pen.disc(place, 1.5, BROWN)


def _maple(pen: Pen, slot: int) -> None:
    pen.curve(((30, 3), (20, 20), (24, 50)), 1.2, BROWN, 0.5)
    places: tuple[Point, ...] = ((10, 13), (23, 15), (14, 29), (25, 36), (9, 42), (19, 47))
    for number, place in enumerate(places[slot % 2 : slot % 2 + 4]):
        colour = (RED, ORANGE, RED, OLIVE)[(number + slot) % 4]
        for angle, length in ((0, 8), (50, 7.4), (-50, 7.4), (100, 6), (-100, 6), (180, 3.5)):
            pen.leaf(place, length, 3.4, angle + 25 * number, colour)


def _willow(pen: Pen, slot: int) -> None:
    for number, x in enumerate((5, 10, 16, 22, 28)):
        length = 30 + 6 * ((number + slot) % 3)
        points = pen.curve(((x + 3, 0), (x - 4, length / 2), (x + (-2, 2)[slot % 2], length)), 0.6, GREEN)
        for px, py in points[3::2]:
            pen.leaf((px, py), 4.6, 1.7, 150, LEAF)
            pen.leaf((px, py), 4.6, 1.7, 210, GREEN)


def _paulownia(pen: Pen, slot: int) -> None:
    for x, angle in ((16.5, 180), (7, 215), (26, 145)):
        pen.leaf((x - (x - 16.5) * 0.4, 28), 20, 14, angle, GREEN)
        pen.leaf((x - (x - 16.5) * 0.4, 30), 16, 0.8, angle, LEAF)
    for x, top in ((16.5, 5), (8.5, 11), (24.5, 11)):
        for step in range(5 + (slot % 2)):
            wide = 0.8 + 0.45 * step
            for side in (-1, 1):
                pen.oval((x + side * wide, top + step * 3.2), (1.9, 1.5), PURPLE, 30 * side)
            pen.disc((x, top + step * 3.2), 1.0, PINK)


PLANTS: Final[Mapping[int, Callable[[Pen, int], None]]] = MappingProxyType(
    {
        1: _pine,
        2: _plum,
        3: _cherry,
        4: _wisteria,
        5: _iris,
        6: _peony,
        7: _clover,
        8: _pampas,
        9: _chrysanthemum,
        10: _maple,
        11: _willow,
        12: _paulownia,
    }
)
"""Month to its plant."""
