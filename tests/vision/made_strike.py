"""The strike of a card, made for tests of what follows from it."""

from collections.abc import Sequence

import numpy as np

from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.launch.flight import Flight, Launch
from vision.launch.onset import Onset
from vision.launch.strikes import Strike

_MS = 1_000_000


def made_strike(
    field: FieldModel, number: int, t_ms: float, velocity_px: Sequence[float] | None, strength: float
) -> Strike:
    """Return the strike of a card that flew off at an instant; without a velocity (px/ms) it only slid."""
    onset = Onset(t_ms * _MS, 3 * _MS, round((t_ms - 8) * _MS), round(t_ms * _MS))
    if velocity_px is None:
        return Strike(number, onset, None)
    launch = Launch(t_ms * _MS, (t_ms - 2) * _MS, (t_ms + 2) * _MS)
    flight = Flight(number, field.slots[number], t_ms * _MS, launch, np.array(velocity_px), 0.0, strength)
    return Strike(number, onset, flight)


def made_departures(*strikes: Strike) -> dict[int, Departure]:
    """Return departures without pictures, for the cards of strikes."""
    return {one.number: Departure((slice(0, 9), slice(0, 9)), one.onset.earliest_ns) for one in strikes}
