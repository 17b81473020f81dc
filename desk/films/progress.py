"""The progress of the work on a film, and the remaining time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """The stage of the work."""

    LISTENING = "listening"
    LOOKING = "looking"  # looking for the plays of a film whose sound does not help
    JUDGING = "judging"


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a stage."""

    stage: Stage
    share: float  # part of the film that is done, 0..1
    left_s: float | None  # remaining time of the stage at this pace in seconds, None if unknown


Tell = Callable[[Progress], None]


class Pacer:
    """Turns instants of a film into progress. `clock_s`: a clock in seconds, such as `time.monotonic`."""

    def __init__(self, tell: Tell, clock_s: Callable[[], float]) -> None:
        self._tell, self._clock_s = tell, clock_s
        self._told_s = -1.0

    def begin(self, stage: Stage, length_ns: int, begins_ns: int = 0) -> Callable[[int], None]:
        """Begin a stage; return a function that takes the instants of a film of this length and beginning."""
        began_s = self._clock_s()
        self._tell(Progress(stage, 0.0, None))
        every_s, least_share = 0.2, 0.02

        def watched(t_ns: int) -> None:
            now_s = self._clock_s()
            if now_s - self._told_s < every_s:
                return
            self._told_s = now_s
            share = min(1.0, max(0.0, (t_ns - begins_ns) / length_ns)) if length_ns else 0.0
            known = share >= least_share
            left_s = (now_s - began_s) * (1 - share) / share if known else None
            self._tell(Progress(stage, share, left_s))

        return watched
