"""Find when a card was completely out of its territory: pushed by other cards, or swept by a hand."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from calibration.field.geometry import FieldGeometry
from referee.layout import HALF_DEPTH_M, HALF_WIDTH_M, TERRITORY_GAP_M
from referee.sides import Side
from vision.launch.onset import WEAK
from vision.launch.strikes import Strike

_LONGEST_NS = 300_000_000  # by then a pushed card lies still or is out of sight
_LONGEST_SWEEP_NS = 400_000_000  # of 87 cards that hands swept out, two were out later than after 300 ms


def territories_px(geometry: FieldGeometry) -> dict[Side, NDArray[np.float64]]:
    """Return the corners of both territories in the picture, each (4, 2)."""
    half_m, middle_m, end_m = HALF_WIDTH_M, TERRITORY_GAP_M / 2, HALF_DEPTH_M
    corners_m = np.array([[-half_m, middle_m], [half_m, middle_m], [half_m, end_m], [-half_m, end_m]])
    return {Side.NEAR: geometry.to_image(corners_m), Side.FAR: geometry.to_image(corners_m * (1.0, -1.0))}


def out_after(
    strike: Strike,
    side: Side,
    territories: Mapping[Side, NDArray[np.float64]] | None,
    lies_px: NDArray[np.float64] | None = None,
    is_empty: Callable[[NDArray[np.float64]], bool] = lambda _: False,
    *,
    by_hand: bool = False,
) -> tuple[float, float] | None:
    """Return how long after setting off a card was out, and the half width of that, nanoseconds.

    Returns: None if the card lies inside, or may lie there and its path does not lead out. If it lies outside
    but no path was seen to lead out, or no territory is known, the answer is any time.

    Parameters
    ----------
    strike : the card's motion.
    territories : corners of both in the picture; None if unknown.
    lies_px : (4, 2), where it lies in the end; None if it is not seen.
    is_empty : tells of an area (4, 2) whether nothing lies in it in the end that may be the card.
    by_hand : whether a hand swept it along, which may have stopped; then its path alone tells nothing.
    """
    if territories is None:
        return _any_time()
    out = None if by_hand and not _is_traced(strike) else _out_by_path(strike, territories[side])
    if lies_px is None and by_hand:
        return (out or _any_time()) if is_empty(territories[side]) else None
    if lies_px is None:
        return out or (_any_time() if is_empty(territories[side]) else None)
    line_share = 0.06  # of a card's size, about 3 mm: an outline nearer to the line proves nothing
    smaller, larger = (
        bool(is_outside(_resized(lies_px, 1 + share), territories[side]))
        for share in (-line_share, line_share)
    )
    if larger:
        return out or _any_time()
    return out if smaller else None


def _out_by_path(strike: Strike, territory_px: NDArray[np.float64]) -> tuple[float, float] | None:
    flight = strike.flight
    if flight is None or not _is_traced(strike):
        return _any_time()
    even_ns = 120_000_000  # for this long the path of a pushed card tells where it is going
    step_ns = 1_000_000
    after_ns = np.arange(0, even_ns, step_ns)
    cards_px = np.stack([flight.corners_at(flight.t_ns + after) for after in after_ns])
    out_ns = after_ns[is_outside(cards_px, territory_px)]
    if not len(out_ns):
        return None
    path_share = 0.4  # half width, share of the time: the floor slows pushed cards, the hand speeds them up
    return float(out_ns[0]), max(float(step_ns), path_share * float(out_ns[0]))


def _is_traced(strike: Strike) -> bool:
    return strike.flight is not None and strike.flight.strength >= WEAK


def _resized(corners_px: NDArray[np.float64], factor: float) -> NDArray[np.float64]:
    middle_px = corners_px.mean(axis=0)
    return np.asarray(middle_px + factor * (corners_px - middle_px))


def out_interval(
    strike: Strike, out: tuple[float, float] | None, delay_ns: float, own_ns: float
) -> tuple[int, int] | None:
    """Return the 95 % interval of the instant at which a card was out that a hand swept along, nanoseconds.

    Its path tells only how soon it can have been: hands stop, and cards get stuck below them.

    `out`: how long after setting off it was out, as `out_after` says; None if it is not known to be out.
    `delay_ns`: how much later than the frame's instant the card's row is exposed. `own_ns`: half width of the
    instants of the pictures.
    """
    if out is None:
        return None
    after_ns, after_unc_ns = out
    unc_ns = float(np.hypot(strike.onset.t_unc_ns, own_ns))
    set_off_ns = strike.onset.t_ns + delay_ns
    return round(set_off_ns + after_ns - after_unc_ns - unc_ns), round(
        set_off_ns + _LONGEST_SWEEP_NS + unc_ns
    )


def _any_time() -> tuple[float, float]:
    """Return middle and half width, nanoseconds, of the time taken by a card that went out unseen."""
    return _LONGEST_NS / 2, _LONGEST_NS / 2


def is_outside(cards_px: NDArray[np.float64], corners_px: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which cards (..., 4, 2) lie completely beyond one edge of a territory (4, 2)."""
    outside = np.zeros(cards_px.shape[:-2], np.bool_)
    for start, stop in zip(corners_px, np.roll(corners_px, -1, axis=0), strict=True):
        along = stop - start
        inward = corners_px.mean(axis=0) - start
        side = np.sign(along[0] * inward[1] - along[1] * inward[0])
        reach = cards_px - start
        outside |= (side * (along[0] * reach[..., 1] - along[1] * reach[..., 0]) < 0).all(axis=-1)
    return outside
