"""Which hand was at a card when it moved: how far each player's hand was from the card, frame by frame.

A card may also be pushed by another card. Then no hand is near it when it sets off, but the path of a card
that set off earlier ends at its edge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.sides import Side
from vision.departure import Departure, View
from vision.field_model import FieldModel
from vision.hands import FAR, NEAR, Over
from vision.motion import HAND_SHADE
from vision.onset import WEAK
from vision.strikes import Strike

TOUCH_MM = 5.0
"""A hand whose seen edge is this near may be on the card: the players' map shows no less."""
_PUSHED_MM = 20.0  # a card that a hand is at least this far from can have been pushed by another card
_BESIDE_MM = 40.0
_PUSH_MM = 12.0
_SIDES = {NEAR: Side.NEAR, FAR: Side.FAR}
_FAR_AWAY_MM = 1000.0


@dataclass(frozen=True, slots=True)
class Contact:
    """A hand at a card.

    Attributes
    ----------
    side : whose hand, or None where two hands were equally near.
    t_ns, t_unc_ns : when.
    confidence : probability that this player's hand touched the card.
    pushed : another card pushed it, and no hand was seen to reach it; `side` is who drove that card.
    """

    side: Side | None
    t_ns: float
    t_unc_ns: float
    confidence: float
    pushed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Approach:
    """Distances of each player's hand from a card, in millimetres, at the times of its views."""

    times_ns: NDArray[np.float64]
    gaps_mm: Mapping[int, NDArray[np.float64]]

    def at(self, player: int, t_ns: float) -> float:
        return float(np.interp(t_ns, self.times_ns, self.gaps_mm[player]))

    def arrival(self, player: int, from_ns: float) -> tuple[float, float] | None:
        """Return when the hand's distance first falls to nothing after `from_ns`, and half the gap there."""
        gaps = self.gaps_mm[player]
        for index in range(1, len(gaps)):
            before, after = self.times_ns[index - 1], self.times_ns[index]
            if after < from_ns or gaps[index] > TOUCH_MM / 2:
                continue
            fall = gaps[index - 1] - gaps[index]
            share = 0.0 if fall <= 0 else (gaps[index - 1] - TOUCH_MM / 2) / fall
            return max(from_ns, before + max(0.0, share) * (after - before)), (after - before) / 2
        return None


def contacts(
    field: FieldModel, strike: Strike, departure: Departure, strikes: Sequence[Strike], scale: float
) -> list[Contact]:
    """Return the hands that touched a card, the first one first; empty where no hand was near.

    Parameters
    ----------
    field : the resting field.
    strike : the card's motion.
    departure : the pictures around its beginning.
    strikes : the motions of all cards of the poem.
    scale : size of the players' map relative to the frame.
    """
    approach = _approach(field, strike, departure, strikes, scale)
    onset = strike.onset
    gaps = {player: approach.at(player, onset.t_ns) for player in _SIDES}
    first = min(gaps, key=lambda player: gaps[player])
    second = NEAR + FAR - first
    found: list[Contact] = []
    if gaps[first] > _PUSHED_MM and _pushed(field, strike, strikes):
        later = approach.arrival(first, onset.t_ns)
        if later is None:
            return [Contact(_SIDES[first], onset.t_ns, onset.t_unc_ns, 0.7, pushed=True)]
        return [Contact(_SIDES[first], later[0], later[1] + onset.t_unc_ns, 0.7)]
    if gaps[first] > _BESIDE_MM:
        return []
    lead = gaps[second] - gaps[first]
    confidence = 0.5 + 0.49 * float(np.clip(lead / 25.0, 0.0, 1.0))
    found.append(Contact(_SIDES[first] if lead > 0 else None, onset.t_ns, onset.t_unc_ns, confidence))
    other = approach.arrival(second, onset.t_ns)
    if other is not None:
        found.append(Contact(_SIDES[second], other[0], other[1] + onset.t_unc_ns, 0.7))
    return found


def _approach(
    field: FieldModel, strike: Strike, departure: Departure, strikes: Sequence[Strike], scale: float
) -> _Approach:
    slot = field.slots[strike.number]
    gaps: dict[int, list[float]] = {player: [] for player in _SIDES}
    for view in departure.views:
        hands = _hands_only(field, view, strikes, scale)
        flight = strike.flight
        if flight is not None and flight.strength >= WEAK:
            corners = flight.corners_at(view.t_ns)
        else:
            corners = slot.corners_px
        for player in _SIDES:
            rows, columns = np.nonzero(hands == player)
            points = (np.stack([columns, rows], axis=1).astype(np.float64) + 0.5) / scale - 0.5
            gap_px = max(0.0, _distance(points, corners) - 0.5 / scale)  # from the pixel's edge
            gaps[player].append(gap_px / slot.px_per_mm)
    times = np.array([view.t_ns for view in departure.views], np.float64)
    return _Approach(times, {player: np.array(values) for player, values in gaps.items()})


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


def _pushed(field: FieldModel, strike: Strike, strikes: Sequence[Strike]) -> bool:
    """Tell whether a card that set off earlier reached this card's edge when this one set off."""
    slot = field.slots[strike.number]
    for other in strikes:
        flight = other.flight
        if flight is None or other.number == strike.number or flight.strength < WEAK:
            continue
        if other.onset.t_ns > strike.onset.t_ns + strike.onset.t_unc_ns:
            continue
        latest = max(strike.onset.t_ns, float(strike.onset.latest_ns))
        gap = _distance(flight.corners_at(latest), slot.corners_px)
        if gap < _PUSH_MM * slot.px_per_mm:
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
