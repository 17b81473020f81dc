"""Measure how regularly a camera delivers, from time stamps alone: frame interval, jitter and lost frames.

A camera that keeps its rate stamps its frames on a regular grid t = a + k T. The usual step between
neighbours gives T roughly, a line through all stamps makes it precise; a step of about two T is a lost frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.failure import FailedEstimation
from calibration.finding import Finding, Status
from referee.sentence import Sentence

MIN_FRAMES = 10
_FOLLOW = 0.1  # of a stamp's distance from the grid: how far the grid follows it
_SPAN = 8  # frames over which the usual step is first measured
FALSE_CLAIM_SHARE = 0.05
"""A driver whose claimed rate differs by more than this share from the true one makes a false claim."""


@dataclass(frozen=True, slots=True)
class FrameTiming:
    """The timing of a stretch of frames."""

    frames: int
    interval_ns: float  # step of the best-fitting regular grid
    interval_unc_ns: float  # 95 % half width of `interval_ns`
    jitter_ns: float  # standard deviation of the stamps from the grid
    jitter_95_ns: float  # half width around the grid that holds 95 % of the stamps; at least 1
    lost: int  # number of frames missing between the first and the last

    @property
    def fps(self) -> float:
        """Frames per second that the camera really makes; lost ones are not subtracted."""
        return 1e9 / self.interval_ns

    def contradicts(self, claimed_fps: float) -> bool:
        """Tell whether the measured frame rate differs from a claimed one."""
        return claimed_fps > 0 and abs(self.fps / claimed_fps - 1) > FALSE_CLAIM_SHARE


def rate_since(instants_s: Sequence[float], since_s: float) -> float | None:
    """Return the pictures per second since an instant, None if fewer than three came."""
    recent = [at_s for at_s in instants_s if at_s > since_s]
    return (len(recent) - 1) / (recent[-1] - recent[0]) if len(recent) > 2 else None


def measure_timing(t_ns: Sequence[int] | NDArray[np.int64]) -> FrameTiming | FailedEstimation:
    """Measure interval, jitter and losses of frames, whose instants are given in order of arrival."""
    stamps = np.asarray(t_ns, np.int64)
    if len(stamps) < MIN_FRAMES:
        return FailedEstimation(
            f"{len(stamps)} frames came, at least {MIN_FRAMES} are needed to measure their rhythm",
            "let the camera run for a second or two",
        )
    steps = np.diff(stamps)
    if (steps <= 0).any():
        return FailedEstimation(
            f"{int((steps <= 0).sum())} of {len(steps)} time stamps do not increase",
            "the driver's clock cannot be used: go by the times of arrival",
        )
    ticks = _ticks(stamps, _usual_step(stamps))
    since_ns = (stamps - stamps[0]).astype(np.float64)
    interval, start = np.polyfit(ticks, since_ns, 1)
    off = since_ns - (start + interval * ticks)
    jitter = float(off.std(ddof=2))
    spread = float(np.sqrt(np.square(ticks - ticks.mean()).sum()))
    return FrameTiming(
        frames=len(stamps),
        interval_ns=float(interval),
        interval_unc_ns=max(1.0, 1.96 * jitter / spread),
        jitter_ns=jitter,
        jitter_95_ns=max(1.0, float(np.percentile(np.abs(off), 95))),
        lost=int(ticks[-1]) + 1 - len(stamps),
    )


def _usual_step(stamps: NDArray[np.int64]) -> float:
    """Return roughly the grid's step, from spans of several frames, which jitter affects less."""
    step = float(np.median(np.diff(stamps)))
    far = min(_SPAN, len(stamps) // 2)
    span = float(np.median(stamps[far:] - stamps[:-far]))
    return span / max(1, round(span / step))


def _ticks(stamps: NDArray[np.int64], step_ns: float) -> NDArray[np.float64]:
    """Return the tick of each stamp on a grid of about `step_ns`, counted from 0.

    The grid follows the stamps slowly. A stamp so late that it falls on its follower's tick is moved one tick
    back: it was delayed, and no frame was lost.
    """
    ticks = np.zeros(len(stamps))
    grid_ns = float(stamps[0])
    for at, stamp in enumerate(stamps[1:], 1):
        passed = max(0, round((float(stamp) - grid_ns) / step_ns))
        ticks[at] = ticks[at - 1] + passed
        grid_ns += passed * step_ns
        grid_ns += _FOLLOW * float(np.clip(stamp - grid_ns, -step_ns / 4, step_ns / 4))
    for at in range(len(ticks) - 2, -1, -1):
        ticks[at] = min(ticks[at], ticks[at + 1] - 1)
    return np.asarray(ticks - ticks[0])


GOOD_FPS = 55.0  # a little below the 60 frames a second that docs/setup.md asks for
LEAST_FPS = 24.0  # the slowest usual rate of films
LOST_SHARE = 0.02  # share of lost frames above which a camera or its connection is at fault

NO_FRAMES = Sentence("check the camera's cable, and close other programs that use it")
TOO_SLOW = Sentence("choose a smaller picture or MJPEG, add light, and switch automatic exposure off")
FALSE_FPS = Sentence(
    "the driver promises another rate: switch automatic exposure off, or try another USB port"
)
FRAMES_LOST = Sentence("give the camera a USB port of its own, and close other programs")


def check_timing(timing: FrameTiming | FailedEstimation, claimed_fps: float = 0.0) -> list[Finding]:
    """Judge the timing of a camera. `claimed_fps`: the rate that the driver claims; 0 if it claims none."""
    if not isinstance(timing, FrameTiming):
        return [Finding("fps", Status.FAIL, timing.reason, NO_FRAMES)]
    found = Sentence("{fps} fps", fps=f"{timing.fps:.1f}")
    if claimed_fps > 0:
        found = Sentence("{rate} ({promised} promised)", rate=found, promised=f"{claimed_fps:.0f}")
    if timing.fps < LEAST_FPS:
        rate = Finding("fps", Status.FAIL, found, TOO_SLOW)
    elif timing.contradicts(claimed_fps):
        rate = Finding("fps", Status.WARN, found, FALSE_FPS)
    elif timing.fps < GOOD_FPS:
        rate = Finding("fps", Status.WARN, found, TOO_SLOW)
    else:
        rate = Finding("fps", Status.OK, found)
    frames, jitter = timing.frames + timing.lost, f"{timing.jitter_ns / 1e6:.2f}"
    found = Sentence(
        "{lost} of {frames} lost, jitter {jitter} ms", lost=timing.lost, frames=frames, jitter=jitter
    )
    is_lossy = timing.lost / frames > LOST_SHARE
    return [rate, Finding("frames", *((Status.WARN, found, FRAMES_LOST) if is_lossy else (Status.OK, found)))]
