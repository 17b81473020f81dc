"""Brightness of a decoded picture."""

import av
import numpy as np

from vision.frames.frame import Gray

_LUMA_FIRST = frozenset(
    {"gray", "yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "yuvj444p", "nv12", "nv21"}
)
"""Pixel formats whose plane 0 is 8 bit luma: no conversion is needed."""


def luma(picture: av.VideoFrame) -> Gray:
    """Return a decoded picture's brightness, shape (height, width), uint8."""
    if picture.format.name not in _LUMA_FIRST:
        return picture.to_ndarray(format="gray").astype(np.uint8, copy=False)
    plane = picture.planes[0]
    rows = np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)  # padded to line_size
    return rows[: picture.height, : picture.width].copy()  # the decoder reuses its buffer
