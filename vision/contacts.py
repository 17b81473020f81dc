"""Which hand was at a card when it moved: how far each player's hand was from the card, frame by frame.

A card may also be pushed by another card, at whose edge the path of one that set off earlier ends, or be hit
by one that comes down far away. Hands are everywhere then, so neither is a touch that can be proven.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from referee.sides import Side
from vision.approach import approach_of, have_met, outside_px
from vision.departure import Departure
from vision.field_model import FieldModel
from vision.hands import FAR, NEAR
from vision.onset import WEAK
from vision.strikes import Strike

_COVERED_MM = -30.0  # fingers pressed on a card cover as much of it as a square of this side
_BESIDE_MM = 40.0  # a hand farther away than this has nothing to do with it
_PUSH_MM = 12.0
_GAP_PER_SPEED = 10.0  # moving along with the card at 1 m/s speaks for a hand as much as being 10 mm nearer
_OVER_MM = -10.0  # a hand may hover over a card: covering more of it proves no more
_SURE_MM = 30.0
_SURE = 0.49
_VAGUE_NS, _VAGUE = 100_000_000, 0.55  # hidden for so long that another hand may have been there
_ALONE_MM = 150.0  # but where no kept picture shows one this near, who pressed it is known, only when is not
_PUSHED = 0.9  # who drove the card that pushed this one
_MAYBE_PUSHED = 0.7
_MET = 0.75  # where arms have met, fingers may have been taken for the other player's
_SAME_MM = 6.0  # two hands over one card that differ by less are as likely the one as the other
_ARM_MM = 60.0  # an arm that passes over a card is as good as a hand this much farther away
_LOOSE_M_PER_S = (0.8, 6.0)  # slowest and fastest a struck card gets to another one
_LOOSE_COS = 0.8
_BOTH_OVER = 0.3  # two hands over one card: never surer than a half and this
_SIDES = {NEAR: Side.NEAR, FAR: Side.FAR}
_FAR_AWAY_MM = 1000.0


class Proof(Enum):
    """What a contact rests on."""

    MOTION = "motion"
    """The card set off under this hand."""
    PUSHED = "pushed"
    """Another card pushed it, and this player drove that card; no hand was seen to reach it."""
    RIVAL = "rival"
    """The other player's hand reached a card that was already moving: seen, but not proven."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A hand at a card.

    Attributes
    ----------
    side : whose hand.
    t_ns, t_unc_ns : when.
    confidence : probability that this player's hand touched the card.
    proof : what it rests on.
    """

    side: Side
    t_ns: float
    t_unc_ns: float
    confidence: float
    proof: Proof = Proof.MOTION


def contacts(
    field: FieldModel, strike: Strike, departure: Departure, strikes: Sequence[Strike], scale: float
) -> list[Contact]:
    """Return the hands at a card that moved, the first one first; empty where no hand was near.

    Parameters
    ----------
    field : the resting field.
    strike : the card's motion.
    departure : the pictures around its beginning.
    strikes : the motions of all cards of the poem.
    scale : size of the players' map relative to the frame.
    """
    onset = strike.onset
    approach = {
        player: approach_of(field, strike, departure, strikes, scale, player=player) for player in _SIDES
    }
    way = _way(strike, departure)
    gaps = {player: approach[player].gap_at(onset.t_ns) for player in _SIDES}
    claims = {
        player: _GAP_PER_SPEED * approach[player].speed_along(way, onset.t_ns)
        - max(gaps[player], _OVER_MM)
        - (_ARM_MM if approach[player].is_arm_at(onset.t_ns) else 0.0)
        for player in _SIDES
    }
    nearest = min(gaps, key=lambda player: gaps[player])
    pusher = _pusher(field, strike, strikes)
    covered = gaps[nearest] < _COVERED_MM
    loose = pusher is None and _loose_before(field, strike, strikes)
    pushed = pusher is not None or (loose and not covered)
    if gaps[nearest] > _BESIDE_MM and not pushed:
        return []
    both = all(gap <= _BESIDE_MM for gap in gaps.values())
    first = max(claims, key=lambda player: claims[player]) if both else nearest
    second = NEAR + FAR - first
    lead = claims[first] - claims[second] if both else gaps[second] - gaps[first]
    sure = _BOTH_OVER if max(gaps.values()) <= 0 else _SURE
    confidence = 0.5 + sure * float(np.clip(lead / _SURE_MM, 0.0, 1.0))
    alone = strike.flight is None and covered and float(approach[second].gaps_mm.min()) > _ALONE_MM
    if (onset.t_unc_ns > _VAGUE_NS and not alone) or approach[first].is_arm_at(onset.t_ns):
        confidence = min(confidence, _VAGUE)
    if not pushed and (loose or (strike.flight is None and not covered)):
        confidence = min(confidence, _MAYBE_PUSHED)
    if have_met(field, strike, departure, scale):
        confidence = min(confidence, _MET)
    if pushed:
        return [Contact(_SIDES[first], onset.t_ns, onset.t_unc_ns, min(confidence, _PUSHED), Proof.PUSHED)]
    found = [Contact(_SIDES[first], onset.t_ns, onset.t_unc_ns, confidence)]
    rival = approach[second].arrival(onset.t_ns)
    if lead < _SAME_MM and gaps[second] <= 0:
        found.append(Contact(_SIDES[second], onset.t_ns, onset.t_unc_ns, 1 - confidence))
    elif rival is not None:
        found.append(Contact(_SIDES[second], rival[0], rival[1] + onset.t_unc_ns, 0.5, Proof.RIVAL))
    return found


def _way(strike: Strike, departure: Departure) -> NDArray[np.float64]:
    """Return the direction in which a card set off."""
    if strike.flight is not None and strike.flight.strength >= WEAK:
        return strike.flight.velocity_px
    shift = departure.final_shift_px
    return np.zeros(2) if shift is None else shift


def _pusher(field: FieldModel, strike: Strike, strikes: Sequence[Strike]) -> Strike | None:
    """Return the card that flew against this card's edge when this one set off."""
    slot = field.slots[strike.number]
    latest = max(strike.onset.t_ns, float(strike.onset.latest_ns))
    for other in strikes:
        flight = other.flight
        if flight is None or other.number == strike.number or flight.strength < WEAK:
            continue
        if other.onset.t_ns > strike.onset.t_ns + strike.onset.t_unc_ns:
            continue
        ahead = slot.centre_px - flight.slot.centre_px
        if ahead @ flight.velocity_px <= 0:
            continue
        if _distance(flight.corners_at(latest), slot.corners_px) < _PUSH_MM * slot.px_per_mm:
            return other
    return None


def _loose_before(field: FieldModel, strike: Strike, strikes: Sequence[Strike]) -> bool:
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


def _distance(points: NDArray[np.float64], corners: NDArray[np.float64]) -> float:
    """Return the smallest distance of points from a convex card, 0 inside; far away where there is none."""
    if len(points) == 0:
        return _FAR_AWAY_MM
    return max(0.0, float(outside_px(points, corners).min()))
