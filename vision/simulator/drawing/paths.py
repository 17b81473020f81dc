"""The motion of a hand: smooth curves through moments, in the player's own directions.

A player's own directions are (right, ahead): ahead points at the opponent, and (0, 0) is the field's centre.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.facts import Hand
from referee.sides import Side

Floats = NDArray[np.float64]
Place = tuple[float, float]  # metres to a player's right and ahead of him, or metres per second


def to_field(side: Side, place: Place) -> Place:
    """Convert a player's (right, ahead) into field coordinates (x, y)."""
    right, ahead = place
    return (right, -ahead) if side is Side.NEAR else (-right, ahead)


def from_field(side: Side, x_m: float, y_m: float) -> Place:
    """Convert field coordinates (x, y) into a player's (right, ahead)."""
    return (x_m, -y_m) if side is Side.NEAR else (-x_m, y_m)


@dataclass(frozen=True, slots=True)
class Moment:
    """A hand at one instant, in the player's own directions."""

    t_s: float
    at: Place  # the centre of its fingers, (right, ahead) in metres
    z_m: float  # height of the fingers above the cards
    turn_rad: float = 0.0  # angle of the fingers to the player's right of straight ahead
    # v, v_z: velocity along (right, ahead) and upwards, metres per second
    v: Place = (0.0, 0.0)
    v_z: float = 0.0


@dataclass(frozen=True)
class HandPath:
    """One hand's path through an episode, as cubic Hermite curves between moments."""

    side: Side
    hand: Hand
    moments: tuple[Moment, ...]

    def __post_init__(self) -> None:
        times = [moment.t_s for moment in self.moments]
        if any(later <= earlier for earlier, later in pairwise(times)):
            raise ValueError(f"the moments of a hand's path must follow each other in time, got {times}")

    @property
    def end(self) -> Moment:
        """The last moment, at which the hand stays."""
        return self.moments[-1]

    def then(self, moments: Sequence[Moment]) -> HandPath:
        """Return the path continued through later moments."""
        return replace(self, moments=(*self.moments, *moments))

    @cached_property
    def _rows(self) -> Floats:
        rows = [(m.t_s, *m.at, m.z_m, m.turn_rad, *m.v, m.v_z) for m in self.moments]
        if len(rows) == 1:  # a hand that stays in place
            rows.append((rows[0][0] + 1.0, *rows[0][1:]))
        return np.array(rows)

    @cached_property
    def _listed(self) -> list[list[float]]:
        return [[float(value) for value in row] for row in self._rows]

    @cached_property
    def _times(self) -> list[float]:
        return [row[0] for row in self._listed]

    def at(self, t_s: Floats) -> Floats:
        """Return (N, 4): x, y, height in metres on the field, and the fingers' direction in the picture.

        The direction is in radians clockwise from the picture's up, as for `PlacedCard.angle_rad`.
        """
        first, last, most = self.moments[0].t_s, self.moments[-1].t_s, len(self._rows) - 2
        few = 16  # for fewer instants single computations are faster than arrays
        if len(t_s) < few:
            curves = []
            for time in np.asarray(t_s, np.float64).tolist():
                now = min(max(time, first), last)
                part = min(max(bisect_right(self._times, now) - 1, 0), most)
                curves.append(_between(now, self._listed[part], self._listed[part + 1]))
            local = np.array(curves).reshape(-1, 4)
        else:
            times, rows = np.clip(np.asarray(t_s, np.float64), first, last), self._rows
            parts = np.clip(np.searchsorted(rows[:, 0], times, side="right") - 1, 0, most)
            local = np.column_stack(_between(times, rows[parts].T, rows[parts + 1].T))
        sign, facing = (1.0, 0.0) if self.side is Side.NEAR else (-1.0, np.pi)
        local *= (sign, -sign, 1.0, 1.0)
        local[:, 2] = np.maximum(local[:, 2], 0.0)
        local[:, 3] += facing
        return local


def _between(t_s: Any, start: Iterable[Any], stop: Iterable[Any]) -> tuple[Any, Any, Any, Any]:
    """Return right, ahead, height and turn between two rows of moments, at one instant or at many."""
    t0_s, right0, ahead0, z0, turn0, v0_right, v0_ahead, v0_z = start
    t1_s, right1, ahead1, z1, turn1, v1_right, v1_ahead, v1_z = stop
    span_s = t1_s - t0_s
    u = (t_s - t0_s) / span_s
    u2, u3 = u * u, u * u * u
    share, leaving, arriving = 3 * u2 - 2 * u3, u3 - 2 * u2 + u, u3 - u2
    # The fingers' turn starts and ends at rest; only the path has velocities.
    return (
        right0 + share * (right1 - right0) + (leaving * v0_right + arriving * v1_right) * span_s,
        ahead0 + share * (ahead1 - ahead0) + (leaving * v0_ahead + arriving * v1_ahead) * span_s,
        z0 + share * (z1 - z0) + (leaving * v0_z + arriving * v1_z) * span_s,
        turn0 + share * (turn1 - turn0),
    )
