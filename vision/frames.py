"""One picture of the table and the instant it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]
"""A gray picture, shape (height, width), uint8."""
Colour = NDArray[np.uint8]
"""A colour picture, shape (height, width, 3), uint8, channels blue, green, red."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One frame of a source.

    Attributes
    ----------
    gray : shape (height, width), uint8.
    t_ns : middle of the exposure of the middle row, on the source's clock.
    t_unc_ns : 95 % half width of that instant (> 0).
    index : 0-based count of frames delivered by the source (never used as a clock).
    jpeg : the camera's own MJPEG bytes where the source had them (kept as evidence, not re-encoded).
    render_colour : returns the same picture in colour, where a source without MJPEG bytes can.
    """

    gray: Gray
    t_ns: int
    t_unc_ns: int
    index: int
    jpeg: bytes | None = None
    render_colour: Callable[[], Colour] | None = None

    def colour(self) -> Colour:
        """Return the picture in colour, decoded only now because few are asked for; gray without colour."""
        if self.render_colour is not None:
            return self.render_colour()
        if self.jpeg is not None:
            flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
            decoded = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), flags)
            if decoded is not None:
                return np.asarray(decoded, np.uint8)
        return np.asarray(cv2.cvtColor(self.gray, cv2.COLOR_GRAY2BGR), np.uint8)
