"""Which hand was at a card when it moved: how far each player's hand was from the card, frame by frame.

A card may also be pushed by another card. Then no hand is near it when it sets off, but the path of a card
that set off earlier ends at its edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from referee.sides import Side
from vision.departure import Departure, View
from vision.field_model import FieldModel
from vision.hands import FAR, NEAR, Over
from vision.motion import HAND_SHADE
from vision.onset import WEAK
from vision.strikes import Strike

_COVERED_MM = -30.0  # fingers pressed on a card cover as much of it as a square of this side
_BESIDE_MM = 40.0  # a hand farther away than this has nothing to do with it
_PUSH_MM = 12.0
_AROUND_MM = 90.0  # the part of an arm whose motion is compared with the card's
_AFTERWARDS_NS = 2_000_000
_GAP_PER_SPEED = 10.0  # moving along with the card at 1 m/s speaks for a hand as much as being 10 mm nearer
_OVER_MM = -10.0  # a hand may hover over a card: covering more of it proves no more
_SURE_MM = 30.0
_SURE = 0.49
_VAGUE_NS, _VAGUE = 100_000_000, 0.55  # hidden for so long that another hand may have been there
_PUSHED = 0.9
_MAYBE_PUSHED = 0.7
_ARM_MM = 60.0  # an arm that passes over a card is as good as a hand this much farther away
_HAND_MM = (100.0, 250.0)  # beyond the fingers' end nothing of the arm is found at this distance
_ASIDE_MM = 150.0
_ARM_MM2 = 6000.0
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


@dataclass(frozen=True, slots=True, eq=False)
class _Approach:
    """How near a player's hand was to a card in each of its views.

    Attributes
    ----------
    times_ns : (V,) instants of the views.
    gaps_mm : (V,) distance between hand and card; negative where the hand covers it, by the size of the part.
    centres_mm : (V, 2) middle of the hand near the card; nan where there is none.
    beyond_mm2 : (V,) area of the arm that reaches on past the card, away from its player.
    """

    times_ns: NDArray[np.float64]
    gaps_mm: NDArray[np.float64]
    centres_mm: NDArray[np.float64]
    beyond_mm2: NDArray[np.float64]

    def is_arm_at(self, t_ns: float) -> bool:
        """Tell whether the hand's fingers are elsewhere and only its arm passes over the card."""
        return float(np.interp(t_ns, self.times_ns, self.beyond_mm2)) > _ARM_MM2

    def gap_at(self, t_ns: float) -> float:
        return float(np.interp(t_ns, self.times_ns, self.gaps_mm))

    def speed_along(self, way: NDArray[np.float64], t_ns: float) -> float:
        """Return how fast the hand moved in a direction before `t_ns`, metres per second."""
        seen = np.flatnonzero(~np.isnan(self.centres_mm[:, 0]) & (self.times_ns <= t_ns + _AFTERWARDS_NS))
        if len(seen) < 2 or not way.any():
            return 0.0
        first, last = seen[max(0, len(seen) - 3)], seen[-1]
        moved = self.centres_mm[last] - self.centres_mm[first]
        span_ms = (self.times_ns[last] - self.times_ns[first]) / 1e6
        return float(moved @ way / np.linalg.norm(way) / span_ms)

    def arrival(self, from_ns: float) -> tuple[float, float] | None:
        """Return when the hand reaches the card after `from_ns`, and the half width of that instant."""
        for index in range(1, len(self.gaps_mm)):
            before, after = self.times_ns[index - 1], self.times_ns[index]
            if after < from_ns or self.gaps_mm[index] > 0:
                continue
            fall = max(self.gaps_mm[index - 1], 0.0) - self.gaps_mm[index]
            share = 0.0 if fall <= 0 else max(self.gaps_mm[index - 1], 0.0) / fall
            return max(from_ns, before + share * (after - before)), (after - before) / 2
        return None


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
        player: _approach(field, strike, departure, strikes, scale, player=player) for player in _SIDES
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
    if pusher is not None or (loose and not covered):
        return [Contact(_SIDES[nearest], onset.t_ns, onset.t_unc_ns, _PUSHED, Proof.PUSHED)]
    if gaps[nearest] > _BESIDE_MM:
        return []
    both = all(gap <= _BESIDE_MM for gap in gaps.values())
    first = max(claims, key=lambda player: claims[player]) if both else nearest
    second = NEAR + FAR - first
    lead = claims[first] - claims[second] if both else gaps[second] - gaps[first]
    sure = _BOTH_OVER if max(gaps.values()) <= 0 else _SURE
    confidence = 0.5 + sure * float(np.clip(lead / _SURE_MM, 0.0, 1.0))
    if onset.t_unc_ns > _VAGUE_NS or approach[first].is_arm_at(onset.t_ns):
        confidence = min(confidence, _VAGUE)
    if loose or (strike.flight is None and not covered):
        confidence = min(confidence, _MAYBE_PUSHED)
    found = [Contact(_SIDES[first], onset.t_ns, onset.t_unc_ns, confidence)]
    rival = approach[second].arrival(onset.t_ns)
    if rival is not None:
        found.append(Contact(_SIDES[second], rival[0], rival[1] + onset.t_unc_ns, 0.5, Proof.RIVAL))
    return found


def _way(strike: Strike, departure: Departure) -> NDArray[np.float64]:
    """Return the direction in which a card set off."""
    if strike.flight is not None and strike.flight.strength >= WEAK:
        return strike.flight.velocity_px
    shift = departure.final_shift_px
    return np.zeros(2) if shift is None else shift


def _approach(
    field: FieldModel,
    strike: Strike,
    departure: Departure,
    strikes: Sequence[Strike],
    scale: float,
    *,
    player: int,
) -> _Approach:
    slot, flight = field.slots[strike.number], strike.flight
    gaps, centres, beyond = [], [], []
    for view in departure.views:
        hands = _hands_only(field, view, strikes, scale)
        corners = slot.corners_px
        if flight is not None and flight.strength >= WEAK:
            corners = flight.corners_at(view.t_ns)
        rows, columns = np.nonzero(hands == player)
        points = (np.stack([columns, rows], axis=1).astype(np.float64) + 0.5) / scale - 0.5
        outside_mm = _outside(points, corners) / slot.px_per_mm if len(points) else np.full(1, _FAR_AWAY_MM)
        cell_mm = 1 / scale / slot.px_per_mm
        covered = int(np.count_nonzero(outside_mm < cell_mm / 2))
        # a cell's own edge is half a cell nearer than its middle
        gaps.append(-cell_mm * covered**0.5 if covered else float(outside_mm.min()) - cell_mm / 2)
        from_card_mm = (points - slot.centre_px) / slot.px_per_mm * (1 if player == NEAR else -1)
        past = (np.abs(from_card_mm[:, 0]) < _ASIDE_MM) & (-from_card_mm[:, 1] > _HAND_MM[0])
        past &= -from_card_mm[:, 1] < _HAND_MM[1]
        beyond.append(np.count_nonzero(past) * cell_mm**2)
        near = points[outside_mm < _AROUND_MM] if len(points) else points
        centres.append(near.mean(axis=0) / slot.px_per_mm if len(near) else np.full(2, np.nan))
    times = np.array([view.t_ns for view in departure.views], np.float64)
    return _Approach(times, np.array(gaps), np.array(centres), np.array(beyond, np.float64))


def _hands_only(field: FieldModel, view: View, strikes: Sequence[Strike], scale: float) -> NDArray[np.uint8]:
    """Return the players' map of a view without the cards that fly over it."""
    over: Over = view.over
    hands = over.players.copy()
    for strike in strikes:
        flight = strike.flight
        if flight is None or flight.strength < WEAK or flight.t_ns > view.t_ns:
            continue
        corners = (flight.corners_at(view.t_ns) + 0.5) * scale - 0.5
        low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, hands.shape[::-1])
        if np.any(high <= low):
            continue
        window = (slice(low[1], high[1]), slice(low[0], high[0]))
        part = hands[window]
        y, x = np.mgrid[window]
        inside = _outside(np.stack([x.ravel(), y.ravel()], axis=1), corners).reshape(part.shape) <= 0.5
        bright = over.unlit[window] > HAND_SHADE * field.paper(strike.number)
        part[inside & bright] = 0
    return hands


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
    return max(0.0, float(_outside(points, corners).min()))


def _outside(points: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far each point (N, 2) lies outside a convex quadrilateral (4, 2); negative inside."""
    edges = np.roll(corners, -1, axis=0) - corners
    turn = np.sign(edges[0, 0] * edges[1, 1] - edges[0, 1] * edges[1, 0])
    normals = turn * np.stack([edges[:, 1], -edges[:, 0]], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    distances = np.einsum("pek,ek->pe", points[:, None] - corners[None], normals)
    return np.asarray(distances.max(axis=1))
