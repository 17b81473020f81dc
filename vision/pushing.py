"""Cards that move cards: pushed at the edge by one that flies against it, or hit by one that comes down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vision.field_model import FieldModel
from vision.onset import WEAK
from vision.outlines import outside_px
from vision.strikes import Strike

_PUSH_MM = 12.0
_TOGETHER_NS = 600_000  # cards whose setting off lies no further apart were struck together
_ON_MM, _OFF_MM = -25.0, 0.0  # a hand that lies on a card, and one that does not reach it
_DEEPER_MM = 15.0
_AHEAD_COS = 0.5
_LOOSE_M_PER_S = (0.8, 6.0)  # slowest and fastest a struck card gets to another one
_LOOSE_COS = 0.8


def pusher_of(
    field: FieldModel, strike: Strike, strikes: Sequence[Strike], gaps_mm: Mapping[int, float]
) -> Strike | None:
    """Return the card that flew against this card's edge when this one set off.

    Cards of a row lie a millimetre apart: what the hand strikes and what that card pushes set off at once.
    Then the hand lies on the one and not on the other.

    Parameters
    ----------
    field : the resting field.
    strike : the card that may have been pushed.
    strikes : the motions of all cards of the poem.
    gaps_mm : distance between each card and the hand nearest to it just before it set off, by the number of
        its slot; negative where a hand covers it, by the size of the part.
    """
    slot = field.slots[strike.number]
    latest = max(strike.onset.t_ns, float(strike.onset.latest_ns))
    for other in strikes:
        flight = other.flight
        if flight is None or other.number == strike.number or flight.strength < WEAK:
            continue
        if not _may_push(other, strike, gaps_mm):
            continue
        ahead = slot.centre_px - flight.slot.centre_px
        if ahead @ flight.velocity_px <= _AHEAD_COS * np.hypot(*ahead) * np.hypot(*flight.velocity_px):
            continue
        apart_px = max(0.0, float(outside_px(flight.corners_at(latest), slot.corners_px).min()))
        if apart_px < _PUSH_MM * slot.px_per_mm:
            return other
    return None


def _may_push(other: Strike, strike: Strike, gaps_mm: Mapping[int, float]) -> bool:
    """Tell whether one card can have set off before the other, and why the hand did not strike both."""
    gap_mm = gaps_mm[strike.number]
    after_ns = strike.onset.t_ns - other.onset.t_ns
    unc_ns = float(np.hypot(strike.onset.t_unc_ns, other.onset.t_unc_ns))
    if gap_mm < _ON_MM:
        return after_ns > max(unc_ns, _TOGETHER_NS)
    if gap_mm > _OFF_MM or gaps_mm[other.number] < gap_mm - _DEEPER_MM:
        return after_ns > -unc_ns
    return after_ns >= _TOGETHER_NS


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
