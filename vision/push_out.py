"""When a card that other cards pushed was completely out of its territory (fuda-oshi)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from calibration.geometry import FieldGeometry
from referee.layout import TERRITORY_DEPTH_M, TERRITORY_GAP_M, TERRITORY_WIDTH_M
from referee.sides import Side
from vision.onset import WEAK
from vision.strikes import Strike

_LONGEST_NS = 300_000_000  # pushed cards lie still or are out of sight by then
_EVEN_NS = 120_000_000  # for so long the path of a pushed card tells where it is going
_STEP_NS = 1_000_000
_PATH_SHARE = 0.4  # pushed cards are slowed by the floor and sped up by the hand: half width of their time


def territories_px(geometry: FieldGeometry) -> dict[Side, NDArray[np.float64]]:
    """Return the corners of both territories in the picture, each (4, 2)."""
    middle_m, end_m = TERRITORY_GAP_M / 2, TERRITORY_GAP_M / 2 + TERRITORY_DEPTH_M
    half_m = TERRITORY_WIDTH_M / 2
    corners_m = np.array([[-half_m, middle_m], [half_m, middle_m], [half_m, end_m], [-half_m, end_m]])
    return {
        Side.NEAR: geometry.to_image(corners_m),
        Side.FAR: geometry.to_image(corners_m * (1.0, -1.0)),
    }


def out_after(
    strike: Strike, side: Side, territories: Mapping[Side, NDArray[np.float64]] | None
) -> tuple[float, float] | None:
    """Return how long after it set off a card was out, and the half width of that, nanoseconds.

    Parameters
    ----------
    strike : the card's motion.
    side : the territory it lay in.
    territories : corners of both in the picture; None where they are not known.

    Returns
    -------
    tuple or None
        None where the path that was seen does not lead out. Where no path was seen, or the territory is not
        known, the whole time it may have taken.
    """
    flight = strike.flight
    if territories is None or flight is None or flight.strength < WEAK:
        return any_time()
    after_ns = np.arange(0, _EVEN_NS, _STEP_NS)
    cards_px = np.stack([flight.corners_at(flight.t_ns + after) for after in after_ns])
    out_ns = after_ns[is_outside(cards_px, territories[side])]
    if not len(out_ns):
        return None
    return float(out_ns[0]), max(float(_STEP_NS), _PATH_SHARE * float(out_ns[0]))


def any_time() -> tuple[float, float]:
    """Return middle and half width, nanoseconds, of the time a card takes that went out unseen."""
    return _LONGEST_NS / 2, _LONGEST_NS / 2


def is_outside(cards_px: NDArray[np.float64], corners_px: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which cards (..., 4, 2) lie wholly beyond one edge of a territory (4, 2)."""
    outside = np.zeros(cards_px.shape[:-2], np.bool_)
    for start, stop in zip(corners_px, np.roll(corners_px, -1, axis=0), strict=True):
        along = stop - start
        inward = corners_px.mean(axis=0) - start
        side = np.sign(along[0] * inward[1] - along[1] * inward[0])
        reach = cards_px - start
        outside |= (side * (along[0] * reach[..., 1] - along[1] * reach[..., 0]) < 0).all(axis=-1)
    return outside
