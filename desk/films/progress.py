"""How far the work on a film has come, and how long it will take still."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """What is being done."""

    LISTENING = "listening"
    LOOKING = "looking"
    """For the plays of a film whose sound tells nothing."""
    JUDGING = "judging"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage has come.

    Attributes
    ----------
    stage : what is being done.
    share : how much of the film is done, 0..1.
    left_s : how long the rest of the stage takes at this pace, None where nobody knows yet.
    """

    stage: Stage
    share: float
    left_s: float | None


Tell = Callable[[Progress], None]


class Pacer:
    """Turns instants of a film into progress.

    Parameters
    ----------
    tell : is told.
    clock_s : seconds that pass by themselves, such as `time.monotonic`.
    """

    def __init__(self, tell: Tell, clock_s: Callable[[], float]) -> None:
        self._tell, self._clock_s = tell, clock_s
        self._told_s = -1.0

    def begin(self, stage: Stage, length_ns: int, begins_ns: int = 0) -> Callable[[int], None]:
        """Begin a stage; the answer takes instants of a film of such a length that begins at one of them."""
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
