"""Measure the read-out of a rolling shutter by how it shears the cards that fly through the picture.

A card that moves at velocity v while the rows are read one after another looks sheared: each row is exposed
later than the row above it by the read-out divided by the number of rows, and has moved on by v times that.
The card's true shape is known from the resting picture and aligned with the flying one where its print is
seen (`vision.sightings.spots`). The shear that remains after shift, turn and scale gives the read-out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.departures.departure import Departure, View
from vision.field.model import FieldModel
from vision.frames.shutter import Readout
from vision.launch.flight import Flight
from vision.sightings.spots import Spot, alignment

_SLOWEST_PX = 0.8  # pixels per millisecond


def tells_of_rows(flights: Sequence[Flight]) -> list[Flight]:
    """Return the few flights that are fast and clear enough to measure the read-out."""
    fast = [one for one in flights if _speed_px(one) > _SLOWEST_PX]
    fast.sort(key=lambda one: -len(one.spots) * _speed_px(one))
    most_cards = 4  # looked at, at most
    return fast[:most_cards]


def sheared_readout(field: FieldModel, flight: Flight, departure: Departure) -> Readout | None:
    """Return the read-out measured from a flying card, None if it was not seen well enough.

    It is the median over the card's pictures, whose errors are much alike.

    `departure`: the pictures around its beginning.
    """
    height = field.picture.shape[0]
    views = {view.t_ns: view for view in departure.after()}
    warps = [
        _aligned(field, flight.number, departure, views[round(spot.t_ns)], spot) for spot in flight.spots
    ]
    delays_ms = []
    for (spot, warp), (later, moved) in pairwise(zip(flight.spots, warps, strict=True)):
        velocity = (later.shift_px - spot.shift_px) / ((later.t_ns - spot.t_ns) / 1e6)
        told = [_delay_ms(one, velocity) for one in (warp, moved) if one is not None]
        delays_ms += [delay for delay in told if delay is not None]
    if not delays_ms:
        return None
    # Standard deviation of a card's alignments, from smear, hands over it, and tilted flight: 0.007 over the
    # cards of two renderers, but real cards may also turn out of the field's plane.
    strain_sigma = 0.009
    least_sigma_ms = 1.0
    sigma_ms = max(least_sigma_ms, strain_sigma / _speed_px(flight) * height)
    return Readout(float(np.median(delays_ms)) * height * 1e6, sigma_ms * 1e6)


def _aligned(
    field: FieldModel, number: int, departure: Departure, view: View, spot: Spot
) -> NDArray[np.float64] | None:
    """Return the result of `alignment`, cached by place: a refitted path has the same places."""
    key = "aligned", view.t_ns, spot.shift_px.tobytes(), spot.turn_deg
    return departure.once(key, lambda: alignment(field, number, view, spot))


def _speed_px(flight: Flight) -> float:
    """Return how fast a card is seen to fly, pixels per millisecond; 0 if it is not seen twice."""
    if len(flight.spots) < 2:
        return 0.0
    first, last = flight.spots[0], flight.spots[-1]
    return float(np.hypot(*(last.shift_px - first.shift_px))) / ((last.t_ns - first.t_ns) / 1e6)


def _delay_ms(warp: NDArray[np.float64], velocity_px: NDArray[np.float64]) -> float | None:
    """Return how much later each row of a picture is exposed than the row above it, milliseconds."""
    # turn and scale drop out of the product: what is left is (1, delay * vx; 0, 1 + delay * vy)
    strain = warp[:, :2] @ warp[:, :2].T
    across = strain[0, 1] / float(np.sqrt(strain[0, 0] * strain[1, 1]))
    along = float(np.log(strain[1, 1] / strain[0, 0])) / 2
    vx, vy = velocity_px
    square = float(vx * vx + vy * vy)
    most_strain = 0.2
    if max(abs(across), abs(along)) > most_strain or square < _SLOWEST_PX**2:
        return None
    return float((across * vx + along * vy) / square)
