"""Cards that move cards: pushed at the edge by a sliding card, or hit by one that comes down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.launch.onset import WEAK
from vision.launch.strikes import Strike


def pushers_of(
    field: FieldModel, strike: Strike, strikes: Sequence[Strike], departures: Mapping[int, Departure]
) -> list[Strike]:
    """Return the cards that lay right behind a card on its way and had not provably set off after it.

    Cards of a row lie a millimetre apart, so a struck card and the card that it pushes set off at once.

    Parameters
    ----------
    field : the resting field.
    strike : the card that may have been pushed.
    strikes : the motions of all cards of the poem.
    departures : the pictures around the beginnings of their motions, by slot number.
    """
    way = _way(strike, departures[strike.number])
    if way is None:
        return []
    own_px = field.slots[strike.number].corners_px.astype(np.float32)
    push_mm = 25.0  # longest way of a pusher to the card; where a longer one leads is uncertain
    reach_px = (push_mm * field.px_per_mm * way).astype(np.float32)
    found = []
    for other in strikes:
        after_ns = other.onset.t_ns - strike.onset.t_ns
        if other.number == strike.number or after_ns > other.onset.t_unc_ns + strike.onset.t_unc_ns:
            continue
        corners_px = field.slots[other.number].corners_px.astype(np.float32)
        swept_px = cv2.convexHull(np.concatenate([corners_px, corners_px + reach_px]))
        if cv2.intersectConvexConvex(swept_px, own_px)[0] > 0 and _is_behind(field, other, strike, way):
            found.append(other)
    return found


def _is_behind(field: FieldModel, other: Strike, strike: Strike, way: NDArray[np.float64]) -> bool:
    ahead = field.slots[strike.number].centre_px - field.slots[other.number].centre_px
    ahead_cos = 0.5
    return float(ahead @ way) > ahead_cos * float(np.hypot(*ahead))


def _way(strike: Strike, departure: Departure) -> NDArray[np.float64] | None:
    """Return the direction (2,) in which a card moved off, a unit vector; None if unknown."""
    way, least = departure.final_shift_px, 0.0
    if strike.flight is not None:
        slowest_mm_per_ms = 0.1
        way, least = strike.flight.velocity_px, slowest_mm_per_ms * strike.flight.slot.px_per_mm
    if way is None or float(np.hypot(*way)) <= least:
        return None
    return np.asarray(way / np.hypot(*way))


def is_loose_before(field: FieldModel, strike: Strike, strikes: Sequence[Strike]) -> bool:
    """Tell whether a card that was struck away earlier may have come down on this one."""
    centre = field.slots[strike.number].centre_px
    loose_m_per_s = (0.8, 6.0)  # slowest and fastest mean speed of a struck card to another one
    most_unc_ms = 25.0  # uncertainty of an instant beyond which it is not allowed for
    for other in strikes:
        took_ms = (strike.onset.t_ns - other.onset.t_ns) / 1e6
        if other.flight is None or took_ms <= 0:
            continue
        unc_ms = min(float(np.hypot(strike.onset.t_unc_ns, other.onset.t_unc_ns)) / 1e6, most_unc_ms)
        way = (centre - field.slots[other.number].centre_px) / field.px_per_mm
        length = float(np.hypot(*way))
        free = length - _apart_mm(way / max(length, 1e-9))
        if length < loose_m_per_s[0] * (took_ms - unc_ms) or free > loose_m_per_s[1] * took_ms:
            continue
        velocity = other.flight.velocity_px
        known = other.flight.is_clocked or other.flight.strength >= WEAK
        loose_cos = 0.8
        if not known or velocity @ way > loose_cos * float(np.hypot(*velocity)) * length:
            return True
    return False


def _apart_mm(way: NDArray[np.float64]) -> float:
    """Return the distance between the centres of two cards in rows that touch in a direction (2,)."""
    across, along = np.maximum(np.abs(way), 1e-9)
    return float(min(CARD_WIDTH_M / across, CARD_HEIGHT_M / along)) * 1000
