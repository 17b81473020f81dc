"""Find the light at the edge of a wide shade, e.g. of somebody who walks by.

What lies over the field is found by pixels that differ from the resting picture under the light around them,
and that light is a median over more than two arms. No median follows the edge of a wide shade: a stripe of
floor and cards would pass for an arm, and so would a place that was shaded while the field rested. But a
shade begins slowly, over a hand's width and more, while an object has an outline. So floor is everything that
can be reached from known floor without crossing an outline.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Gray

Floats = NDArray[np.float32]

SPARSE = 3  # light is sampled at every third pixel of about 7 mm
_CELL = np.ones((3, 3), np.uint8)


class WideShade:
    """Follows the light over the edges of shades while somebody's shade lies over the field."""

    def __init__(self) -> None:
        self._until_ns = 0

    def light_under(self, factor: Gray, covered: NDArray[np.uint8], light: Gray, t_ns: int) -> Gray | None:
        """Return the light of a picture with a wide shade over it; None if there is none.

        A hand's own soft shade is small, and is left as it is.

        `factor`: (h, w), how much brighter each pixel is than in the resting picture, hundredths. `covered`:
        (h, w), 1 where pixels differ from what `light` predicts. `light`: (h / 3, w / 3), the light by
        medians, hundredths; the result is sampled alike.
        """
        # least difference of the light within the picture, in hundredths, while somebody's shade lies over it
        uneven_hundredths = 15
        if int(light.max()) - int(light.min()) <= uneven_hundredths:
            return None
        floor, even = _floor(factor, covered)
        shaded = np.count_nonzero(floor & covered)
        # pixels of floor that look covered: more than a hand's own shade, and the same once a shade was there
        wide_px, left_px = 400, 40
        if shaded >= wide_px:
            stays_ns = 2_000_000_000  # after that, less of it still counts as shade
            self._until_ns = t_ns + stays_ns
        elif t_ns >= self._until_ns or shaded < left_px:
            return None
        return _light_of(floor, even, light)


def _floor(factor: Gray, covered: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], Floats]:
    """Return where floor is reached without crossing an outline, (h, w), and the smoothed factors (h, w)."""
    even = cv2.blur(factor.astype(np.float32), (3, 3))
    step = cv2.subtract(cv2.dilate(even, _CELL), cv2.erode(even, _CELL))
    outline_step = 0.05  # least relative step of the light over two pixels at an outline
    smooth = (np.asarray(step) < outline_step * np.asarray(even)).astype(np.uint8)
    # narrower gaps in an outline are closed
    inside = np.asarray(cv2.erode(smooth, _CELL, borderType=cv2.BORDER_CONSTANT, borderValue=1))
    count, number = cv2.connectedComponents(inside, connectivity=4)
    known = np.bincount(number[(covered == 0) & (inside > 0)], minlength=count)
    fewest_px = 200  # known pixels of floor from which more floor can be reached
    is_floor = known >= fewest_px
    is_floor[0] = False
    return smooth & np.asarray(cv2.dilate(is_floor[number].astype(np.uint8), _CELL)), np.asarray(even)


def _light_of(floor: NDArray[np.uint8], even: Floats, light: Gray) -> Gray:
    """Return the light of the floor around each sample, or `light` where there is no floor."""
    seen = np.ascontiguousarray((even * floor)[::SPARSE, ::SPARSE])
    weight = np.ascontiguousarray(floor[::SPARSE, ::SPARSE].astype(np.float32))
    found, told = light.astype(np.float32), np.zeros(light.shape, np.bool_)
    spans = (3, 9, 27)  # widths, in samples, of the surroundings whose floor gives the light
    least_floor = 0.2  # share of the surroundings that must be floor
    for span in spans:
        near = np.asarray(cv2.blur(weight, (span, span)))
        tells = ~told & (near >= least_floor)
        found[tells] = (np.asarray(cv2.blur(seen, (span, span))) / np.maximum(near, 1e-3))[tells]
        told |= tells
    return np.asarray(np.clip(np.rint(found), 1, 255), np.uint8)
