"""How many pictures a second a film shows, and by how much it is slow motion."""

from __future__ import annotations

from itertools import islice

import av
import av.container
import numpy as np

from vision.sources.mjpeg import stamp

_CAPTURE_FPS = "com.android.capture.fps"
"""Where phones write down how fast a slow-motion video was filmed; its own times are stretched."""


def slow_motion(
    container: av.container.InputContainer, stream: av.VideoStream, step_s: float, told_fps: float | None
) -> float:
    """Return how many times slower than filmed the file plays, as told or written by the phone; 1 without."""
    written = told_fps or container.metadata.get(_CAPTURE_FPS) or stream.metadata.get(_CAPTURE_FPS)
    try:
        filmed_fps = float(written or 0)
    except ValueError:
        return 1.0
    stretched = step_s * filmed_fps
    least_stretch = 1.5
    return stretched if stretched > least_stretch else 1.0


def usual_step_s(container: av.container.InputContainer, stream: av.VideoStream, stamps: list[int]) -> float:
    """Return the usual time between pictures, 0 where there are not two; `stamps` are those already read.

    The mean rate would be misled by frames that were dropped. It is averaged over all that are about as long,
    for a file may count in whole milliseconds: 33 for 33.3 would be a hundredth of all times.
    """
    trial_packets = 60
    more = (stamp(packet) for packet in islice(container.demux(stream), trial_packets))
    steps = np.diff(sorted([*stamps, *(at for at in more if at is not None)]))
    if not len(steps):
        return 0.0
    alike_steps = 0.1  # steps between frames of an even film differ by less
    usual = steps[np.abs(steps - np.median(steps)) <= max(1.0, alike_steps * float(np.median(steps)))]
    return float(usual.mean() if len(usual) else 0.0) * float(stream.time_base or 0)
