"""How near each player's hand was to a card that moved, picture by picture.

What lies over the field is divided between the players by `vision.hands`; the cards that fly over it are
taken out, and an arm that only passes over a card is told from the fingers at its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.departure import Departure, View
from vision.field_model import FieldModel
from vision.hands import NEAR, Over
from vision.motion import HAND_SHADE
from vision.onset import WEAK
from vision.strikes import Strike

_HAND_MM = (100.0, 250.0)  # beyond the fingers' end nothing of the arm is found at this distance
_ASIDE_MM = 150.0
_ARM_MM2 = 6000.0
_MET_MM = 60.0  # the part of a hand that must have been seen apart from the other player's arm
_NOWHERE_MM = 1000.0


@dataclass(frozen=True, slots=True, eq=False)
class Approach:
    """How near a player's hand was to a card in each of its views.

    Attributes
    ----------
    times_ns : (V,) instants of the views.
    gaps_mm : (V,) distance between hand and card; negative where the hand covers it, by the size of the part.
    met_ns : (V,) for how long the hand has been one with the other player's arm in the picture; 0 apart.
    beyond_mm2 : (V,) area of the arm that reaches on past the card, away from its player.
    """

    times_ns: NDArray[np.float64]
    gaps_mm: NDArray[np.float64]
    met_ns: NDArray[np.float64]
    beyond_mm2: NDArray[np.float64]

    def is_arm_at(self, t_ns: float) -> bool:
        """Tell whether the hand's fingers are elsewhere and only its arm passes over the card."""
        return float(np.interp(t_ns, self.times_ns, self.beyond_mm2)) > _ARM_MM2

    def gap_at(self, t_ns: float) -> float:
        """Return the distance between hand and card, millimetres, negative where the hand covers it."""
        return float(np.interp(t_ns, self.times_ns, self.gaps_mm))

    def met_at(self, t_ns: float) -> float:
        """Return for how long the hand had not been seen apart from the other player's arm, nanoseconds."""
        return float(self.met_ns[int(np.argmin(np.abs(self.times_ns - t_ns)))])

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


class Hands:
    """The players' maps of a poem without the cards that fly over them; each is made only once.

    Parameters
    ----------
    field : the resting field.
    strikes : the motions of all cards of the poem; flying cards are no hands.
    scale : size of the players' map relative to the frame.
    """

    def __init__(self, field: FieldModel, strikes: Sequence[Strike], scale: float) -> None:
        self.scale = scale
        self._field = field
        self._strikes = strikes
        self._players: dict[Over, NDArray[np.uint8]] = {}
        self._cells: dict[tuple[Over, int], Cells] = {}

    def players(self, view: View) -> NDArray[np.uint8]:
        """Return the players' map of a view, (h, w); it is kept and must not be written to."""
        if view.over not in self._players:
            self._players[view.over] = _hands_only(self._field, view, self._strikes, self.scale)
        return self._players[view.over]

    def cells(self, view: View, player: int) -> Cells:
        """Return where a player's hands and arms lie in a view."""
        key = view.over, player
        if key not in self._cells:
            rows, columns = np.nonzero(self.players(view) == player)
            points_px = (np.stack([columns, rows], axis=1).astype(np.float64) + 0.5) / self.scale - 0.5
            self._cells[key] = Cells(rows, columns, points_px)
        return self._cells[key]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Cells of the players' map: their rows and columns (N,), and their middles in the frame (N, 2)."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    points_px: NDArray[np.float64]


def approach_of(
    field: FieldModel, strike: Strike, departure: Departure, hands: Hands, *, player: int
) -> Approach:
    """Return how near a player's hand was to a card that moved.

    Parameters
    ----------
    field : the resting field.
    strike : the card's motion: where it flies, the hand is measured from where it then is.
    departure : the pictures around its beginning.
    hands : the players' maps of the poem.
    player : `NEAR` or `FAR`.
    """
    slot, flight = field.slots[strike.number], strike.flight
    gaps, met, beyond = [], [], []
    for view in departure.views:
        corners = slot.corners_px
        if flight is not None and flight.strength >= WEAK:
            corners = flight.corners_at(view.t_ns)
        cells = hands.cells(view, player)
        points = cells.points_px
        outside_mm = outside_px(points, corners) / slot.px_per_mm if len(points) else np.full(1, _NOWHERE_MM)
        cell_mm = 1 / hands.scale / slot.px_per_mm
        covered = int(np.count_nonzero(outside_mm < cell_mm / 2))
        # a cell's own edge is half a cell nearer than its middle
        gaps.append(-cell_mm * covered**0.5 if covered else float(outside_mm.min()) - cell_mm / 2)
        from_card_mm = (points - slot.centre_px) / slot.px_per_mm * (1 if player == NEAR else -1)
        past = (np.abs(from_card_mm[:, 0]) < _ASIDE_MM) & (-from_card_mm[:, 1] > _HAND_MM[0])
        past &= -from_card_mm[:, 1] < _HAND_MM[1]
        beyond.append(np.count_nonzero(past) * cell_mm**2)
        near = outside_mm < _MET_MM if len(points) else np.zeros(0, np.bool_)
        since_ns = view.over.met_ns[cells.rows[near], cells.columns[near]]
        doubted = since_ns > 0
        met.append(view.t_ns - since_ns[doubted].min() if 2 * doubted.sum() > len(since_ns) else 0)
    times = np.array([view.t_ns for view in departure.views], np.float64)
    return Approach(times, np.array(gaps), np.array(met, np.float64), np.array(beyond, np.float64))


def _hands_only(field: FieldModel, view: View, strikes: Sequence[Strike], scale: float) -> NDArray[np.uint8]:
    over = view.over
    hands = over.players.copy()
    unlit: NDArray[np.float32] | None = None
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
        inside = outside_px(np.stack([x.ravel(), y.ravel()], axis=1), corners).reshape(part.shape) <= 0.5
        if unlit is None:
            unlit = over.unlit
        bright = unlit[window] > HAND_SHADE * field.paper(strike.number)
        part[inside & bright] = 0
    return hands


def outside_px(points: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far each point (N, 2) lies outside a convex quadrilateral (4, 2); negative inside."""
    edges = np.roll(corners, -1, axis=0) - corners
    turn = np.sign(edges[0, 0] * edges[1, 1] - edges[0, 1] * edges[1, 0])
    normals = turn * np.stack([edges[:, 1], -edges[:, 0]], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    reach = points @ normals.T - (corners * normals).sum(axis=1)
    return np.asarray(reach.max(axis=1))
