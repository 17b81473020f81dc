"""The read-out of a rolling shutter, from how it bends the cards that fly through the picture.

A card that moves at velocity v while the rows are read one after another is seen sheared: what lies a row
further down is exposed later by the read-out divided by the number of rows, and has moved on by v times that.
The card's true shape is known from the resting picture and aligned with the flying one (source in
docs/credits.md); the shear that is left after shift, turn and scale gives the read-out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.departure import Departure, View
from vision.field_model import FieldModel
from vision.motion import Flight
from vision.shutter import Readout

_CARDS, _PICTURES = 4, 6  # looked at, at most
_SLOWEST_MM_PER_MS, _SLOWEST_PX = 0.9, 0.8  # per millisecond
_STRENGTH = 0.1
_EDGE_PX = 1  # of the card that is left out: the slot's corners are good to about this
_MATCH = 0.75  # correlation from which the alignment is believed
_MOST_STRAIN = 0.2
_STRAIN_SIGMA = 0.008  # of an alignment, from smear and hands over the card
_LEAST_SIGMA_MS = 2.0
_BLUR = 5
_CRITERIA = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 50, 1e-4)


def tells_of_rows(field: FieldModel, flights: Sequence[Flight]) -> list[Flight]:
    """Return the few flights that are fast and clear enough to tell about the read-out."""
    least = _SLOWEST_MM_PER_MS * field.px_per_mm
    fast = [one for one in flights if one.strength > _STRENGTH and np.hypot(*one.velocity_px) > least]
    fast.sort(key=lambda one: -one.strength * float(np.hypot(*one.velocity_px)))
    return fast[:_CARDS]


def sheared_readout(field: FieldModel, flight: Flight, departure: Departure) -> Readout | None:
    """Return what a flying card tells about the read-out, None where it was not seen well enough.

    It is the median over the card's pictures: their errors are much alike.

    Parameters
    ----------
    field : the resting field.
    flight : the card's path.
    departure : the pictures around its beginning.
    """
    height = field.picture.shape[0]
    views = [view for view in departure.after() if view.t_ns > flight.t_ns][:_PICTURES]
    seen = [(view, warp) for view in views if (warp := _alignment(field, flight, view)) is not None]
    delays_ms = []
    for (view, warp), (later, moved) in pairwise(seen):
        centre = flight.slot.centre_px
        way = _moved(moved, later, centre) - _moved(warp, view, centre)
        velocity = way / ((later.t_ns - view.t_ns) / 1e6)
        delays_ms += [delay for one in (warp, moved) if (delay := _delay_ms(one, velocity)) is not None]
    if not delays_ms:
        return None
    speed = float(np.hypot(*flight.velocity_px))
    sigma_ms = max(_LEAST_SIGMA_MS, _STRAIN_SIGMA / speed * height)
    return Readout(float(np.median(delays_ms)) * height * 1e6, sigma_ms * 1e6)


def _moved(warp: NDArray[np.float64], view: View, point_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where in the frame a point of the resting card is found."""
    return np.asarray(warp[:, :2] @ point_px + warp[:, 2] + (view.window[1].start, view.window[0].start))


def _delay_ms(warp: NDArray[np.float64], velocity_px: NDArray[np.float64]) -> float | None:
    """Return how much later each row of a picture is exposed than the row above it, milliseconds."""
    # turn and scale drop out of the product: what is left is (1, delay * vx; 0, 1 + delay * vy)
    strain = warp[:, :2] @ warp[:, :2].T
    across = strain[0, 1] / float(np.sqrt(strain[0, 0] * strain[1, 1]))
    along = float(np.log(strain[1, 1] / strain[0, 0])) / 2
    vx, vy = velocity_px
    square = float(vx * vx + vy * vy)
    if max(abs(across), abs(along)) > _MOST_STRAIN or square < _SLOWEST_PX**2:
        return None
    return float((across * vx + along * vy) / square)


def _alignment(field: FieldModel, flight: Flight, view: View) -> NDArray[np.float64] | None:
    """Return the affine map (2, 3) from the resting card in the frame to the view, None without match."""
    slot = flight.slot
    low = np.ceil(slot.corners_px.min(axis=0)).astype(int) + _EDGE_PX
    high = np.floor(slot.corners_px.max(axis=0)).astype(int) + 1 - _EDGE_PX
    low, high = np.maximum(low, 0), np.minimum(high, field.picture.shape[::-1])
    face = np.ascontiguousarray(field.picture[low[1] : high[1], low[0] : high[0]])
    shift, angle_deg = flight.place_at(view.t_ns)
    cos, sin = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    turn = np.array([[cos, -sin], [sin, cos]])
    origin = np.array([view.window[1].start, view.window[0].start])
    moved = slot.centre_px + shift - origin - turn @ (slot.centre_px - low)
    warp = np.column_stack([turn, moved]).astype(np.float32)
    seen = (view.gray / view.light).astype(np.float32)
    try:
        match, found = cv2.findTransformECC(
            face,
            seen,
            warp,
            cv2.MOTION_AFFINE,
            _CRITERIA,
            None,
            _BLUR,  # type: ignore[call-overload]
        )
    except cv2.error:  # it does not converge where the card is not seen
        return None
    if not match > _MATCH:
        return None
    map_px = np.asarray(found, np.float64)
    map_px[:, 2] -= map_px[:, :2] @ low
    return map_px
