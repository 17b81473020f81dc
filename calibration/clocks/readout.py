"""Measure the read-out time of a rolling shutter: how much later the last row is exposed than the first.

There are two ways. Lamps ripple at twice the mains frequency, and a rolling shutter shows the ripple as bands
that wander through the picture: their height gives the read-out. Without such lamps, swing an upright edge
from side to side: the faster it moves, the more it leans, and its lean per speed is the read-out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

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

    `t_s`: shape (N,); the centre of each picture's exposure. `pictures`: N gray pictures of one shape.
    """
    if len(pictures) < MIN_FRAMES:
        return FailedEstimation(
            f"{len(pictures)} pictures, at least {MIN_FRAMES} are needed", "let the camera run for a second"
        )
    times_s = np.asarray(t_s, np.float64)
    if found := find_ripple(times_s, np.stack([bands_of(picture) for picture in pictures]), LONGEST_S):
        unc_s = max(1.96 * found.sigma_s, _LEAST_UNC_S)
        return MeasuredReadout(found.readout_s, unc_s, "flicker", len(pictures))
    still_hz = [hertz for hertz in LAMPS_HZ if _is_in_step(_normal(_design(times_s, hertz)))]
    in_step = " and ".join(f"{hertz:.0f}" for hertz in still_hz)
    why = f" (lamps of {in_step} Hz would stand still at this frame rate)" if in_step else ""
    return FailedEstimation(
        f"no bands of rippling lamps were seen{why}",
        "measure under a lamp that flickers with another frame rate, or swing a ruler before the camera",
    )


def readout_from_edge(
    t_s: Sequence[float] | Floats, pictures: Sequence[Gray]
) -> MeasuredReadout | FailedEstimation:
    """Measure the read-out from an upright edge, such as a ruler, swung over a still scene."""
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
    """Return where what differs from the still scene begins on the left, and how far it leans, pixels."""
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


LAMPS_HZ = (100.0, 120.0)  # twice the mains frequencies of 50 and 60 Hz
_BANDS = 90
_ROWS_OF_BAND = 2  # rows sampled per band; their length and the number of pictures average the grain out
_LEAST_RIPPLE = 0.002  # share of the brightness; a smaller ripple drowns in grain
_CLEAR = 4.0  # standard errors by which the ripple must stand out
_COHERENT = 0.9
_STEP_S = 5e-5
_LEAST_SIGMA_S = 2e-4  # a ripple is no pure sine
_ALIKE = 1e-3  # a ripple in step with the frames cannot be told from steady light


@dataclass(frozen=True, slots=True)
class Ripple:
    """A lamp's ripple as the rows show it: the time from the first row to the last."""

    readout_s: float
    sigma_s: float


def bands_of(gray: Gray) -> Floats:
    """Return each band's mean brightness, sampled in a few of its rows, from top to bottom: shape (B,)."""
    tall = max(1, len(gray) // _BANDS)
    step = tall // _ROWS_OF_BAND if tall % _ROWS_OF_BAND == 0 else 1
    chosen = gray[(step - 1) // 2 : len(gray) // tall * tall : step]
    rows = cv2.reduce(chosen, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
    return np.asarray(rows.reshape(-1, tall // step).mean(axis=1), np.float64)


def find_ripple(t_s: Floats, bands: Floats, longest_s: float) -> Ripple | None:
    """Return the clearest ripple of mains lamps over a still scene; None if none is seen.

    `bands`: shape (N, B); see `bands_of`. `longest_s`: the longest read-out to try.
    """
    shares = bands / np.maximum(bands.mean(axis=0), 1.0)
    found = [one for hertz in LAMPS_HZ if (one := _ripple_at(t_s, shares, hertz, longest_s)) is not None]
    return min(found, key=lambda one: one.sigma_s) if found else None


def _ripple_at(t_s: Floats, shares: Floats, hertz: float, longest_s: float) -> Ripple | None:
    design = _design(t_s, hertz)
    normal = _normal(design)
    if _is_in_step(normal):
        return None
    count = len(t_s)
    solution = np.linalg.solve(normal * count, design.T @ shares)
    ripple = solution[2] - 1j * solution[3]
    # almost in step with the frames, a ripple looks as slow as drifting light and is as uncertain
    doubt = float(np.sqrt(np.linalg.eigvalsh(np.linalg.inv(normal)[2:, 2:])[-1] / 2))
    noise = doubt * float(np.sqrt(np.mean((shares - design @ solution) ** 2) * 2 / count))
    depth = float(np.abs(ripple).mean())
    if depth < max(doubt * _LEAST_RIPPLE, _CLEAR * noise):
        return None
    turn = 2 * np.pi * hertz
    share = (np.arange(len(ripple)) + 0.5) / len(ripple) - 0.5
    tried_s = np.arange(0.0, longest_s + _STEP_S / 2, _STEP_S)
    sums = np.abs(np.exp(-1j * turn * tried_s[:, None] * share[None]) @ ripple)
    best = int(np.argmax(sums))
    if sums[best] < _COHERENT * np.abs(ripple).sum():
        return None
    error_s = noise / depth / turn / float(np.sqrt(np.sum(share**2)))
    return Ripple(float(tried_s[best]), float(np.hypot(_LEAST_SIGMA_S, error_s)))


def _design(t_s: Floats, hertz: float) -> Floats:
    """Return the components of a band's brightness, shape (N, 4): constant, drift, cosine, sine."""
    middle = t_s - t_s.mean()
    turn = 2 * np.pi * hertz
    return np.stack([np.ones_like(middle), middle, np.cos(turn * middle), np.sin(turn * middle)], axis=1)


def _normal(design: Floats) -> Floats:
    return np.asarray(design.T @ design / len(design), np.float64)


def _is_in_step(normal: Floats) -> bool:
    return bool(np.linalg.eigvalsh(normal)[0] < _ALIKE)
