"""Pictures for replays: a picture in colour, and the bundle of a step at a card table."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np

from vision.frames.frame import Frame
from vision.match.evidence_ring import Bundle, EvidenceRing, Kept, cut

WIDEST_PX: Final = 1280
"""Greatest width of a replay: it shows a hand at a card well, and a hundred poems take at most a gigabyte."""


def in_colour(frame: Frame) -> Kept:
    """Return a picture as a JPEG in colour, at most `WIDEST_PX` wide."""
    colour = frame.colour()
    scale = WIDEST_PX / colour.shape[1]
    if scale < 1:
        smaller = cv2.resize(colour, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        colour = np.asarray(smaller, np.uint8)
    done, data = cv2.imencode(".jpg", colour, [cv2.IMWRITE_JPEG_QUALITY, 85])
    assert done, "a picture of a camera can be encoded"
    return Kept(frame.t_ns, frame.t_unc_ns, frame.index, data.tobytes())


def step_bundle(frames: EvidenceRing, t_ns: int) -> Bundle:
    """Return the bundle of a step whose cards lay still from `t_ns` on."""
    marks: dict[str, Any] = {
        "counted": "after_step",
        "poem": None,
        "t_poem_ns": t_ns,
        "t_poem_unc_ns": 0,
        "t_kimariji_ns": None,
        "touches": [],
        "slower": 1,
    }
    return cut(frames, 0, 2**63 - 1, marks)
