"""Pictures with transparency, and how they are put onto a canvas in perspective."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulator.drawing.paths import Floats

Pixels = NDArray[np.uint8]  # gray (height, width) or blue-green-red (height, width, 3)
Box = tuple[int, int, int, int]
"""left, top, right, bottom in pixels; right and bottom are the first pixels outside."""


def meet(a: Box, b: Box) -> bool:
    """Tell whether two boxes overlap."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def box_around(points_px: Floats, reach_px: float) -> Box:
    """Return the box around points (N, 2), extended by `reach_px`."""
    left, top = points_px.min(axis=0) - reach_px
    right, bottom = points_px.max(axis=0) + reach_px
    return int(left), int(top), int(right) + 1, int(bottom) + 1


@dataclass(frozen=True)
class Sprite:
    """A picture with colours premultiplied by its opacity."""

    colour: Pixels  # gray or blue-green-red
    opacity: Pixels  # (height, width), 255 = opaque
    px_per_m: float  # pixels per metre of the thing itself
    origin_px: tuple[float, float]  # the pixel of the thing's own origin; its right is +x, its ahead is -y

    @cached_property
    def layered(self) -> Pixels:
        """Colours and opacity as one picture, (height, width, 2 or 4), which is warped in half the time."""
        return np.dstack([self.colour, self.opacity])

    @classmethod
    def of(
        cls, bgr: Floats, opacity: Floats, px_per_m: float, origin_px: tuple[float, float], *, in_colour: bool
    ) -> Sprite:
        """Build a sprite from a float picture (height, width, 3) and an opacity of 0..1."""
        bgr8 = np.clip(bgr * opacity[..., None], 0, 255).astype(np.uint8)
        colour = bgr8 if in_colour else cv2.cvtColor(bgr8, cv2.COLOR_BGR2GRAY)
        return cls(
            np.asarray(colour, np.uint8), np.clip(opacity * 255, 0, 255).astype(np.uint8), px_per_m, origin_px
        )


@dataclass(frozen=True)
class Canvas:
    """A part of the picture to draw on; `left`, `top` is its place in the whole picture."""

    pixels: Pixels
    left: int = 0
    top: int = 0

    def part(self, left: int, top: int, right: int, bottom: int) -> Canvas | None:
        """Return the overlap with a rectangle of the whole picture, sharing the pixels."""
        height, width = self.pixels.shape[:2]
        x0, y0 = max(left, self.left), max(top, self.top)
        x1, y1 = min(right, self.left + width), min(bottom, self.top + height)
        if x1 <= x0 or y1 <= y0:
            return None
        inside = self.pixels[y0 - self.top : y1 - self.top, x0 - self.left : x1 - self.left]
        return Canvas(inside, x0, y0)


def stamp(canvas: Canvas, sprite: Sprite, matrix: Floats, *, light: float = 1.0, fine: int = 1) -> None:
    """Put a sprite onto the canvas.

    `matrix`: (2, 3) or (3, 3), sprite pixels to picture pixels. `light`: factor of the sprite's brightness.
    `fine`: samples per pixel in each direction; 2 for what must stay readable.
    """
    height, width = sprite.opacity.shape
    ends = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], np.float64)
    whole = np.vstack([matrix, [0, 0, 1]]) if len(matrix) == 2 else matrix
    seen = ends @ whole.T
    seen = seen[:, :2] / seen[:, 2:]
    left, top = np.floor(seen.min(axis=0)).astype(int) - 1
    right, bottom = np.ceil(seen.max(axis=0)).astype(int) + 2
    part = canvas.part(int(left), int(top), int(right), int(bottom))
    if part is None:
        return
    rows, columns = part.pixels.shape[:2]
    # Sample s of pixel p has its centre at fine * (p + 1/2) - 1/2.
    shift = np.array(
        [[fine, 0, fine * (0.5 - part.left) - 0.5], [0, fine, fine * (0.5 - part.top) - 0.5], [0, 0, 1]]
    )
    size = (columns * fine, rows * fine)
    total = shift @ whole
    if len(matrix) == 2:
        seen_so = cv2.warpAffine(sprite.layered, total[:2], size)
    else:
        seen_so = cv2.warpPerspective(sprite.layered, total, size)
    if fine > 1:
        seen_so = cv2.resize(seen_so, (columns, rows), interpolation=cv2.INTER_AREA)
    opacity = cv2.extractChannel(seen_so, seen_so.shape[2] - 1)
    in_colour = seen_so.shape[2] == 4
    colour = cv2.cvtColor(seen_so, cv2.COLOR_BGRA2BGR) if in_colour else cv2.extractChannel(seen_so, 0)
    blend(part.pixels, np.asarray(colour, np.uint8), np.asarray(opacity, np.uint8), light)


def stamp_along(
    canvas: Canvas,
    sprite: Sprite,
    at_px: Floats,
    ahead: Floats,
    *,
    across: float | None = None,
    right: Floats | None = None,
    light: float,
) -> None:
    """Put a sprite with its origin at `at_px` and its ahead along `ahead`, (2,) pixels per metre.

    Its right is perpendicular to that, `across` pixels per metre, unless `right` gives its direction.
    """
    length = float(np.hypot(*ahead))
    if length == 0:
        return
    if right is None:
        right = np.array([-ahead[1], ahead[0]]) * (1.0 if across is None else across / length)
    axes = np.column_stack([right, -ahead]) / sprite.px_per_m
    offset = at_px - axes @ np.array(sprite.origin_px)
    stamp(canvas, sprite, np.column_stack([axes, offset]), light=light)


def blend(under: Pixels, colour: Pixels, opacity: Pixels, light: float = 1.0) -> None:
    """Blend premultiplied `colour` over `under` in place."""
    through = cv2.bitwise_not(opacity)
    if under.ndim == 3:
        through = cv2.merge([through, through, through])
    dimmed = cv2.multiply(under, through, scale=1 / 255)
    if light != 1.0:
        colour = np.asarray(cv2.convertScaleAbs(colour, alpha=light), np.uint8)
    cv2.add(dimmed, colour, dst=under)
