"""Measure how many pictures a second a film shows, and the factor of its slow motion."""

from __future__ import annotations

from itertools import islice

import av
import av.container
import numpy as np

from vision.sources.mjpeg import stamp

_CAPTURE_FPS = "com.android.capture.fps"
"""Key under which phones note the rate at which a slow-motion video was filmed; its times are stretched."""


def slow_motion(
    container: av.container.InputContainer, stream: av.VideoStream, step_s: float, told_fps: float | None
) -> float:
    """Return how many times slower than filmed a file plays, by `told_fps` or the phone's note; 1 without."""
    written = told_fps or container.metadata.get(_CAPTURE_FPS) or stream.metadata.get(_CAPTURE_FPS)
    try:
        filmed_fps = float(written or 0)
    except ValueError:
        return 1.0
    stretched = step_s * filmed_fps
    least_stretch = 1.5
    return stretched if stretched > least_stretch else 1.0


def usual_step_s(container: av.container.InputContainer, stream: av.VideoStream, stamps: list[int]) -> float:
    """Return the usual time between pictures, 0 if there are fewer than two; `stamps` are those already read.

    Dropped frames would distort the mean rate, so only steps close to the median are averaged. They are
    averaged since a file may count in whole milliseconds: 33 instead of 33.3 would be an error of one
    percent.
    """
    trial_packets = 60
    more = (stamp(packet) for packet in islice(container.demux(stream), trial_packets))
    steps = np.diff(sorted([*stamps, *(at for at in more if at is not None)]))
    if not len(steps):
        return 0.0
    alike_steps = 0.1  # steps between the frames of an even film differ by less
    usual = steps[np.abs(steps - np.median(steps)) <= max(1.0, alike_steps * float(np.median(steps)))]
    return float(usual.mean() if len(usual) else 0.0) * float(stream.time_base or 0)
