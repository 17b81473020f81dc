"""Estimate when a card set off from later sights of it, with its path as a Gaussian process.

A card takes on the speed of what drives it within a few milliseconds and then follows it. Hands curve and
change speed within a few hundredths of a second. So the card's velocity begins like the hand's and does a
random walk from there: its path is Gaussian, and each instant has a likelihood in closed form (source in
docs/credits.md). Any one place may be false, since it is sometimes another card's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.launch.path_search import GRIPS_MS, speed_sigma_px
from vision.sightings.spots import Spot

_LADEN_AT_ONCE, _LADEN_MS, _LADEN = 0.35, 25.0, 2.0  # a row of cards slows the hand: see `_courses`


def launch_likelihood(
    spots: Sequence[Spot],
    instants_ns: NDArray[np.float64],
    hand_px: NDArray[np.float64] | None,
    px_per_mm: float,
) -> NDArray[np.float64]:
    """Return how well each instant explains where a card was seen, (N,), 1 for the best.

    `spots`: where it was seen, including the last sight in place. `instants_ns`: (N,), the instants to weigh.
    `hand_px`: (2,), velocity of the hand at it, pixels per millisecond; None if no hand was seen.
    `px_per_mm`: scale of the picture at the card.
    """
    seen = np.array([spot.shift_px for spot in spots])
    sigma = np.array([spot.sigma_px for spot in spots])
    since_ms = np.maximum((np.array([spot.t_ns for spot in spots]) - instants_ns[:, None]) / 1e6, 0.0)
    if hand_px is None:
        any_mps = 2.5  # m/s, if no hand was seen
        mean, speed = np.zeros(2), any_mps * px_per_mm
    else:
        hand_share = 0.9  # of the hand's speed that a card takes on: it is held back and slips
        mean = hand_share * hand_px
        speed = speed_sigma_px(hand_px, px_per_mm)
    found = []
    kept = [np.arange(len(spots)), *(np.delete(np.arange(len(spots)), one) for one in range(1, len(spots)))]
    false_share, view_mm = 0.005, 300.0  # one of 291 simulated places was false; false ones lie this far off
    lost = np.log(false_share / (view_mm * px_per_mm) ** 2)
    walk_mps = 0.15  # m/s per square root of a millisecond: hands change by 0.7 m/s in 20 ms
    way_sigma = 0.02  # of the way, not modelled here: perspective, and cards that rise
    for late, grip_ms, likely in _courses():
        flown_ms = since_ms - late * grip_ms * -np.expm1(-since_ms / max(grip_ms, 1e-6))  # (N, S)
        own = sigma**2 + (way_sigma * flown_ms * np.hypot(*mean)) ** 2
        spread = _together(flown_ms, speed, walk_mps * px_per_mm) + np.eye(len(spots)) * own[:, :, None]
        off = seen - flown_ms[:, :, None] * mean  # (N, S, 2)
        for true in kept:
            density = _log_density(off[:, true], spread[:, true[:, None], true])
            found.append(np.log(likely) + (len(spots) - len(true)) * lost + density)
    logarithm = np.array(found)
    return np.asarray(np.exp(logarithm - logarithm.max()).sum(axis=0))


def _courses() -> list[tuple[float, float, float]]:
    """Return how cards take on the hand's speed: the share that comes late, its time constant, its weight.

    A single card takes on all of it within a few milliseconds. A row of cards, edge to edge, takes on a share
    at once, as each card knocks the next, and the rest slowly: fingers hold what they drive by friction
    alone.
    """
    # a card hit at its edge moves at once; that is as likely as being dragged by fingers on it
    at_once_weight = 2.0
    grips = {**dict.fromkeys(GRIPS_MS, 1.0), 0.0: at_once_weight}
    alone = [(1.0, grip_ms, likely) for grip_ms, likely in grips.items()]
    return [*alone, (1 - _LADEN_AT_ONCE, _LADEN_MS, _LADEN)]


def _together(flown_ms: NDArray[np.float64], speed_px: float, walk_px: float) -> NDArray[np.float64]:
    """Return the covariance (N, S, S), square pixels, of ways flown in the times (N, S).

    `flown_ms`: the times, milliseconds. `speed_px`: standard deviation of the first velocity, pixels per
    millisecond. `walk_px`: step of the velocity's random walk, pixels per millisecond per square root of a
    millisecond.
    """
    short = np.minimum(flown_ms[:, :, None], flown_ms[:, None, :])
    long = np.maximum(flown_ms[:, :, None], flown_ms[:, None, :])
    return speed_px**2 * short * long + walk_px**2 * short**2 * (long / 2 - short / 6)


def _log_density(off_px: NDArray[np.float64], spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log density (N,) of places (N, S, 2), normal and with the same spread in both directions."""
    square = (off_px * np.linalg.solve(spread, off_px)).sum(axis=(1, 2))
    # both directions share the covariance, so the root of its determinant counts twice
    return np.asarray(-square / 2 - np.linalg.slogdet(spread)[1] - off_px.shape[1] * np.log(2 * np.pi))
