"""Cards that move cards: pushed at the edge by one that flies against it, or hit by one that comes down."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.approach import outside_px
from vision.field_model import FieldModel
from vision.onset import WEAK
from vision.strikes import Strike

_PUSH_MM = 12.0
_TOGETHER_NS = 600_000  # cards whose setting off lies no further apart were struck together
_LOOSE_M_PER_S = (0.8, 6.0)  # slowest and fastest a struck card gets to another one
_LOOSE_COS = 0.8


def pusher_of(field: FieldModel, strike: Strike, strikes: Sequence[Strike]) -> Strike | None:
    """Return the card that flew against this card's edge when this one set off."""
    slot = field.slots[strike.number]
    latest = max(strike.onset.t_ns, float(strike.onset.latest_ns))
    for other in strikes:
        flight = other.flight
        if flight is None or other.number == strike.number or flight.strength < WEAK:
            continue
        # cards that one hand strikes together set off together: a pushed one has to wait until it is reached
        if other.onset.t_ns > strike.onset.t_ns - _TOGETHER_NS:
            continue
        ahead = slot.centre_px - flight.slot.centre_px
        if ahead @ flight.velocity_px <= 0:
            continue
        apart_px = max(0.0, float(outside_px(flight.corners_at(latest), slot.corners_px).min()))
        if apart_px < _PUSH_MM * slot.px_per_mm:
            return other
    return None


def is_loose_before(field: FieldModel, strike: Strike, strikes: Sequence[Strike]) -> bool:
    """Tell whether a card that was struck away earlier can have come down on this one."""
    centre = field.slots[strike.number].centre_px
    for other in strikes:
        took_ms = (strike.onset.t_ns - other.onset.t_ns) / 1e6
        if other.flight is None or took_ms <= 0:
            continue
        way = (centre - field.slots[other.number].centre_px) / field.px_per_mm
        length = float(np.hypot(*way))
        if not _LOOSE_M_PER_S[0] < length / took_ms < _LOOSE_M_PER_S[1]:
            continue
        velocity, known = other.flight.velocity_px, other.flight.strength >= WEAK
        if not known or velocity @ way > _LOOSE_COS * float(np.hypot(*velocity)) * length:
            return True
    return False
