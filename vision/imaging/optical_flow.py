"""Find where each pixel of a small picture was in the previous one: dense optical flow in a part of it."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Gray


class Motion:
    """Dense inverse search (source in docs/credits.md) at the finest scale: fingers are 3 pixels wide."""

    def __init__(self) -> None:
        self._search = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_ULTRAFAST)
        self._search.setFinestScale(0)
        # both pictures have the same brightness, and on plain sleeves it is all there is to follow
        self._search.setUseMeanNormalization(False)

    def origins(
        self, now: Gray, before: Gray, where: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the column and row, each (h, w), at which every pixel of `now` was in `before`.

        `where`: (h, w), the pixels of interest; all others are assumed to have stayed.
        """
        rows, columns = (
            _reach(np.flatnonzero(where.any(axis=axis)), where.shape[1 - axis]) for axis in (1, 0)
        )
        x, y = (places.copy() for places in _places(now.shape))
        parts = [np.ascontiguousarray(picture[rows, columns]) for picture in (now, before)]
        flow = self._search.calc(parts[0], parts[1], None)  # type: ignore[call-overload]
        x[rows, columns] += flow[..., 0]
        y[rows, columns] += flow[..., 1]
        return x, y


@lru_cache(maxsize=8)
def _places(shape: tuple[int, ...]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the column and the row of every pixel of a picture; cached, do not write to them."""
    rows, columns = np.indices(shape, np.float32)
    return columns, rows


def _reach(places: NDArray[np.intp], length: int) -> slice:
    """Return the range from the first to the last place, extended by a margin and to a minimum size."""
    margin_px = 5  # of still picture around the motion
    start, stop = int(places[0]) - margin_px, int(places[-1]) + 1 + margin_px
    smallest_px = 48  # the flow needs a few coarser levels
    start = max(0, min(start, length - smallest_px))
    return slice(start, min(length, max(stop, start + smallest_px)))
