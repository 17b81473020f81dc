"""The house's own box of Kendo cards: every face, and how often it is in the box."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

import numpy as np

from calibration.decks.deck import Deck, Picture, deck_game, picture_size_px
from referee.cards.kendo import FACES, MARKERS, Brown, Green, Red, Technique, face
from vision.simulator.art.hanafuda.pen import BLACK, PAPER, WHITE, Pen, Point
from vision.simulator.drawing.style import Colour

Emblem = Callable[[Pen, Point, float, Colour, Colour], None]
"""Draws with a pen at a point and in a size, with the colours of the ink and of the ground."""


def _polygon(at: Point, size: float, points: tuple[Point, ...]) -> list[Point]:
    """Scale points of the square -0.5..0.5 to the card."""
    return [(at[0] + x * size, at[1] + y * size) for x, y in points]


def _men(pen: Pen, at: Point, size: float, ink: Colour, ground: Colour) -> None:
    pen.oval(at, (0.4 * size, 0.48 * size), ink)
    pen.oval((at[0], at[1] + 0.06 * size), (0.27 * size, 0.32 * size), ground)
    for bar in np.linspace(-0.18, 0.3, 5):
        pen.line(_polygon(at, size, ((-0.28, float(bar)), (0.28, float(bar)))), 0.045 * size, ink)
    pen.line(_polygon(at, size, ((0, -0.3), (0, 0.4))), 0.06 * size, ink)


def _kote(pen: Pen, at: Point, size: float, ink: Colour, ground: Colour) -> None:
    pen.oval((at[0] - 0.02 * size, at[1] - 0.2 * size), (0.24 * size, 0.28 * size), ink)
    pen.oval((at[0] + 0.26 * size, at[1] - 0.06 * size), (0.1 * size, 0.2 * size), ink, 30)
    pen.shape(_polygon(at, size, ((-0.24, 0.0), (0.22, 0.0), (0.34, 0.48), (-0.34, 0.48))), ink)
    pen.line(_polygon(at, size, ((-0.26, 0.12), (0.26, 0.12))), 0.07 * size, ground)
    pen.line(_polygon(at, size, ((-0.3, 0.3), (0.3, 0.3))), 0.05 * size, ground)


def _do(pen: Pen, at: Point, size: float, ink: Colour, ground: Colour) -> None:
    outline = ((-0.42, -0.42), (-0.2, -0.42), (0, -0.26), (0.2, -0.42), (0.42, -0.42), (0.46, 0.2), (0, 0.48))
    pen.shape(_polygon(at, size, (*outline, (-0.46, 0.2))), ink)
    pen.disc((at[0], at[1] + 0.08 * size), 0.16 * size, ground)
    pen.disc((at[0], at[1] + 0.08 * size), 0.08 * size, ink)


def _tsuki(pen: Pen, at: Point, size: float, ink: Colour, ground: Colour) -> None:
    pen.shape(_polygon(at, size, ((0, -0.5), (0.32, 0.0), (-0.32, 0.0))), ink)
    pen.shape(_polygon(at, size, ((-0.08, -0.05), (0.08, -0.05), (0.08, 0.5), (-0.08, 0.5))), ink)
    pen.disc((at[0], at[1] - 0.14 * size), 0.07 * size, ground)
    pen.line(_polygon(at, size, ((-0.3, 0.28), (0.3, 0.28))), 0.08 * size, ink)


TECHNIQUES: Final[Mapping[Technique, Emblem]] = {
    Technique.MEN: _men,
    Technique.KOTE: _kote,
    Technique.DO: _do,
    Technique.TSUKI: _tsuki,
}


def _crossed(pen: Pen, at: Point, size: float, ink: Colour, ground: Colour) -> None:
    for way in (-1, 1):
        pen.line(_polygon(at, size, ((-0.4 * way, 0.45), (0.4 * way, -0.45))), 0.1 * size, ink)
        pen.line(_polygon(at, size, ((-0.42 * way, 0.12), (-0.1 * way, 0.34))), 0.07 * size, ink)
    pen.disc(at, 0.06 * size, ground)


def _ring(pen: Pen, at: Point, size: float, ink: Colour, ground: Colour) -> None:
    pen.disc(at, 0.48 * size, ink)
    pen.disc((at[0] + 0.04 * size, at[1] - 0.03 * size), 0.36 * size, ground)


def _arrow(pen: Pen, at: Point, size: float, ink: Colour, _: Colour) -> None:
    for shift in (-0.3, 0.0, 0.3):
        wedge = ((-0.4, 0.2 + shift), (0, -0.15 + shift), (0.4, 0.2 + shift))
        pen.line(_polygon(at, size, wedge), 0.11 * size, ink)


def _mountain(pen: Pen, at: Point, size: float, ink: Colour, ground: Colour) -> None:
    pen.shape(_polygon(at, size, ((-0.5, 0.42), (-0.1, -0.45), (0.06, -0.45), (0.5, 0.42))), ink)
    pen.shape(
        _polygon(at, size, ((-0.2, -0.22), (-0.1, -0.45), (0.06, -0.45), (0.18, -0.2), (0.0, -0.1))), ground
    )


def _hourglass(pen: Pen, at: Point, size: float, ink: Colour, _: Colour) -> None:
    pen.shape(_polygon(at, size, ((-0.36, -0.44), (0.36, -0.44), (-0.36, 0.44), (0.36, 0.44))), ink)
    for edge in (-0.46, 0.46):
        pen.line(_polygon(at, size, ((-0.44, edge), (0.44, edge))), 0.08 * size, ink)


def _shield(pen: Pen, at: Point, size: float, ink: Colour, ground: Colour) -> None:
    pen.shape(_polygon(at, size, ((-0.42, -0.45), (0.42, -0.45), (0.42, 0.05), (0, 0.5), (-0.42, 0.05))), ink)
    pen.line(_polygon(at, size, ((-0.36, 0.2), (0.36, -0.4))), 0.12 * size, ground)


def _pillar(pen: Pen, at: Point, size: float, ink: Colour, _: Colour) -> None:
    for x, width in ((-0.3, 0.1), (0.0, 0.26), (0.3, 0.1)):
        pen.line(_polygon(at, size, ((x, -0.4), (x, 0.4))), width * size, ink)


def _step_aside(pen: Pen, at: Point, size: float, ink: Colour, _: Colour) -> None:
    pen.curve(
        ((at[0] - 0.35 * size, at[1] + 0.45 * size), (at[0] + 0.7 * size, at[1]),
         (at[0] - 0.25 * size, at[1] - 0.45 * size)), 0.14 * size, ink,
    )  # fmt: skip
    pen.disc((at[0] - 0.28 * size, at[1]), 0.13 * size, ink)


def _push(pen: Pen, at: Point, size: float, ink: Colour, _: Colour) -> None:
    pen.shape(_polygon(at, size, ((-0.5, -0.14), (0.1, -0.14), (0.1, -0.36), (0.36, 0.0))), ink)
    pen.shape(_polygon(at, size, ((-0.5, 0.14), (0.1, 0.14), (0.1, 0.36), (0.36, 0.0), (-0.5, -0.14))), ink)
    pen.line(_polygon(at, size, ((0.44, -0.45), (0.44, 0.45))), 0.1 * size, ink)


def _whirl(pen: Pen, at: Point, size: float, ink: Colour, _: Colour) -> None:
    turns = np.linspace(0, 5 * np.pi, 60)
    way = np.column_stack([np.cos(turns), np.sin(turns)]) * (turns / (5 * np.pi) * 0.45 * size)[:, None]
    pen.line(way + np.array(at), 0.07 * size, ink)


def _high(pen: Pen, at: Point, size: float, ink: Colour, _: Colour) -> None:
    pen.line(_polygon(at, size, ((-0.2, 0.3), (0.3, -0.48))), 0.13 * size, ink)
    pen.disc((at[0] - 0.2 * size, at[1] + 0.3 * size), 0.18 * size, ink)


def _against_high(pen: Pen, at: Point, size: float, ink: Colour, ground: Colour) -> None:
    pen.disc(at, 0.48 * size, ink)
    _high(pen, at, 0.8 * size, ground, ink)


GREENS: Final[Mapping[Green, Emblem]] = {
    Green.TSUBAZERIAI: _crossed,
    Green.MUSHIN: _ring,
    Green.SEME: _arrow,
    Green.FUDOSHIN: _mountain,
    Green.JIKAN_DESU: _hourglass,
    Green.BOGYO: _shield,
    Green.TSUYOI_KAMAE: _pillar,
    Green.KAIHI_SURU: _step_aside,
    Green.OSHIDASHI: _push,
    Green.MAKI_WAZA: _whirl,
    Green.JODAN_NO_KAMAE: _high,
    Green.TAI_JODAN: _against_high,
}


NAME: Final = "shinpan-kendo"
_BROWN: Final[Colour] = (40, 74, 122)
_RED: Final[Colour] = (52, 44, 176)
_GREEN: Final[Colour] = (70, 112, 38)


@cache
def drawn_kendo_deck() -> Deck:
    """Return the house's own faces of the Kendo cards; brown ones with each of the five numbers."""
    width_mm, height_mm = deck_game("kendo").card_size_mm
    size = width_mm, height_mm
    pictures = {name: _drawn(name, number, size) for number, name in enumerate(FACES)}
    return Deck("kendo", NAME, pictures, width_mm, height_mm, notes="drawn by shinpan itself; MIT")


def _drawn(name: str, number: int, size_mm: tuple[float, float]) -> Picture:
    card = face(name).card
    if isinstance(card, Brown):
        pen, border = _brown(card, face(name).number, size_mm), _BROWN
    elif isinstance(card, Red):
        pen, border = _red(card, size_mm), _RED
    elif isinstance(card, Green):
        pen, border = _green(card, size_mm), _GREEN
    else:
        pen, border = _marker(name, size_mm), BLACK
    picture = pen.finished(picture_size_px(*size_mm), border).astype(np.float32)
    dice = np.random.default_rng(number)
    grain_gray = 2.0  # standard deviation of the paper's grain, gray levels
    picture += dice.normal(0, grain_gray, picture.shape[:2]).astype(np.float32)[..., None]
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def _brown(card: Brown, number: int, size_mm: tuple[float, float]) -> Pen:
    ground, ink = (_BROWN, PAPER) if card.is_hiki else (PAPER, _BROWN)
    pen = Pen(ground, size_mm)
    TECHNIQUES[card.technique](pen, (0.5 * size_mm[0], 28.0), 40.0, ink, ground)
    pen.text(card.value.replace("_", " ").upper(), (0.5 * size_mm[0], 54.0), 5.0, 54.0, ink)
    # as many stripes as the number says, readable from afar and upside down
    for stripe in range(number):
        x = 0.5 * size_mm[0] + (stripe - (number - 1) / 2) * 10
        pen.line([(x, 62.0), (x, 82.0)], 4.6, ink)
    return pen


def _red(card: Red, size_mm: tuple[float, float]) -> Pen:
    pen = Pen(PAPER, size_mm)
    half = size_mm[0] / 2
    pale_red = (172, 172, 232)
    pen.shape([(half, 0), (size_mm[0], 0), size_mm, (half, size_mm[1])], pale_red)
    TECHNIQUES[card.receives](pen, (0.5 * half, 32.0), 29.0, _RED, PAPER)
    TECHNIQUES[card.attacks](pen, (1.5 * half, 56.0), 29.0, _RED, pale_red)
    pen.text(card.receives.value.upper(), (0.5 * half, 72.0), 6.5, 26.0, _RED)
    pen.text(card.attacks.value.upper(), (1.5 * half, 16.0), 6.5, 26.0, _RED)
    return pen


def _green(card: Green, size_mm: tuple[float, float]) -> Pen:
    pen = Pen(WHITE, size_mm)
    pen.shape([(0, 64), (size_mm[0], 64), size_mm, (0, size_mm[1])], _GREEN)
    GREENS[card](pen, (0.5 * size_mm[0], 34.0), 48.0, _GREEN, WHITE)
    pen.text(card.value.replace("_", " ").upper(), (0.5 * size_mm[0], 76.0), 7.0, 55.0, WHITE)
    return pen


def _marker(name: str, size_mm: tuple[float, float]) -> Pen:
    assert name in MARKERS
    ground, ink = (BLACK, WHITE) if name == "ippon" else (WHITE, BLACK)
    pen = Pen(ground, size_mm)
    if name == "hansoku":
        pen.shape([(0, 0), (size_mm[0], 0), (0, size_mm[1])], _RED)
    middle = 0.5 * size_mm[0], 0.5 * size_mm[1]
    if name == "ippon":
        pen.disc(middle, 22.0, _RED)
    pen.text(name.upper(), (middle[0], middle[1]), 11.0, 50.0, ink)
    return pen
