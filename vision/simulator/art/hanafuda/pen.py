"""A pen for drawing on a card: filled shapes and strokes in millimetres from the card's top left, y down."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.style import Colour

WIDTH_MM: Final = 33.0
HEIGHT_MM: Final = 54.0
_PX_PER_MM: Final = 18
_SHIFT: Final = 4  # coordinates are given to a sixteenth of a pixel
Point = tuple[float, float]

BLACK: Final[Colour] = (34, 28, 30)
WHITE: Final[Colour] = (238, 242, 244)
PAPER: Final[Colour] = (218, 232, 238)
RED: Final[Colour] = (44, 36, 196)
GREEN: Final[Colour] = (58, 104, 40)
LEAF: Final[Colour] = (70, 140, 74)
BLUE: Final[Colour] = (150, 66, 52)
PURPLE: Final[Colour] = (140, 54, 112)
YELLOW: Final[Colour] = (52, 190, 236)
ORANGE: Final[Colour] = (44, 124, 232)
BROWN: Final[Colour] = (52, 78, 118)
PINK: Final[Colour] = (168, 150, 240)
OLIVE: Final[Colour] = (52, 138, 142)


class Pen:
    """Draws on one card. `pixels`: shape (height, width, 3), three times finer than the finished card."""

    def __init__(self, ground: Colour = PAPER, size_mm: Point = (WIDTH_MM, HEIGHT_MM)) -> None:
        size = round(size_mm[1] * _PX_PER_MM), round(size_mm[0] * _PX_PER_MM), 3
        self.pixels: NDArray[np.uint8] = np.empty(size, np.uint8)
        cv2.rectangle(self.pixels, (0, 0), (size[1], size[0]), ground, cv2.FILLED)

    def disc(self, at: Point, radius: float, colour: Colour) -> None:
        """Fill a circle."""
        self.oval(at, (radius, radius), colour)

    def oval(
        self, at: Point, radii: Point, colour: Colour, turn_deg: float = 0.0, arc: Point = (0, 360)
    ) -> None:
        """Fill an ellipse, or its sector `arc`, in degrees clockwise from its right."""
        outline = cv2.ellipse2Poly(
            (0, 0),
            (round(radii[0] * 256), round(radii[1] * 256)),
            round(turn_deg),
            round(arc[0]),
            round(arc[1]),
            4,
        )
        points = np.asarray(outline, np.float64) / 256 + np.array(at)
        if arc[1] - arc[0] < 360:
            points = np.vstack([points, at])
        self.shape(points, colour)

    def shape(self, points: Sequence[Point] | Floats, colour: Colour) -> None:
        """Fill a polygon."""
        cv2.fillPoly(self.pixels, [self._fixed(points)], colour, cv2.LINE_AA, _SHIFT)

    def line(self, points: Sequence[Point] | Floats, width: float, colour: Colour) -> None:
        """Draw a stroke through points."""
        thick = max(1, round(width * _PX_PER_MM))
        cv2.polylines(self.pixels, [self._fixed(points)], False, colour, thick, cv2.LINE_AA, _SHIFT)

    def curve(
        self, ends: tuple[Point, Point, Point], width: float, colour: Colour, thin: float | None = None
    ) -> Floats:
        """Draw an arc from the first point to the last, bent towards the middle one; return points (24, 2).

        `thin` is the width at its end, if different.
        """
        a, b, c = (np.array(end, np.float64) for end in ends)
        u = np.linspace(0, 1, 24)[:, None]
        points = np.asarray((1 - u) ** 2 * a + 2 * u * (1 - u) * b + u**2 * c)
        if thin is None:
            self.line(points, width, colour)
        else:
            way = np.gradient(points, axis=0)
            across = np.column_stack([-way[:, 1], way[:, 0]]) / np.hypot(*way.T)[:, None]
            half = (width + (thin - width) * u) / 2
            self.shape(np.vstack([points + across * half, (points - across * half)[::-1]]), colour)
        return points

    def text(self, words: str, at: Point, height: float, width: float, colour: Colour) -> None:
        """Write one line of Latin letters about the point `at`, at most `width` wide."""
        thick = max(1, round(height * 0.14 * _PX_PER_MM))
        (long, _), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_DUPLEX, 1.0, 1)
        scale = min(height * _PX_PER_MM / 22, width * _PX_PER_MM / long)
        (long, tall), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_DUPLEX, scale, thick)
        corner = round(at[0] * _PX_PER_MM - long / 2), round(at[1] * _PX_PER_MM + tall / 2)
        cv2.putText(self.pixels, words, corner, cv2.FONT_HERSHEY_DUPLEX, scale, colour, thick, cv2.LINE_AA)

    def flower(
        self, at: Point, radius: float, petals: int, colours: tuple[Colour, Colour], *, turn_deg: float = 0.0
    ) -> None:
        """Draw round petals around a centre."""
        for number in range(petals):
            angle = np.deg2rad(turn_deg + number * 360 / petals)
            middle = (
                at[0] + float(np.cos(angle)) * radius * 0.55,
                at[1] + float(np.sin(angle)) * radius * 0.55,
            )
            self.oval(middle, (radius * 0.5, radius * 0.5), colours[0], float(np.rad2deg(angle)))
        self.disc(at, radius * 0.28, colours[1])

    def leaf(self, at: Point, length: float, width: float, turn_deg: float, colour: Colour) -> None:
        """Draw a pointed leaf that starts at `at`; turned clockwise from up."""
        along = np.linspace(0, 1, 12)
        bulge = np.sin(np.pi * along**0.8) * width / 2
        rim = np.vstack(
            [np.column_stack([bulge, -along * length]), np.column_stack([-bulge, -along * length])[::-1]]
        )
        angle = np.deg2rad(turn_deg)
        turned = rim @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        self.shape(turned + np.array(at), colour)

    def finished(self, size_px: Point, border: Colour) -> NDArray[np.uint8]:
        """Return the card at its final size, with a painted edge."""
        border_mm = 1.7  # real cards are wrapped in a painted edge about this wide
        edge = round(border_mm * _PX_PER_MM)
        inside = self.pixels[edge:-edge, edge:-edge]
        framed = cv2.copyMakeBorder(inside, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=border)
        size = round(size_px[0]), round(size_px[1])
        return np.asarray(cv2.resize(framed, size, interpolation=cv2.INTER_AREA), np.uint8)

    @staticmethod
    def _fixed(points: Sequence[Point] | Floats) -> NDArray[np.int32]:
        scaled = np.asarray(points, np.float64) * _PX_PER_MM * (1 << _SHIFT)
        return np.asarray(np.rint(scaled), np.int32).reshape(-1, 1, 2)
