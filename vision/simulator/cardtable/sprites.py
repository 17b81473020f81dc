"""The pictures of flat things on a table, each with a soft shadow at its edge."""

from __future__ import annotations

import cv2
import numpy as np

from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sprites import Pixels, Sprite


def flat_sprite(picture: Pixels, shape: Floats, px_per_mm: float, blur_px: float, tint: Floats) -> Sprite:
    """Return the picture of a flat thing, ready to be stamped; its origin is the centre.

    Parameters
    ----------
    picture : shape (height, width, 3), blue, green, red, of any size.
    shape : the thing's outline at the sprite's scale, 0..1.
    blur_px : blur of the lens in the sprite's pixels.
    tint : (3,), white as the camera's white balance renders it.
    """
    margin_mm = 2.0  # around the thing, for the shadow at its edge
    margin = max(2, round(margin_mm * px_per_mm))
    height, width = shape.shape
    solid = np.zeros((height + 2 * margin, width + 2 * margin), np.float32)
    solid[margin:-margin, margin:-margin] = shape
    shadow = cv2.GaussianBlur(solid, (0, 0), margin * 0.45) * 0.4
    opacity = np.maximum(solid, shadow)
    bgr = np.zeros((*solid.shape, 3))
    bgr[margin:-margin, margin:-margin] = (
        cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA) * tint
    )
    bgr *= (solid / np.maximum(opacity, 1e-6))[..., None]
    if blur_px > 0.2:
        colour = cv2.GaussianBlur(bgr * opacity[..., None], (0, 0), blur_px)
        opacity = np.asarray(cv2.GaussianBlur(opacity, (0, 0), blur_px))
        bgr = colour / np.maximum(opacity, 1e-6)[..., None]
    origin = solid.shape[1] / 2 - 0.5, solid.shape[0] / 2 - 0.5
    return Sprite.of(bgr, np.asarray(opacity, np.float64), px_per_mm * 1000, origin, in_colour=True)
