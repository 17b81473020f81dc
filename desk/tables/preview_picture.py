"""The live picture of a card table, or of cards to enrol, for its page."""

from __future__ import annotations

from typing import Final

import cv2

from vision.frames.frame import Frame

_WIDTH_PX: Final = 960
_QUALITY: Final = 80


def preview_of(frame: Frame | None) -> bytes | None:
    """Return a frame as a small JPEG in colour, None without a frame."""
    if frame is None:
        return None
    picture = frame.colour()
    height_px = round(picture.shape[0] * _WIDTH_PX / picture.shape[1])
    small = cv2.resize(picture, (_WIDTH_PX, height_px), interpolation=cv2.INTER_AREA)
    done, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return jpeg.tobytes() if done else None
