"""The resting field at the scale of the players' map, and how a frame differs from it under its own light.

Light (flicker, and the wide soft shade of players) changes the picture by a factor that varies slowly: it is
the median of that factor over an area wider than two arms. Arms and their own sharp shadows are narrower and
stay visible. No median follows the edge of a wide shade: see `vision.field.shaded_floor`.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field.shaded_floor import SPARSE, WideShade
from vision.frames.frame import Gray

UNIT = 100.0  # brightness factor 1 in the 8 bit pictures of factors


class RestingMap:
    """The resting field, with and without its cards.

    `resting`: pictures of the field at rest, at the map's size.

    `rest`: mean of `resting`.
    """

    def __init__(self, resting: Sequence[Gray], bare: Gray) -> None:
        self.rest = np.rint(np.mean(resting, axis=0)).astype(np.uint8)
        self._bare = bare
        too_dark = 8  # gray levels: below this a pixel cannot tell how much brighter it has become
        self._black = self.rest < too_dark
        differences = [
            cv2.absdiff(one, _lit(self.rest, self._wide(self._light(self._factor(one))))) for one in resting
        ]
        noise = float(np.mean(np.stack(differences))) / 0.8
        min_step_gray = 7.0
        noise_factor = 6.0
        self._threshold = max(min_step_gray, noise_factor * noise)
        self._shade = WideShade()

    def changed(self, small: Gray, t_ns: int) -> tuple[Gray, Gray, NDArray[np.uint8]]:
        """Return a frame's light, sparsely sampled and at the map's size, and 1 where it shows anything new.

        Light is relative to the resting picture, in hundredths. Frames must come in the order of time.
        """
        factor = self._factor(small)
        light = self._light(factor)
        wide = self._wide(light)
        new = self._differs(small, self.rest, wide)
        shaded = self._shade.light_under(factor, new, light, t_ns)
        if shaded is None:
            return light, wide, new
        wide = self._wide(shaded)
        return shaded, wide, self._differs(small, self.rest, wide)

    def covered(self, small: Gray, wide: Gray) -> NDArray[np.uint8]:
        """Return 1 where a frame shows no bare floor under a light at the map's size."""
        return self._differs(small, self._bare, wide)

    def is_floor(self, small: Gray, light: Gray) -> NDArray[np.bool_]:
        """Tell where a frame may show bare floor, (h, w); see `PlayerMap.is_floor`."""
        usual, wide = np.full_like(small, median_of(light)), self._wide(light)
        low, high = (_lit(self._bare, bound(usual, wide)) for bound in (np.minimum, np.maximum))
        darker, brighter = cv2.subtract(low, small), cv2.subtract(small, high)
        return np.asarray(np.maximum(darker, brighter) <= self._threshold, np.bool_)

    def _factor(self, small: Gray) -> Gray:
        """Return each pixel's brightness relative to the resting picture, in hundredths."""
        factor = np.asarray(cv2.divide(small, self.rest, scale=UNIT), np.uint8)
        factor[self._black] = UNIT
        return factor

    def _light(self, factor: Gray) -> Gray:
        """Return the light, as medians of the factors, sparsely sampled."""
        sparse = np.ascontiguousarray(cv2.blur(factor, (3, 3))[::SPARSE, ::SPARSE])
        median_samples = 11  # 3 x 11 pixels of about 8 mm are wider than two arms
        return np.asarray(np.maximum(cv2.blur(cv2.medianBlur(sparse, median_samples), (3, 3)), 1), np.uint8)

    def _differs(self, small: Gray, expected: Gray, wide: Gray) -> NDArray[np.uint8]:
        """Return 1 where a frame differs from an expected picture under a light."""
        off = np.asarray(cv2.absdiff(small, _lit(expected, wide)))
        return (off > self._threshold).astype(np.uint8)

    def _wide(self, light: Gray) -> Gray:
        height, width = self.rest.shape
        return np.asarray(cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def median_of(light: Gray) -> int:
    """Return the median of a light in hundredths; for small integers sorting is faster than partitioning."""
    levels = np.sort(light, axis=None)
    return (int(levels[(levels.size - 1) // 2]) + int(levels[levels.size // 2])) // 2


def _lit(picture: Gray, light: Gray) -> Gray:
    return np.asarray(cv2.multiply(picture, light, scale=1 / UNIT), np.uint8)
