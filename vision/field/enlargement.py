"""Enlarge small pictures to twice their size: one-pixel strokes cannot be located between pixels.

At 640x360 a card's print is as fine as the pixel grid: a search in steps of a pixel places the card on the
grid, half a millimetre or more off. Smoothly enlarged, it is found where it lies.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.field.layout_reader import LayoutReading
from vision.frames.frame import Frame, Glimpse, Gray


def enlarged(frame: Frame) -> Frame:
    """Return a frame as the eye looks at it: twice as large if it is small, else unchanged."""
    picture = frame.picture
    small_px = 900  # a longer side below this gives less than 0.8 pixels per millimetre of the field
    if max(frame.shape_px) >= small_px:
        return frame
    return replace(frame, picture=picture.turned(_twice) if isinstance(picture, Glimpse) else _twice(picture))


def as_delivered(reading: LayoutReading, width_px: int) -> LayoutReading:
    """Return a reading of enlarged pictures in the pixels of the camera's pictures, `width_px` wide."""
    geometry = reading.geometry
    if geometry.width_px == width_px:
        return reading
    share = width_px / geometry.width_px
    return replace(
        reading,
        geometry=replace(geometry, width_px=width_px, height_px=round(geometry.height_px * share)),
        corners_px=tuple((corners + 0.5) * share - 0.5 for corners in reading.corners_px),
    )


def _twice(gray: Gray) -> Gray:
    times = 2
    return np.asarray(cv2.resize(gray, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC), np.uint8)
