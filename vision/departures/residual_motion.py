"""Tell whether anything moves where a card lay: a hand as gray as the floor looks like it, but moves."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.field.slots import Slot
from vision.frames.frame import Frame


def stirs(slot: Slot, frames: Sequence[Frame]) -> bool:
    """Tell whether a card's place has just changed, other than by the light on all of it.

    `frames`: the latest pictures, in order of time.
    """
    now = frames[-1]
    since_ns = 25_000_000  # a sweeping or tidying hand moves on by a finger in this time
    then = next((one for one in reversed(frames) if now.t_ns - one.t_ns >= since_ns), frames[0])
    block_px, rim_px = 4, 2  # in the mean of a block a camera's noise is below a gray level
    low = np.maximum(np.ceil(slot.corners_px.min(axis=0)).astype(int) + rim_px, 0)
    high = np.minimum(np.floor(slot.corners_px.max(axis=0)).astype(int) - rim_px, now.gray.shape[::-1])
    across, down = (high - low) // block_px
    if min(across, down) < 1:  # hardly any of it is in the picture
        return False
    place = slice(low[1], high[1]), slice(low[0], high[0])
    change = now.gray[place].astype(np.float32) - then.gray[place]
    # Of 78 places that cards had left for good 71 changed by less than 1.1 and two by less than this; over
    # the other five cards still flew. Two places below a hand as gray as the floor changed by 12.
    stirs_gray = 4.0
    return (
        float(cv2.resize(change, (int(across), int(down)), interpolation=cv2.INTER_AREA).std()) > stirs_gray
    )
