"""Figures on the cards beside the plants: lights, animals, ribbons, and the lightning."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from referee.cards.hanafuda import Ribbon
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
from vision.simulator.drawing.style import Colour


def _bird(pen: Pen, at: Point, size: float, body: Colour, wing: Colour, *, flies: bool = False) -> None:
    x, y = at
    pen.oval(at, (size, size * 0.55), body, -20)
    pen.disc((x + size * 0.95, y - size * 0.5), size * 0.42, body)
    pen.shape(
        [
            (x + size * 1.3, y - size * 0.6),
            (x + size * 1.8, y - size * 0.4),
            (x + size * 1.25, y - size * 0.3),
        ],
        ORANGE,
    )
    pen.disc((x + size * 1.05, y - size * 0.6), size * 0.1, BLACK)
    pen.leaf((x - size * 0.6, y + size * 0.2), size * 1.3, size * 0.5, -110, wing)
    if flies:
        pen.leaf((x, y), size * 1.9, size * 0.8, -35, wing)
        pen.leaf((x + size * 0.2, y), size * 1.7, size * 0.8, 25, wing)
    else:
        pen.leaf((x + size * 0.4, y), size * 1.3, size * 0.6, -105, wing)


def _crane(pen: Pen) -> None:
    pen.disc((24, 10), 6.5, RED)
    pen.oval((14, 36), (8, 5), WHITE, -15)
    pen.leaf((10, 37), 13, 6, -120, BLACK)
    pen.curve(((20, 33), (26, 24), (18, 17)), 3.0, WHITE, 2.0)
    pen.disc((17.5, 16.5), 2.3, WHITE)
    pen.oval((17.5, 14.8), (1.8, 1.0), RED)
    beak_colour = (60, 120, 130)
    pen.shape([(15.8, 16), (9.5, 18), (15.8, 17.8)], beak_colour)
    pen.line([(20, 17), (24, 24)], 1.0, BLACK)
    pen.line([(14, 40), (14, 50)], 0.7, BLACK)
    pen.line([(17, 40), (18, 50)], 0.7, BLACK)


def _curtain(pen: Pen) -> None:
    pen.shape([(0, 33), (8, 36), (16, 33), (24, 36), (33, 33), (33, 54), (0, 54)], RED)
    for x in range(3, 33, 6):
        pen.shape([(x, 35), (x + 3, 35), (x + 3, 54), (x, 54)], PURPLE)
    pen.line([(0, 34), (8, 37), (16, 34), (24, 37), (33, 34)], 1.6, YELLOW)
    for x in (8, 24):
        pen.flower((x, 45), 3.6, 5, (WHITE, RED))


def _moon(pen: Pen) -> None:
    pen.disc((16.5, 16), 10.5, WHITE)


def _rain_man(pen: Pen) -> None:
    pen.shape([(11, 34), (22, 34), (25, 50), (8, 50)], RED)
    pen.shape([(13, 34), (20, 34), (21, 43), (12, 43)], BLUE)
    pen.disc((16.5, 31), 2.7, (190, 214, 236))
    pen.oval((16.5, 29.4), (2.6, 1.7), BLACK)
    pen.line([(19, 36), (23, 22)], 0.9, BLACK)
    pen.oval((19, 22), (11.5, 8), YELLOW, 0, (180, 360))
    for x in (11, 15, 19, 23, 27):
        pen.line([(19, 14), (x, 22)], 0.4, BLACK)
    pen.oval((7, 49), (3, 1.8), GREEN)
    pen.shape([(0, 51), (33, 51), (33, 54), (0, 54)], BLUE)


def _phoenix(pen: Pen) -> None:
    for number, colour in enumerate((RED, YELLOW, PURPLE, ORANGE, BLUE)):
        pen.leaf((16, 26), 26, 5, 130 + 26 * number, colour)
        angle = np.deg2rad(130 + 26 * number)
        pen.disc((16 + 21 * float(np.sin(angle)), 26 - 21 * float(np.cos(angle))), 1.5, WHITE)
    _bird(pen, (16, 22), 6.5, YELLOW, RED, flies=True)
    for angle in (-20, 0, 20):
        pen.leaf((22, 17), 5, 1.6, angle, RED)


def _warbler(pen: Pen) -> None:
    _bird(pen, (13, 21), 5.2, (60, 168, 150), (50, 120, 96))


def _cuckoo(pen: Pen) -> None:
    pen.disc((24, 13), 6, RED)
    pen.disc((21, 11), 5.4, (218, 232, 238))
    _bird(pen, (13, 30), 5.5, BROWN, BLACK, flies=True)


def _bridge(pen: Pen) -> None:
    for at in (((0, 40), (14, 34)), ((10, 40), (26, 44)), ((22, 47), (34, 40))):
        (x0, y0), (x1, y1) = at
        pen.shape([(x0, y0), (x1, y1), (x1, y1 + 5), (x0, y0 + 5)], YELLOW)
        pen.line([(x0, y0), (x1, y1)], 0.6, BLACK)
        pen.line([(x0, y0 + 5), (x1, y1 + 5)], 0.6, BLACK)
    for x in (5, 15, 27):
        pen.line([(x, 42), (x, 54)], 1.2, BROWN)


def _butterflies(pen: Pen) -> None:
    for (x, y), turn in (((11, 11), -15), ((23, 22), 20)):
        for side in (-1, 1):
            pen.leaf((x, y), 8, 5.5, turn + side * 55, YELLOW)
            pen.leaf((x, y), 5.5, 4.5, turn + side * 120, ORANGE)
        pen.line([(x, y - 3), (x, y + 3)], 1.0, BLACK)


def _boar(pen: Pen) -> None:
    pen.oval((17, 38), (11, 6.5), BROWN)
    pen.oval((7, 40), (5, 4), BROWN, 20)
    pen.leaf((8, 37), 4, 2, -30, BLACK)
    pen.disc((6, 39), 0.6, BLACK)
    pen.leaf((3.5, 42), 3, 1.1, -20, WHITE)
    for x in (11, 15, 21, 25):
        pen.line([(x, 43), (x, 49)], 1.6, BLACK)
    for x in range(9, 27, 2):
        pen.line([(x, 33), (x + 2, 30.5)], 0.5, BLACK)


def _geese(pen: Pen) -> None:
    for at in ((8, 9), (20, 13), (12, 19)):
        _bird(pen, at, 3.2, BROWN, BLACK, flies=True)


def _sake_cup(pen: Pen) -> None:
    pen.oval((17, 40), (11, 8), RED, 0, (0, 180))
    pen.oval((17, 40), (11, 3), YELLOW)
    pen.oval((17, 40), (9, 2.1), RED)
    pen.shape([(14, 47), (20, 47), (22, 51), (12, 51)], RED)
    pen.line([(14, 43), (20, 43)], 0.9, YELLOW)
    pen.line([(17, 42), (17, 47)], 0.9, YELLOW)


def _deer(pen: Pen) -> None:
    pen.oval((17, 38), (8.5, 5), ORANGE)
    pen.curve(((11, 37), (8, 31), (10, 25)), 4.2, ORANGE, 3.2)
    pen.oval((9, 24), (3.6, 2.4), ORANGE, -25)
    pen.leaf((11.5, 23), 4, 2, 60, BROWN)
    for side in (-1, 1):
        pen.line([(10, 22), (10 + 3 * side, 16), (10 + 5 * side, 15)], 0.8, BROWN)
        pen.line([(10 + 2 * side, 18), (10 + side, 14)], 0.7, BROWN)
    for x in (12, 15, 20, 23):
        pen.line([(x, 41), (x, 51)], 1.4, BROWN)
    for at in ((14, 36), (18, 35), (22, 37), (16, 39), (20, 40)):
        pen.disc(at, 0.8, WHITE)


def _swallow(pen: Pen) -> None:
    _bird(pen, (14, 34), 6, RED, YELLOW, flies=True)
    for turn in (-118, -98):
        pen.leaf((9, 35), 11, 1.8, turn, BLACK)


def _lightning(pen: Pen) -> None:
    pen.shape([(0, 0), (33, 0), (33, 54), (0, 54)], BLACK)
    pen.shape([(8, 0), (22, 0), (14, 20), (24, 20), (6, 54), (12, 27), (3, 27)], RED)
    pen.shape([(25, 0), (31, 0), (27, 12), (31, 12), (22, 30), (24, 16), (21, 16)], YELLOW)
    pen.disc((25, 44), 6.5, ORANGE)
    pen.disc((25, 44), 4.5, BLACK)
    for turn in (0, 120, 240):
        pen.leaf((25, 44), 4.5, 3.4, turn, RED)


FIGURES: Final[Mapping[str, Callable[[Pen], None]]] = {
    "01-1": _crane,
    "02-1": _warbler,
    "03-1": _curtain,
    "04-1": _cuckoo,
    "05-1": _bridge,
    "06-1": _butterflies,
    "07-1": _boar,
    "08-1": _moon,
    "08-2": _geese,
    "09-1": _sake_cup,
    "10-1": _deer,
    "11-1": _rain_man,
    "11-2": _swallow,
    "11-4": _lightning,
    "12-1": _phoenix,
}
"""Card id to the light, animal or lightning on it."""


def draw_ribbon(pen: Pen, kind: Ribbon) -> None:
    """Hang a paper ribbon over the card: red with writing, blue, or plain red."""
    colour = BLUE if kind is Ribbon.AOTAN else RED
    body = np.array([(11, 9), (19, 7), (23, 45), (19, 42.5), (15, 46)], np.float64)
    pen.shape(body + np.array([0.7, 0.7]), BLACK)
    pen.shape(body, colour)
    pen.line([(15.2, 4), (15.2, 9)], 0.6, BLACK)
    if kind is Ribbon.AKATAN:
        for number, (y, wide) in enumerate(((15, 3.2), (20, 2.4), (25, 3.4), (30, 2.2), (35, 3.0))):
            x = 16 + 0.55 * number
            pen.line([(x - wide / 2, y), (x + wide / 2, y - 0.6)], 0.8, BLACK)
            pen.curve(((x, y - 2), (x + 1.5, y), (x - 1, y + 2.2)), 0.8, BLACK)


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


PLANTS: Final[Mapping[int, Callable[[Pen, int], None]]] = {
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
"""Month to its plant."""
