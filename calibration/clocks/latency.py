"""Measure a camera's latency: a screen flashes at known instants, and the camera watches it.

A flash falls between the last dark and the first bright frame, so one flash tells the latency only to a
frame. Flashes at many phases of the frame narrow it down: with independent jitter of spread s, the likelihood
of a latency d is the product over all flashes of P(dark frame < flash + d + noise < bright frame).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.failure import FailedEstimation

Floats = NDArray[np.float64]

MIN_FLASHES = 6
_LEAST_STEP = 12.0  # gray levels by which the picture must change at least
_MOST_NS = 1_000_000_000  # longest latency that is tried
_GRID_NS = 50_000  # step of the latencies that are weighed
_LEAST_SPREAD_NS = 1_000_000  # a frame during which the flash falls counts as the nearer of dark and bright
_OUTLIERS = 0.02  # share of flashes that something else in the picture may have spoiled
_LEAST_SEEN = 0.6  # share of the flashes that the camera must have seen


@dataclass(frozen=True, slots=True)
class Offset:
    """A latency and its uncertainty."""

    mean_ns: float
    unc_ns: float  # 95 % half width of the estimate
    spread_ns: float  # standard deviation of a single event about it
    n: int  # number of events measured


def changes(t_ns: Sequence[int], brightness: Sequence[float]) -> list[tuple[int, int, bool]]:
    """Find where a flashing picture turns bright or dark.

    Returns: for each change the last frame before it and the first after it, nanoseconds, and whether it
    became bright.
    """
    levels = np.asarray(brightness, np.float64)
    if len(levels) < 2:
        return []
    low, high = np.percentile(levels, [10, 90])
    if high - low < _LEAST_STEP:
        return []
    bright = levels > (low + high) / 2
    at = np.flatnonzero(bright[1:] != bright[:-1])
    stamps = np.asarray(t_ns, np.int64)
    return [(int(stamps[step]), int(stamps[step + 1]), bool(bright[step + 1])) for step in at]


def camera_latency(
    shown: Sequence[tuple[int, bool]], seen: Sequence[tuple[int, int, bool]], jitter_ns: float = 0.0
) -> Offset | FailedEstimation:
    """Estimate the time from a change on the screen to the stamp of the frame that shows it.

    It includes the screen's own delay. `shown`: when the screen was switched, nanoseconds, and whether to
    bright. `seen`: from `changes`. `jitter_ns`: standard deviation of the frames' stamps, if known.
    """
    from scipy.special import ndtr  # noqa: PLC0415 - slow to load, and `Offset` is needed without it

    pairs = _paired(shown, seen)
    if len(pairs) < max(MIN_FLASHES, _LEAST_SEEN * len(shown)):
        return FailedEstimation(
            f"{len(pairs)} of {len(shown)} flashes were seen",
            "point the camera at the flashing screen from near by, darken the room, fix the exposure",
        )
    early, late = (np.array(side, np.float64) for side in zip(*pairs, strict=True))
    spread_ns = max(float(jitter_ns), _LEAST_SPREAD_NS)
    grid = np.arange(early.min(), late.max() + _GRID_NS, _GRID_NS)
    inside = ndtr((late[:, None] - grid) / spread_ns) - ndtr((early[:, None] - grid) / spread_ns)
    logs = np.log(inside * (1 - _OUTLIERS) + _OUTLIERS * 1e-3).sum(axis=0)
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    mean_ns = float(weights @ grid)
    sigma_ns = float(np.sqrt(weights @ np.square(grid - mean_ns)))
    middles = (early + late) / 2
    return Offset(mean_ns, max(1.96 * sigma_ns, _GRID_NS), float(middles.std(ddof=1)), len(pairs))


def difference(one: Offset, other: Offset) -> Offset:
    """Return how much later `one` is than `other`; the two are independent."""
    return Offset(
        one.mean_ns - other.mean_ns,
        float(np.hypot(one.unc_ns, other.unc_ns)),
        float(np.hypot(one.spread_ns, other.spread_ns)),
        min(one.n, other.n),
    )


def _paired(
    shown: Sequence[tuple[int, bool]], seen: Sequence[tuple[int, int, bool]]
) -> list[tuple[int, int]]:
    """Return the bounds of each flash's latency, for the pairing that most flashes agree with."""
    possible = [
        (number, before - at, after - at)
        for number, (at, to_bright) in enumerate(shown)
        for before, after, became in seen
        if became == to_bright and after > at and before - at < _MOST_NS
    ]
    if not possible:
        return []
    # the latency that most flashes allow: count how many intervals cover each trial
    trials = np.arange(0, _MOST_NS, 2_000_000)
    spans = np.array([span[1:] for span in possible], np.float64)
    counts = ((spans[:, :1] <= trials) & (trials <= spans[:, 1:])).sum(axis=0)
    usual = float(trials[counts == counts.max()].mean())
    best: dict[int, tuple[int, int]] = {}
    for number, low, high in possible:
        width = high - low
        if low - width <= usual <= high + width:
            off = abs((low + high) / 2 - usual)
            kept = best.get(number)
            if kept is None or off < abs(sum(kept) / 2 - usual):
                best[number] = low, high
    return list(best.values())
