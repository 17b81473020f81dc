"""The light on a table as a camera sees it, and soft shadows."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sprites import Pixels

SMALLER: Final = 4  # shadows are soft, so they are drawn at a size smaller by this factor


class SoftLight:
    """The light on a table.

    `light`: light on each of its pixels, 0..1, shape (height, width).

    `shape`: rows and columns of the grid on which shadows are drawn.
    """

    def __init__(self, camera: Camera, light: Floats) -> None:
        self.shape = camera.height_px // SMALLER, camera.width_px // SMALLER
        self._size = camera.width_px, camera.height_px
        small = cv2.resize(light, self.shape[::-1], interpolation=cv2.INTER_AREA)
        self._light = np.asarray(small, np.float32)

    def at(self, at_px: Floats) -> float:
        """Return the light, 0..1, at a point of the picture, (2,) x and y."""
        rows, columns = self.shape
        x = min(max(int(at_px[0] / SMALLER), 0), columns - 1)
        y = min(max(int(at_px[1] / SMALLER), 0), rows - 1)
        return float(self._light[y, x])

    def left_by(self, *shadows: NDArray[np.floating]) -> Pixels:
        """Return the light that reaches the table, shape (height, width), 255 for full light.

        `shadows`: share of the light that each takes away, of `shape`.
        """
        lit: NDArray[np.floating] = self._light
        for shadow in shadows:
            lit = lit * (1 - shadow)
        left = (lit * 255).astype(np.uint8)
        return np.asarray(cv2.resize(left, self._size, interpolation=cv2.INTER_LINEAR), np.uint8)


def thick_line(dark: Pixels, start: Floats, end: Floats, wide: float, value: int) -> None:
    """Draw the shadow of a limb, given its ends (2,) and its width in pixels of `dark`."""
    fine_bits = 4  # lines begin and end at sixteenths of a pixel
    first, last = (np.rint(point * 2**fine_bits).astype(int).tolist() for point in (start, end))
    cv2.line(dark, first, last, value, max(1, round(wide)), cv2.LINE_AA, fine_bits)


def softened(dark: Pixels, edge: float) -> Pixels:
    """Return a shadow whose edges fade over about `edge` pixels to either side."""
    size = (max(3, int(edge) | 1),) * 2
    return np.asarray(cv2.blur(cv2.blur(dark, size), size), np.uint8)
