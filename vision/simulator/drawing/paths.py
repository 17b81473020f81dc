"""How a hand moves: smooth curves through moments, in the player's own directions.

A player's own directions are (right, ahead): ahead points at the opponent, and (0, 0) is the field's centre.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from referee.facts import Hand
from referee.sides import Side

Floats = NDArray[np.float64]
Place = tuple[float, float]
"""Metres to a player's right and ahead of him, or metres a second."""


def to_field(side: Side, place: Place) -> Place:
    """Turn a player's (right, ahead) into field coordinates (x, y)."""
    right, ahead = place
    return (right, -ahead) if side is Side.NEAR else (-right, ahead)


def from_field(side: Side, x_m: float, y_m: float) -> Place:
    """Turn field coordinates (x, y) into a player's (right, ahead)."""
    return (x_m, -y_m) if side is Side.NEAR else (-x_m, y_m)


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a hand is at one instant, in the player's own directions.

    Attributes
    ----------
    at : the middle of its fingers, (right, ahead) in metres.
    z_m : height of the fingers above the cards.
    turn_rad : how far the fingers point to the player's right of straight ahead.
    v, v_z : speed along (right, ahead) and upwards, in metres a second.
    """

    t_s: float
    at: Place
    z_m: float
    turn_rad: float = 0.0
    v: Place = (0.0, 0.0)
    v_z: float = 0.0


@dataclass(frozen=True)
class HandPath:
    """One hand's way through an episode, as cubic Hermite curves between moments."""

    side: Side
    hand: Hand
    moments: tuple[Moment, ...]

    def __post_init__(self) -> None:
        times = [moment.t_s for moment in self.moments]
        if any(later <= earlier for earlier, later in pairwise(times)):
            raise ValueError(f"the moments of a hand's path must follow each other in time, got {times}")

    @property
    def end(self) -> Moment:
        """The last moment: where the hand stays."""
        return self.moments[-1]

    def then(self, moments: Sequence[Moment]) -> HandPath:
        """Return the path continued through later moments."""
        return replace(self, moments=(*self.moments, *moments))

    @cached_property
    def _rows(self) -> Floats:
        return np.array([(m.t_s, *m.at, m.z_m, m.turn_rad, *m.v, m.v_z) for m in self.moments])

    def at(self, t_s: Floats) -> Floats:
        """Return (N, 4): x, y, height in field metres and the fingers' direction in the picture.

        The direction is in radians clockwise from the picture's up, as for `PlacedCard.angle_rad`.
        """
        rows = self._rows
        times = np.clip(np.asarray(t_s, np.float64), rows[0, 0], rows[-1, 0])
        if len(rows) == 1:
            local = np.repeat(rows[:, 1:5], len(times), axis=0)
        else:
            part = np.clip(np.searchsorted(rows[:, 0], times, side="right") - 1, 0, len(rows) - 2)
            start, stop = rows[part], rows[part + 1]
            span = (stop[:, 0] - start[:, 0])[:, None]
            u = (times[:, None] - start[:, :1]) / span
            u2, u3 = u * u, u * u * u
            local = start[:, 1:5] + (3 * u2 - 2 * u3) * (stop[:, 1:5] - start[:, 1:5])
            # The fingers' turn starts and ends at rest; only the way has velocities.
            local[:, :3] += ((u3 - 2 * u2 + u) * start[:, 5:8] + (u3 - u2) * stop[:, 5:8]) * span
        sign, facing = (1.0, 0.0) if self.side is Side.NEAR else (-1.0, np.pi)
        return np.column_stack(
            [sign * local[:, 0], -sign * local[:, 1], np.maximum(local[:, 2], 0.0), facing + local[:, 3]]
        )
