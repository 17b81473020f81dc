"""How much later the last row of a picture is exposed than the first: the read-out time of a rolling shutter.

Two ways. Lamps ripple at twice the mains, and a rolling shutter shows the ripple as bands that wander through
the picture: their height is the read-out. Without such lamps, an upright edge that is swung from side to side
leans the more, the faster it moves: its lean per speed is the read-out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.failed import FailedEstimation

Gray = NDArray[np.uint8]
Floats = NDArray[np.float64]

LONGEST_S = 0.034
RIPPLES_HZ = (100.0, 120.0)
"""Twice the mains of 50 and 60 Hz."""
MIN_FRAMES = 24
_BANDS = 90
_STEP_S = 5e-5
_LEAST_UNC_S = 4e-4  # a ripple is no pure sine, and no ruler quite stiff
_LEAST_RIPPLE = 0.002
"""Depth of the ripple, as part of the brightness, below which grain wins."""
_STANDS_STILL = 0.02
_CLEARLY = 6.0
_ROWS_SPREAD = 0.29  # standard deviation of the rows about the middle, in heights
_LEAST_RANGE = 0.25
"""Speeds must differ by at least this part of the picture's width in a second."""


@dataclass(frozen=True, slots=True)
class ReadOut:
    """How long a picture's rows take.

    Attributes
    ----------
    readout_s : from the first row to the last.
    unc_s : 95 % half width.
    seen_by : `flicker` or `edge`.
    n : frames or edges it was measured from.
    """

    readout_s: float
    unc_s: float
    seen_by: str
    n: int


def readout_from_flicker(
    t_s: Sequence[float] | Floats, pictures: Sequence[Gray]
) -> ReadOut | FailedEstimation:
    """Measure the read-out from the bands of rippling lamps over a still scene.

    Parameters
    ----------
    t_s : shape (N,); the middle of each picture's exposure.
    pictures : N gray pictures of one shape.

    Returns
    -------
    ReadOut, or FailedEstimation where lamps do not ripple or ripple in step with the camera.
    """
    if len(pictures) < MIN_FRAMES:
        return FailedEstimation(
            f"{len(pictures)} pictures, at least {MIN_FRAMES} are needed", "let the camera run for a second"
        )
    times = np.asarray(t_s, np.float64)
    bands = np.stack([_bands(picture) for picture in pictures])
    # what stays is the scene; what the whole picture shares is drift and exposure
    ripple = bands / bands.mean(axis=0) - 1
    shared = ripple.mean(axis=1)
    ripple -= shared[:, None]
    height = (np.arange(bands.shape[1]) + 0.5) / bands.shape[1] - 0.5
    trials_s = np.arange(0.0, LONGEST_S, _STEP_S)
    in_step = []
    best: tuple[float, float, float] | None = None
    for hertz in RIPPLES_HZ:
        turns = np.exp(-2j * np.pi * hertz * times)
        if abs(turns.mean()) > 1 - _STANDS_STILL:
            in_step.append(f"{hertz:.0f}")
            continue
        # the scene's mean has swallowed the part of the ripple that stands still
        wandering = (turns - turns.mean()) @ ripple / len(times)
        waves = np.exp(-2j * np.pi * hertz * np.outer(trials_s, height))
        waves -= waves.mean(axis=1, keepdims=True)
        size = np.linalg.norm(waves, axis=1)
        power = np.abs(waves @ wandering) / np.maximum(size, 0.2 * np.sqrt(len(height)))
        at = int(np.argmax(power))
        depth = 2 * float(power[at]) / np.sqrt(len(height))
        if best is None or depth > best[0]:
            best = depth, float(trials_s[at]), hertz
    if best is None or best[0] < _LEAST_RIPPLE:
        together = _ripples_together(times, shared)
        if together is not None:
            return ReadOut(0.0, together, "flicker", len(pictures))
        why = (
            f" (lamps of {' and '.join(in_step)} Hz would stand still at this frame rate)" if in_step else ""
        )
        return FailedEstimation(
            f"no bands of rippling lamps were seen{why}",
            "measure under a lamp that flickers with another frame rate, or swing a ruler before the camera",
        )
    depth, readout_s, hertz = best
    noise = float((ripple[1:] - ripple[:-1]).std() / np.sqrt(2))
    cycles = max(2 * np.pi * hertz * _ROWS_SPREAD, 1.0)
    unc_s = 1.96 * noise / (depth / np.sqrt(2) * cycles * np.sqrt(ripple.size))
    return ReadOut(readout_s, max(float(unc_s), _LEAST_UNC_S), "flicker", len(pictures))


def _ripples_together(times: Floats, shared: Floats) -> float | None:
    """Tell whether whole pictures ripple with the lamps, as a global shutter shows them.

    Returns
    -------
    the longest read-out, in seconds, whose bands would have been missed; None where nothing ripples.
    """
    steady = shared - np.convolve(np.pad(shared, 4, mode="edge"), np.ones(9) / 9, mode="valid")
    rate = 1 / float(np.median(np.diff(times)))
    # hands and drift are slow: what other quick rhythms show is the noise to beat
    others = np.linspace(0.2 * rate, 0.5 * rate, 25)
    noise = float(np.median([abs(np.exp(-2j * np.pi * hertz * times) @ steady) for hertz in others]))
    best = max(RIPPLES_HZ, key=lambda hertz: abs(np.exp(-2j * np.pi * hertz * times) @ steady))
    power = abs(np.exp(-2j * np.pi * best * times) @ steady)
    depth = 2 * float(power) / len(times)
    if depth < _LEAST_RIPPLE or power < _CLEARLY * max(noise, 1e-12):
        return None
    return max(_LEAST_UNC_S, 1.96 * _LEAST_RIPPLE / (depth * 2 * np.pi * best * _ROWS_SPREAD))


def _bands(picture: Gray) -> Floats:
    height = picture.shape[0] // _BANDS * _BANDS if picture.shape[0] >= _BANDS else picture.shape[0]
    rows = picture[:height].mean(axis=1, dtype=np.float64)
    return np.asarray(np.maximum(rows.reshape(min(_BANDS, height), -1).mean(axis=1), 1.0))


def readout_from_edge(t_s: Sequence[float] | Floats, pictures: Sequence[Gray]) -> ReadOut | FailedEstimation:
    """Measure the read-out from an upright edge, such as a ruler, swung over a still scene.

    Parameters
    ----------
    t_s : shape (N,); the middle of each picture's exposure.
    pictures : N gray pictures of one shape.

    Returns
    -------
    ReadOut, or FailedEstimation where nothing was swung, or always at one speed.
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
    for _ in range(4):  # an edge that was found on the swinging arm does not belong to the line
        (slope, start), scatter = np.polyfit(speed[keep], lean[keep], 1), speed[keep].std()
        off = lean - (start + slope * speed)
        spread = 1.4826 * float(np.median(np.abs(off[keep])))
        keep = np.abs(off) <= max(3 * spread, 1e-4)
    unc_s = 1.96 * max(spread, 1e-4) / (scatter * np.sqrt(keep.sum()))
    if not -unc_s - 1e-3 <= slope <= LONGEST_S:
        return FailedEstimation(
            f"the edge leans as if rows took {1e3 * slope:.1f} ms",
            "hold the edge stiff and upright, and try again",
        )
    return ReadOut(max(0.0, float(slope)), max(float(unc_s), _LEAST_UNC_S), "edge", int(keep.sum()))


def _leading_edge(picture: Gray, still: Floats) -> tuple[float, float] | None:
    """Fit the left border of what is not part of the still scene.

    Returns
    -------
    its column at the middle row, and by how much it leans from the top row to the bottom one; in pixels.
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
