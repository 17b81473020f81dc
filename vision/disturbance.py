"""What spoils a whole poem for the eye: a knocked camera, or a lamp switched on or off.

Both are looked for once, when a poem is over, by comparing the field with its resting picture. Whatever was
seen of the poem may be wrong then, so the poem gets a gap and goes to the officials.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.facts import Gap
from vision.frames import Gray
from vision.slots import SlotGrid

_KNOCK_MM = 0.3
"""As much as a card must move to count as touched: from here on the camera could invent a contact."""
_LIGHT_STEP = 1.2
_SEEN_SHARE = 0.3
"""Where fewer cards than this show their faces in place, most were swept away or the camera turned."""
_WIDTH_PX = 640  # the picture's motion is measured at this size, to about a tenth of its pixels


def disturbance(grid: SlotGrid, now: Gray, px_per_mm: float, t_from_ns: int, t_to_ns: int) -> Gap | None:
    """Tell whether the camera moved or the light changed between the resting picture and `now`.

    Parameters
    ----------
    grid : the resting cards.
    now : the field after the poem.
    px_per_mm : scale of the picture.
    t_from_ns, t_to_ns : the time in between, which the gap covers.
    """
    looks = grid.look(now)
    if looks.seen.any(axis=1).mean() > _SEEN_SHARE:
        # cards that were not played still show their faces: what they have in common is the camera's motion
        shift_px = float(np.hypot(*np.median(looks.shift_px[looks.seen], axis=0)))
        gain = float(np.median(looks.gain[looks.seen]))
    else:
        shift_px, gain = _shift_px(grid.picture, now), 1.0
    if shift_px > _KNOCK_MM * px_per_mm:
        return Gap(t_from_ns, t_to_ns, "lost_calibration")
    if not 1 / _LIGHT_STEP < gain < _LIGHT_STEP:
        return Gap(t_from_ns, t_to_ns, "light_changed")
    return None


def _shift_px(rest: NDArray[np.float32], now: Gray) -> float:
    """Return how far the whole picture has moved, in its own pixels.

    Most of a picture of the field is still even when cards were swept away, and phase correlation follows
    what most of the picture does.
    """
    height, width = now.shape
    scale = min(1.0, _WIDTH_PX / width)
    size = round(width * scale), round(height * scale)
    before, after = (
        cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32) for picture in (rest, now)
    )
    (dx, dy), _ = cv2.phaseCorrelate(before, after, cv2.createHanningWindow(size, cv2.CV_32F))
    return float(np.hypot(dx, dy) / scale)
