"""Decode stored pictures to arrays, whatever format they claim to have."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


def decoded(data: bytes, flags: int) -> NDArray[np.uint8] | None:
    """Return a picture (JPEG, PNG, ...) as OpenCV decodes it.

    `flags`: for `cv2.imdecode`, such as `cv2.IMREAD_GRAYSCALE`.

    Returns: shape (height, width) or (height, width, 3); None if it is no picture, is damaged, or claims more
    pixels than OpenCV accepts.
    """
    if not data:
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, np.uint8)
