"""The house's own box of Kendo cards: every face, and how often it is in the box."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from calibration.decks.deck import Deck, Picture, deck_game, picture_size_px
from referee.cards.kendo import FACES, MARKERS, Brown, Green, Red, face
from vision.simulator.art.hanafuda.pen import BLACK, PAPER, WHITE, Pen
from vision.simulator.art.kendo.emblems import GREENS, TECHNIQUES
from vision.simulator.drawing.style import Colour

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
