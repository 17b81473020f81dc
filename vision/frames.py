"""One picture of the table and the instant it shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]
"""A gray picture, shape (height, width), uint8."""


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
    """

    gray: Gray
    t_ns: int
    t_unc_ns: int
    index: int
    jpeg: bytes | None = None
