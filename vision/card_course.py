"""When a card set off that was seen at several places after: its way as a Gaussian process.

A card takes on the speed of what drives it within a few milliseconds and then nearly keeps it. So its way is
Gaussian about the way that the hand's own motion foretells, and each instant has a likelihood in closed form
(source in docs/credits.md).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.card_spots import Spot
from vision.launch_search import GRIPS_MS

_BRUSHED_MS, _BRUSHED = 6.0, 0.5  # a hand that only brushes a card takes it along more slowly: half as likely
_LIKE_HAND = 0.8  # share of the hand's speed that a card takes on: it is held back and slips
_SPEED_SIGMA, _SPEED_SHARE = 0.6, 0.3  # standard deviation from that, metres per second and share
_ANY_SPEED = 2.5  # where no hand was seen
_PUSH_SIGMA = 0.03  # metres per second by which a driven card grows faster or slower in each millisecond
_WAY_SIGMA = 0.02  # share of the way that this leaves out


def launch_likelihood(
    spots: Sequence[Spot],
    instants_ns: NDArray[np.float64],
    hand_px: NDArray[np.float64] | None,
    px_per_mm: float,
) -> NDArray[np.float64]:
    """Return how well each instant explains where a card was seen, (N,), 1 for the best.

    Parameters
    ----------
    spots : where it was seen, the last sight in place among them.
    instants_ns : (N,) instants at which it may have set off.
    hand_px : (2,), velocity of the hand at it, pixels per millisecond; None where no hand was seen.
    px_per_mm : scale of the picture at the card.
    """
    seen = np.array([spot.shift_px for spot in spots])
    sigma = np.array([spot.sigma_px for spot in spots])
    since_ms = np.maximum((np.array([spot.t_ns for spot in spots]) - instants_ns[:, None]) / 1e6, 0.0)
    if hand_px is None:
        mean, speed = np.zeros(2), _ANY_SPEED * px_per_mm
    else:
        mean = _LIKE_HAND * hand_px
        speed = float(np.hypot(_SPEED_SIGMA * px_per_mm, _SPEED_SHARE * np.hypot(*hand_px)))
    found = []
    for grip_ms, likely in (*((grip_ms, 1.0) for grip_ms in GRIPS_MS), (_BRUSHED_MS, _BRUSHED)):
        flown_ms = since_ms - grip_ms * -np.expm1(-since_ms / max(grip_ms, 1e-6))  # (N, S)
        pushed = flown_ms**2 / 2 * _PUSH_SIGMA * px_per_mm
        own = sigma**2 + (_WAY_SIGMA * flown_ms * np.hypot(*mean)) ** 2
        spread = (speed * flown_ms)[:, :, None] * (speed * flown_ms)[:, None, :]
        spread += pushed[:, :, None] * pushed[:, None, :] + np.eye(len(spots)) * own[:, :, None]
        off = seen - flown_ms[:, :, None] * mean  # (N, S, 2)
        square = (off * np.linalg.solve(spread, off)).sum(axis=(1, 2))
        # the two directions are alike, so the determinant counts twice, and its root once
        found.append(np.log(likely) - square / 2 - np.linalg.slogdet(spread)[1])
    logarithm = np.array(found)
    return np.asarray(np.exp(logarithm - logarithm.max()).sum(axis=0))
