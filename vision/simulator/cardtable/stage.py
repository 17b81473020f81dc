"""A table with a clock that advances while hands act: the basis of the films of all card games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from vision.plane.printed_table import Edge, PrintedTable
from vision.simulator.cardtable.script import Pose, Script, Track

HOLD_MM: Final = 20.0  # from the centre of a held card back to the fingers
CARRY_MM: Final = 14.0


def home(table: PrintedTable, seat: int) -> Pose:
    """Return where a seat's hand waits, outside the picture."""
    edge = table.edges[seat]
    half = np.array(table.size_mm) / 2
    away_mm = 360.0  # distance of a waiting hand beyond the table's edge
    at = half - edge.ahead * (abs(edge.ahead) @ half + away_mm) + edge.right * 60
    return Pose(float(at[0]), float(at[1]), 0.0, 40.0)


class Stage:
    """Moves hands and cards; every action takes time on the stage's clock.

    `pace`: factor on all durations; 1 for unhurried people.
    """

    def __init__(self, table: PrintedTable, rng: np.random.Generator, pace: float) -> None:
        self._table, self._rng, self._pace = table, rng, pace
        self._now_s = 0.0
        self._script = Script()
        for seat in range(table.players):
            track = Track()
            track.add(0.0, home(table, seat))
            self._script.hands[seat] = track

    def _edge(self, seat: int) -> Edge:
        return self._table.edges[seat]

    def _over(self, at_mm: Any, seat: int, z_mm: float = 6.0) -> Pose:
        at = np.asarray(at_mm) - self._edge(seat).ahead * HOLD_MM
        return Pose(float(at[0]), float(at[1]), 0.0, z_mm)

    def _held(self, fingers: Pose, angle: float) -> Pose:
        return Pose(fingers.x_mm, fingers.y_mm, angle, CARRY_MM)

    def _reach(self, seat: int, at_mm: Any, about_s: float) -> None:
        self._move_hand(seat, self._over(at_mm, seat), about_s * self._pace * self._rng.uniform(0.85, 1.2))

    def _carry(self, seat: int, held: Sequence[tuple[int, Pose]], low_s: float, high_s: float) -> None:
        """Move cards to their places, with the hand over the first of them."""
        length_s = self._rng.uniform(low_s, high_s) * self._pace
        start_s = self._now_s
        first = held[0][1]
        for card, pose in held:
            track = self._script.cards[card]
            track.hold(max(start_s, track.times_s[-1]))
            track.add(start_s + length_s, pose)
        self._move_hand(seat, self._over((first.x_mm, first.y_mm), seat, 6 + first.z_mm), length_s)

    def _move_hand(self, seat: int, to: Pose, length_s: float) -> None:
        track = self._script.hands[seat]
        track.hold(self._now_s)
        self._now_s += length_s
        track.add(self._now_s, to)

    def _is_reaching(self, seat: int) -> bool:
        return self._script.hands[seat].poses[-1] != home(self._table, seat)

    def _withdraw(self, seat: int) -> None:
        if self._is_reaching(seat):
            self._move_hand(seat, home(self._table, seat), self._rng.uniform(0.45, 0.65) * self._pace)

    def _wait(self, low_s: float, high_s: float) -> None:
        self._now_s += float(self._rng.uniform(low_s, high_s)) * self._pace


def ms(t_s: float) -> int:
    """Return an instant in the form used by truth files, whole milliseconds."""
    return round(t_s * 1000)
