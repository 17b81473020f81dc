"""Choose the picture that shows most of a field under moving hands: they never cover all of it for long."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.failure import FailedEstimation
from calibration.field.geometry import FieldGeometry
from vision.field.layout_reader import LayoutReading, read_layout
from vision.frames.frame import Frame
from vision.torifuda.prior_knowledge import NOTHING_KNOWN, PriorKnowledge


def fullest(
    frames: Sequence[Frame], geometry: FieldGeometry | None = None, known: PriorKnowledge = NOTHING_KNOWN
) -> tuple[int, int]:
    """Return the number of the latest of the recent pictures in which the most cards can be named.

    The second number is how many cards these are, -1 if no picture could be read.

    `geometry`, `known`: as for `read_layout`.
    """
    if not frames:
        raise ValueError("fullest needs at least one frame, got none")
    best, most, due_ns = len(frames) - 1, -1, frames[-1].t_ns
    # The step between the pictures that are read, and how far back the first of them may be.
    step_ns, back_ns = 150_000_000, 1_500_000_000
    for number in reversed(range(len(frames))):
        t_ns = frames[number].t_ns
        if t_ns < frames[-1].t_ns - back_ns:
            break
        if t_ns > due_ns:
            continue
        frame = frames[number]
        cards = named(read_layout([frame.gray], geometry, known, frame.colour))
        if cards > most:
            best, most = number, cards
        due_ns = t_ns - step_ns
    return best, most


def named(found: LayoutReading | FailedEstimation | None) -> int:
    """Return how many cards of a field could be named, -1 if it could not be read."""
    return found.named if isinstance(found, LayoutReading) else -1
