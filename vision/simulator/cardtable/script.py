"""Events on a card table over time: the path of every card and hand as key poses.

Between two key poses everything starts and ends at rest, as hands move (minimum jerk). A carried card has its
key poses at the hand's instants, so the two move as one.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from vision.plane.printed_table import Edge, PrintedTable
from vision.simulator.drawing.paths import Floats

UP = 0.0  # rotation about its long axis at which a card shows its face, radians
DOWN = np.pi


class Pose(NamedTuple):
    """The place of a card or of a hand's fingers."""

    x_mm: float
    y_mm: float
    angle: float = 0.0  # clockwise from the picture's up, radians
    z_mm: float = 0.0  # height above the table
    flip: float = UP  # `UP` shows the face, `DOWN` the back; in between the card stands on edge


@dataclass
class Track:
    """One thing's path: key poses in the order of time. It is on the table from the first one on."""

    times_s: list[float] = field(default_factory=list)
    poses: list[Pose] = field(default_factory=list)
    gone_s: float | None = None  # when it left the table; None while it stays

    def add(self, t_s: float, pose: Pose) -> None:
        """Add a key pose at the end; ValueError if it is earlier than the last one."""
        if self.times_s and t_s < self.times_s[-1]:
            raise ValueError(f"key poses follow in time: {t_s:.3f} s comes after {self.times_s[-1]:.3f} s")
        if self.times_s and t_s == self.times_s[-1]:
            self.poses[-1] = pose
            return
        self.times_s.append(t_s)
        self.poses.append(pose)

    def hold(self, t_s: float) -> None:
        """Stay in place until `t_s`."""
        self.add(t_s, self.poses[-1])

    def is_there(self, t_s: float) -> bool:
        """Tell whether the thing is on the table at `t_s`."""
        return bool(self.times_s) and self.times_s[0] <= t_s and (self.gone_s is None or t_s < self.gone_s)

    def is_moving(self, from_s: float, to_s: float) -> bool:
        """Tell whether it moves at any time within a stretch."""
        first = max(bisect_right(self.times_s, from_s) - 1, 0)
        for index in range(first, len(self.times_s) - 1):
            if self.times_s[index] >= to_s:
                break
            if self.times_s[index + 1] > from_s and self.poses[index] != self.poses[index + 1]:
                return True
        return False

    def rested_at(self, t_s: float) -> float:
        """Return when it came to rest in its place at `t_s`: later arrivals lie on top."""
        index = bisect_right(self.times_s, t_s) - 1
        while index > 0 and self.poses[index - 1] == self.poses[index]:
            index -= 1
        return self.times_s[max(index, 0)]

    def at(self, t_s: float) -> Floats:
        """Return x, y, angle, height and flip at `t_s`, (5,)."""
        index = bisect_right(self.times_s, t_s) - 1
        if index < 0:
            return np.array(self.poses[0])
        here = np.array(self.poses[index])
        if index + 1 == len(self.times_s):
            return here
        start, end = self.times_s[index], self.times_s[index + 1]
        u = (t_s - start) / (end - start)
        way = np.array(self.poses[index + 1]) - here
        return np.asarray(here + way * (u**3 * (10 - 15 * u + 6 * u * u)))


@dataclass
class Script:
    """A whole film."""

    cards: dict[int, Track] = field(default_factory=dict)  # card number to its track
    # seat to its hand's track; a hand outside the picture is at its owner's resting place
    hands: dict[int, Track] = field(default_factory=dict)
    # (instant, number of cards) for each change of the face-down pile
    stock: list[tuple[float, int]] = field(default_factory=list)
    length_s: float = 0.0
    # (instant, cards) of earlier rounds; their tracks apply until that instant
    past: list[tuple[float, dict[int, Track]]] = field(default_factory=list)

    def cards_at(self, t_s: float) -> dict[int, Track]:
        """Return the tracks of the cards of the round that is played at `t_s`."""
        return next((cards for until_s, cards in self.past if t_s < until_s), self.cards)

    def stock_at(self, t_s: float) -> int:
        """Return the number of cards in the pile at `t_s`."""
        index = bisect_right([instant for instant, _ in self.stock], t_s) - 1
        return self.stock[index][1] if index >= 0 else 0


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
