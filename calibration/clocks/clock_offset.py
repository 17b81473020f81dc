"""Estimate the offset between two cameras' clocks from what both saw: a flash, or the play itself.

`t_second = t_first + offset`. A flash brightens both whole pictures at one instant. The frame in which it
falls brightens by the share of its exposure that came after the flash, which tells the instant to a part of a
frame. Without a flash, the rhythm of motion over the field is correlated: a rough offset. Cards that both
cameras saw set off refine it: errors of their instants are independent, so they average out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.clocks.latency import Offset
from calibration.failure import FailedEstimation
from calibration.peak import beside_peak

Floats = NDArray[np.float64]
Instants = NDArray[np.int64]

_FLASH_SHARE = 0.06  # of the light: a flash brightens the picture at least by this
_FLASH_NOISE = 6.0  # in multiples of the usual change between frames: rippling lamps are no flashes
_FLASH_TILES = 0.85
"""Share of the picture that brightens at once in a flash; a person who leans in darkens a part of it."""
_LEAST_DOUBT = 0.05  # share of a change of light: a frame with less of it shows none, with all but it all
_RIPPLES = 2.0  # times the usual change between frames: what rippling lamps may add to a flash
_EVEN_SIGMA = 12**-0.5  # standard deviation of a uniform distribution, per length of its interval
_LEAST_UNC_NS = 300_000.0
_GRID_NS = 5_000_000
_LEAST_OVERLAP_NS = 1_000_000_000
_LEAST_LIKENESS = 0.5  # correlation of the motion in both cameras' pictures
_PARALLAX_NS = 30_000_000.0
"""Hands stand above the table: each camera sees them over other places, so at other times."""
_NEAR_PEAK_NS = 150_000_000  # offsets closer to the best one are no rivals
_RIVAL_SHARE = 0.85  # of the best correlation: a rival above it leaves the offset open
_HUBER, _ROUNDS = 2.0, 6  # standard deviations from which on an event counts less; rounds of weighting
_GATE = 1.5
"""Events further from the first estimate than this multiple of their common half width are left out."""


@dataclass(frozen=True, slots=True)
class Step:
    """A change of light: a lamp that went on or off."""

    # t_ns, t_unc_ns: its instant and 95 % half width
    t_ns: float
    t_unc_ns: float
    to_bright: bool


def light_steps(t_ns: Sequence[int] | Instants, tiles: Floats) -> list[Step]:
    """Find instants at which the whole picture becomes brighter or darker.

    `tiles`: shape (N, parts); mean gray level of each part, the same parts in each picture.
    """
    stamps = np.asarray(t_ns, np.float64)
    if len(stamps) < 4:
        return []
    light = np.maximum(np.asarray(tiles, np.float64), 1.0)
    levels = np.log(light)
    usual_ns = float(np.median(np.diff(stamps)))
    usual = float(np.median(np.abs(np.median(levels[2:] - levels[:-2], axis=1))))
    least = max(_FLASH_SHARE, _FLASH_NOISE * usual)
    found: list[Step] = []
    at = 1
    while at < len(stamps) - 1:
        step = levels[at + 1] - levels[at - 1]
        sign = float(np.sign(np.median(step)))
        if (sign * step > least).mean() < _FLASH_TILES:
            at += 1
            continue
        # the frame in between shows the share of the change during which it was exposed
        whole = light[at + 1] - light[at - 1]
        parts = (light[at] - light[at - 1]) / np.where(np.abs(whole) > 0, whole, 1.0)
        share = float(np.clip(np.median(parts), 0.0, 1.0))
        # rippling lamps make a whole change look partial, and no change look like a small one
        doubt = max(_LEAST_DOUBT, _RIPPLES * usual / max(float(np.median(np.abs(step))), 1e-9))
        if share < doubt:  # the change lies between this frame and the next
            at += 1
            continue
        whole_frame = share > 1 - doubt
        found.append(_step(stamps, at, None if whole_frame else share, usual_ns, to_bright=sign > 0))
        at += 2
    return found


def _step(stamps: Floats, at: int, share: float | None, usual_ns: float, *, to_bright: bool) -> Step:
    """Return when the light changed, from frame `at` showing `share` of the change, None for all of it."""
    step_ns = min(float(stamps[at] - stamps[at - 1]), 2 * usual_ns)
    if share is None:  # between two frames, perhaps while no row was exposed
        t_ns, sigma_ns = stamps[at] - step_ns / 2, step_ns * _EVEN_SIGMA
    else:  # a frame is exposed for an unknown part of its interval, about half of it
        t_ns = stamps[at] + (0.5 - share) * step_ns / 2
        sigma_ns = abs(0.5 - share) * step_ns * _EVEN_SIGMA
    return Step(float(t_ns), max(1.96 * sigma_ns, _LEAST_UNC_NS), to_bright)


def offset_from_flash(first: Sequence[Step], second: Sequence[Step]) -> Offset | FailedEstimation:
    """Match the flashes that two cameras saw: how much the second clock is ahead."""
    apart = [
        (b.t_ns - a.t_ns, float(np.hypot(a.t_unc_ns, b.t_unc_ns)), i, j)
        for i, a in enumerate(first)
        for j, b in enumerate(second)
        if a.to_bright == b.to_bright
    ]
    best: list[tuple[float, float]] = []
    for trial, unc_ns, _, _ in apart:
        agreeing: dict[int, tuple[float, float, int]] = {}
        for difference, width, i, j in apart:
            near = abs(difference - trial) <= np.hypot(unc_ns, width)
            if near and (i not in agreeing or abs(difference - trial) < abs(agreeing[i][0] - trial)):
                agreeing[i] = difference, width, j
        if len({j for _, _, j in agreeing.values()}) == len(agreeing) > len(best):
            best = [(difference, width) for difference, width, _ in agreeing.values()]
    if not best:
        return FailedEstimation(
            f"the first camera saw {len(first)} changes of light, the second {len(second)}, none in common",
            "flash a lamp once where both cameras see it, before the first poem",
        )
    return _mean(np.array(best))


def offset_from_motion(
    first: tuple[Sequence[int], Sequence[float]], second: tuple[Sequence[int], Sequence[float]]
) -> Offset | FailedEstimation:
    """Correlate the rhythm of motion in two cameras' pictures: how much the second clock is ahead.

    `first`, `second`: each camera's instants, shape (N,), and how fast things moved then, in any unit, shape
    (N,). Both should average over about the same time, or only one of them would show slow motions.
    """
    one, other = (_rhythm(np.asarray(t, np.float64), np.asarray(m, np.float64)) for t, m in (first, second))
    least = _LEAST_OVERLAP_NS // _GRID_NS
    if one is None or other is None:
        return FailedEstimation(
            "too little moves in one camera's pictures to compare them with the other's",
            "film some play with both cameras, or flash a lamp where both see it",
        )
    (begin, a), (later, b) = one, other
    # correlation over the overlap, for every shift of b against a
    products = np.correlate(b, a, "full")
    ones_a, ones_b = np.ones_like(a), np.ones_like(b)
    energy = np.sqrt(np.correlate(b * b, ones_a, "full") * np.correlate(ones_b, a * a, "full"))
    shifts = np.arange(-(len(a) - 1), len(b))
    overlap = np.correlate(ones_b, ones_a, "full")
    # the overlap must hold a fair share of all the motion
    whole = float(np.sqrt((a * a).sum() * (b * b).sum()))
    likeness = np.where(overlap >= least, products / np.maximum(energy, 0.5 * whole), -1.0)
    peak = int(np.argmax(likeness))
    near = np.abs(shifts - shifts[peak]) <= _NEAR_PEAK_NS // _GRID_NS
    rival = float(likeness[~near].max()) if (~near).any() else -1.0
    if likeness[peak] < _LEAST_LIKENESS or rival > _RIVAL_SHARE * likeness[peak]:
        return FailedEstimation(
            f"what moved is alike by {likeness[peak]:.2f} at best, and by {rival:.2f} at another offset",
            "flash a lamp where both cameras see it, before the first poem",
        )
    bend = beside_peak(likeness, peak)
    offset_ns = later - begin + (shifts[peak] + bend) * _GRID_NS
    step, other_step = (float(np.median(np.diff(np.asarray(t, np.float64)))) for t, _ in (first, second))
    unc_ns = float(np.hypot(np.hypot(step, other_step) / 2, _PARALLAX_NS))
    return Offset(float(offset_ns), unc_ns, unc_ns / 1.96, 1)


def _rhythm(t_ns: Floats, motion: Floats) -> tuple[float, Floats] | None:
    """Return the grid's first instant and the motion on an even grid; None if nothing moves."""
    if len(t_ns) < 10 or t_ns[-1] - t_ns[0] < _LEAST_OVERLAP_NS:
        return None
    low, high = np.percentile(motion, [20, 99])
    if high < 2 * low + 1e-9:
        return None
    loud = np.sqrt(np.clip(motion - low, 0.0, high - low))
    grid = np.arange(t_ns[0], t_ns[-1], _GRID_NS)
    even = np.interp(grid, t_ns, loud)
    return float(grid[0]), even - even.mean()


def refined(prior: Offset, differences: Iterable[tuple[float, float]]) -> Offset:
    """Refine a first estimate by events that both cameras saw.

    Outliers count less (Huber's weights; source in docs/credits.md).

    `prior`: from a flash, from motion, or declared. `differences`: per event its instant on the second clock
    minus that on the first, and the 95 % half width of this, nanoseconds.
    """
    # instants farther apart than both are uncertain belong to two events, not to one
    events = [
        (apart_ns, unc_ns)
        for apart_ns, unc_ns in differences
        if abs(apart_ns - prior.mean_ns) <= _GATE * np.hypot(prior.unc_ns, unc_ns)
    ]
    return _mean(np.array([(prior.mean_ns, prior.unc_ns), *events])) if events else prior


def _mean(events: Floats) -> Offset:
    """Return the weighted mean of values (N, 2) = value, 95 % half width."""
    values, sigmas = events[:, 0], np.maximum(events[:, 1], _LEAST_UNC_NS) / 1.96
    weights = sigmas**-2.0
    mean = float(np.average(values, weights=weights))
    for _ in range(_ROUNDS):
        off = np.abs(values - mean) / sigmas
        weights = np.minimum(1.0, _HUBER / np.maximum(off, 1e-9)) / sigmas**2
        mean = float(np.average(values, weights=weights))
    # events that scatter more than their uncertainty claims count less
    chi2 = float((weights * (values - mean) ** 2).sum() / max(1, len(values) - 1))
    sigma = float(weights.sum()) ** -0.5 * max(1.0, chi2**0.5)
    spread = float(values.std(ddof=1) if len(values) > 1 else sigmas[0])
    return Offset(mean, 1.96 * sigma, spread, len(values))
