"""Small pictures at twice their size: strokes a pixel thin cannot be followed between pixels.

At 640x360 a card's print is as fine as the camera's grid: searched for in steps of a pixel it seems to lie on
the grid, half a millimetre or more beside its place. Smoothly enlarged it is found where it lies.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.field.layout_reader import LayoutReading
from vision.frames.frame import Frame, Glimpse, Gray


def enlarged(frame: Frame) -> Frame:
    """Return a frame as the eye looks at it: twice as large where it is small, itself otherwise."""
    picture = frame.picture
    small_px = 900  # longer side below which there are less than 0.8 pixels to a millimetre of the field
    if max(frame.shape_px) >= small_px:
        return frame
    return replace(frame, picture=picture.turned(_twice) if isinstance(picture, Glimpse) else _twice(picture))


def as_delivered(reading: LayoutReading, width_px: int) -> LayoutReading:
    """Return what was read from enlarged pictures for those that the camera delivers, `width_px` wide."""
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
