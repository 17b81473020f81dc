"""Measure the read-out time of a rolling shutter: how much later the last row is exposed than the first.

There are two ways. Lamps ripple at twice the mains frequency, and a rolling shutter shows the ripple as bands
that wander through the picture: their height gives the read-out. Without such lamps, swing an upright edge
from side to side: the faster it moves, the more it leans, and its lean per speed is the read-out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.clocks.ripple import bands_of, find_ripple, lamps_in_step
from calibration.clocks.spread import student_95
from calibration.failure import FailedEstimation

Gray = NDArray[np.uint8]
Floats = NDArray[np.float64]

LONGEST_S = 0.034
MIN_FRAMES = 24
_LEAST_UNC_S = 4e-4  # a ripple is no pure sine, and no ruler is quite stiff
_LEAST_RANGE = 0.25  # the edge's speeds must differ by at least this share of the picture's width per second


@dataclass(frozen=True, slots=True)
class MeasuredReadout:
    """A measured read-out time."""

    readout_s: float  # time from the first row to the last
    unc_s: float  # 95 % half width
    seen_by: str  # `flicker` or `edge`
    n: int  # number of frames or edges measured


def readout_from_flicker(
    t_s: Sequence[float] | Floats, pictures: Sequence[Gray]
) -> MeasuredReadout | FailedEstimation:
    """Measure the read-out from the bands of rippling lamps over a still scene.

    Returns: MeasuredReadout, or FailedEstimation if no lamp ripples, or if it ripples in step with the
    camera.

    `t_s`: shape (N,); the centre of each picture's exposure. `pictures`: N gray pictures of one shape.
    """
    if len(pictures) < MIN_FRAMES:
        return FailedEstimation(
            f"{len(pictures)} pictures, at least {MIN_FRAMES} are needed", "let the camera run for a second"
        )
    times_s = np.asarray(t_s, np.float64)
    found = find_ripple(times_s, np.stack([bands_of(picture) for picture in pictures]), LONGEST_S)
    if found is not None:
        unc_s = max(1.96 * found.sigma_s, _LEAST_UNC_S)
        return MeasuredReadout(found.readout_s, unc_s, "flicker", len(pictures))
    in_step = " and ".join(f"{hertz:.0f}" for hertz in lamps_in_step(times_s))
    why = f" (lamps of {in_step} Hz would stand still at this frame rate)" if in_step else ""
    return FailedEstimation(
        f"no bands of rippling lamps were seen{why}",
        "measure under a lamp that flickers with another frame rate, or swing a ruler before the camera",
    )


def readout_from_edge(
    t_s: Sequence[float] | Floats, pictures: Sequence[Gray]
) -> MeasuredReadout | FailedEstimation:
    """Measure the read-out from an upright edge, such as a ruler, swung over a still scene.

    Returns: MeasuredReadout, or FailedEstimation if nothing was swung, or always at one speed.

    `t_s`: shape (N,); the centre of each picture's exposure. `pictures`: N gray pictures of one shape.
    """
    if len(pictures) < MIN_FRAMES:
        return FailedEstimation(
            f"{len(pictures)} pictures, at least {MIN_FRAMES} are needed", "swing the edge for a few seconds"
        )
    stack = np.stack(pictures)
    still = np.median(stack[:: max(1, len(stack) // 25)], axis=0)
    width = still.shape[1]
    edges = [_leading_edge(picture, still) for picture in stack]
    leans, speeds = [], []
    for at in range(1, len(edges) - 1):
        before, now, after = edges[at - 1 : at + 2]
        if before is None or now is None or after is None:
            continue
        leans.append(now[1] / width)
        speeds.append((after[0] - before[0]) / width / (t_s[at + 1] - t_s[at - 1]))
    if len(speeds) < 8 or np.ptp(speeds) < _LEAST_RANGE:
        return FailedEstimation(
            f"an edge was followed in {len(speeds)} pictures, too few or too slow",
            "swing a dark ruler, upright in the picture, quickly from side to side across a bright floor",
        )
    speed, lean = np.array(speeds), np.array(leans)
    keep = np.ones(len(speed), np.bool_)
    slope = spread = 0.0
    for _ in range(4):  # edges found on the swinging arm are outliers
        (slope, start), scatter = np.polyfit(speed[keep], lean[keep], 1), speed[keep].std()
        off = lean - (start + slope * speed)
        spread = 1.4826 * float(np.median(np.abs(off[keep])))
        keep = np.abs(off) <= max(3 * spread, 1e-4)
    n = int(keep.sum())
    # as many degrees of freedom as in `spread.middle_and_spread`, after two for the line
    spread *= n / (n - 0.8) * np.sqrt(n / (n - 2))
    unc_s = student_95((n - 2) / 2) * max(spread, 1e-4) / (scatter * np.sqrt(n))
    if not -unc_s - 1e-3 <= slope <= LONGEST_S:
        return FailedEstimation(
            f"the edge leans as if rows took {1e3 * slope:.1f} ms",
            "hold the edge stiff and upright, and try again",
        )
    return MeasuredReadout(max(0.0, float(slope)), max(float(unc_s), _LEAST_UNC_S), "edge", int(keep.sum()))


def _leading_edge(picture: Gray, still: Floats) -> tuple[float, float] | None:
    """Fit the left border of the region that differs from the still scene.

    Returns: the border's column at the middle row, and how far it leans from the top row to the bottom one;
    in pixels.
    """
    change = np.abs(picture - still)
    high = float(np.percentile(change, 99.5))
    if high < 25:
        return None
    inside = change > high / 2
    reached = inside.any(axis=1)
    if reached.mean() < 0.6:
        return None
    rows = np.flatnonzero(reached)
    first = inside[rows].argmax(axis=1)
    usable = first > 1
    rows, first = rows[usable], first[usable]
    if len(rows) < 0.5 * len(still):
        return None
    low, top = change[rows, first - 1], change[rows, first]
    columns = first - np.clip((top - high / 2) / np.maximum(top - low, 1.0), 0, 1)
    for _ in range(3):
        lean, start = np.polyfit(rows, columns, 1)
        off = columns - (start + lean * rows)
        keep = np.abs(off) <= max(2.5 * 1.4826 * float(np.median(np.abs(off))), 0.5)
        if keep.sum() < 0.4 * len(still):
            return None
        rows, columns = rows[keep], columns[keep]
    middle = (len(still) - 1) / 2
    return float(start + lean * middle), float(lean * len(still))
