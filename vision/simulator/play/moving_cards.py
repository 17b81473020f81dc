"""Cards below hands: dragged, sliding, flying, and pushing each other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from referee.layout import Layout
from referee.sides import Side
from vision.simulator.drawing.paths import Floats
from vision.simulator.play.field import CARD_HALF_M, Box, depths, is_completely_out, parting, picture_angle


@dataclass(frozen=True, slots=True)
class Friction:
    """The mechanics of one hall."""

    sliding_mps2: float = 3.6  # deceleration of a card that slides on the floor
    grip_s: float = 0.003  # time constant with which a card takes on the speed of the hand above it
    passed_on: float = 0.75  # share of its closing speed that a card passes on to a card it hits
    # vertical speed, metres per second, of a card that is hit at 3 m/s and leaves the floor
    lift: float = 0.9
    leaps: float = 1.0  # factor on the probability that a card hit fast leaves the floor
    # half width and half length of the four fingers' contact area
    fingers_half_m: tuple[float, float] = (0.036, 0.030)


@dataclass(frozen=True, slots=True)
class Temper:
    """The temper of the players of one hall."""

    haste: float = 1.0  # factor on the speed of sweeps
    lies_s: float = 0.0  # how long fingers lie on a card, gathering speed, before they push its row


USUAL, CALM = Friction(), Temper()


_TWIST_PER_M2 = 0.3 / (CARD_HALF_M[0] ** 2 + CARD_HALF_M[1] ** 2)
_AIRBORNE_M = 0.002


@dataclass(frozen=True)
class Track:
    """The motion of one card."""

    t_s: Floats  # instants (N,), increasing
    pose: Floats  # (N, 4): x, y in metres, angle in the picture in radians, height in metres

    def then(self, later: Track) -> Track:
        """Return this track continued by a later one, with a rest in between."""
        resumes_s = later.t_s[0] - 1e-6
        return Track(
            np.concatenate([self.t_s, [resumes_s], later.t_s]),
            np.vstack([self.pose, self.pose[-1:], later.pose]),
        )


class MovingCards:
    """The cards of a layout in motion; the index is the place in the layout.

    Few cards move at a time, so each is advanced by itself: arrays would take five times as long. Sines,
    cosines and lengths are still NumPy's, so that the same seed keeps giving the same films.

    `mover`: whose sweep moved each card, by hand or through other cards.
    """

    def __init__(self, layout: Layout, friction: Friction = USUAL) -> None:
        self._friction = friction
        placed = tuple(layout)
        count = len(placed)
        self.numbers = [card.card or 0 for card in placed]
        self.homes = [card.side for card in placed]
        self._x = [float(card.x_m) for card in placed]
        self._y = [float(card.y_m) for card in placed]
        self._angle = [float(picture_angle(card.side, card.angle_rad)) for card in placed]
        self._z, self._v_z = [0.0] * count, [0.0] * count
        self._v_x, self._v_y = [0.0] * count, [0.0] * count
        self._spin = [0.0] * count
        self._jump_s = [math.inf] * count
        self.mover: list[Side | None] = [None] * count
        self.touched = [False] * count
        self._stirred: set[int] = set()
        """Only these cards may have a speed or a height."""
        self._boxes: list[Box | None] = [None] * count
        self._history: list[tuple[int, float, float, float, float, float]] = []

    def pose(self, index: int) -> Floats:
        """Return x, y, angle and height of a card, (4,)."""
        return np.array([self._x[index], self._y[index], self._angle[index], self._z[index]])

    def moving(self) -> list[int]:
        """Return the cards in motion, in their order."""
        return sorted(
            index
            for index in self._stirred
            if self._v_x[index] or self._v_y[index] or self._z[index] > 0 or self._v_z[index] > 0
        )

    def record(self, indices: Iterable[int], t_s: float) -> None:
        x, y, angle, z = self._x, self._y, self._angle, self._z
        self._history += [(index, t_s, x[index], y[index], angle[index], z[index]) for index in indices]

    def tracks(self) -> dict[int, Track]:
        """Return the recorded tracks by number, in the order in which the cards began to move."""
        if not self._history:
            return {}
        rows = np.array(self._history)
        index, t_s = rows[:, 0].astype(int), rows[:, 1]
        tracks = {}
        for card in dict.fromkeys(index.tolist()):
            own = np.flatnonzero(index == card)
            # A card may be recorded twice in one step, dragged and then pushed: the last record counts.
            own = own[np.append(np.diff(t_s[own]) > 0, True)]
            tracks[self.numbers[card]] = Track(t_s[own], rows[own, 2:])
        return tracks

    def under(self, hand: Sequence[float]) -> list[int]:
        """Return the cards inside the field that pressed fingers at x, y, height and angle overlap."""
        x, y, _, angle = hand
        half = self._friction.fingers_half_m
        reach_m = math.hypot(*half) + math.hypot(*CARD_HALF_M)
        close = [index for index in self._around(x, y, reach_m) if self._z[index] < 2 * _AIRBORNE_M]
        if not close:
            return []
        fingers = Box.at(x, y, angle, half)
        # A card outside the competition line cannot be touched any more.
        return [
            index
            for index in close
            if min(depths(fingers, self._box(index))) > 0
            and (self.touched[index] or not all(is_completely_out(self.pose(index), side) for side in Side))
        ]

    def hit(self, index: int, now_s: float, velocity: Sequence[float], delay_s: float) -> None:
        """Note the first touch of a card; a fast hit may throw it into the air a moment later."""
        self.record([index], now_s)
        jumping_mps = 1.0  # a slower hit never throws a card into the air
        if np.hypot(velocity[0], velocity[1]) > jumping_mps:
            self._jump_s[index] = now_s + delay_s

    def drag(self, index: int, hand: Sequence[float], velocity: Sequence[float], dt_s: float) -> None:
        """Let a card take on the hand's speed; a hand off its centre turns it."""
        grip = float(1 - np.exp(-dt_s / self._friction.grip_s))
        self._v_x[index] += grip * (velocity[0] - self._v_x[index])
        self._v_y[index] += grip * (velocity[1] - self._v_y[index])
        arm_x, arm_y = hand[0] - self._x[index], hand[1] - self._y[index]
        twist = (arm_x * velocity[1] - arm_y * velocity[0]) * _TWIST_PER_M2
        most_spin_radps = 22.0
        self._spin[index] += grip * (min(max(twist, -most_spin_radps), most_spin_radps) - self._spin[index])
        self._stirred.add(index)

    def advance(self, now_s: float, dt_s: float, held: set[int]) -> list[int]:
        moved = self.moving()
        for index in moved:
            self._advance(index, now_s, dt_s, is_held=index in held)
        return moved

    def _advance(self, index: int, now_s: float, dt_s: float, *, is_held: bool) -> None:
        v_x, v_y, spin = self._v_x[index], self._v_y[index], self._spin[index]
        z, v_z = self._z[index], self._v_z[index]
        pace = float(np.hypot(v_x, v_y))
        if self._jump_s[index] <= now_s:
            v_z = self._friction.lift * min(pace / 3.0, 1.3)
            self._jump_s[index] = math.inf
        if v_z != 0 or z > 0:
            gravity_mps2 = 9.81
            v_z -= gravity_mps2 * dt_s
            z += v_z * dt_s
            if z <= 0:
                z = v_z = 0.0
        elif not is_held:
            slower = max(0.0, 1 - self._friction.sliding_mps2 * dt_s / max(pace, 1e-9))
            v_x, v_y = v_x * slower, v_y * slower
            spin_decay_radps2 = 70.0
            spin *= max(0.0, 1 - spin_decay_radps2 * dt_s / max(abs(spin), 1e-9))

        out_of_sight_m = 1.3
        is_lost = max(abs(self._x[index]), abs(self._y[index])) > out_of_sight_m
        if is_lost:
            z = v_z = 0.0
        stopped_mps = 2e-3
        if is_lost or (z == 0 and np.hypot(v_x, v_y) < stopped_mps):
            v_x = v_y = spin = 0.0
            if not v_z:
                self._stirred.discard(index)

        self._v_x[index], self._v_y[index], self._spin[index] = v_x, v_y, spin
        self._z[index], self._v_z[index] = z, v_z
        self._x[index] += v_x * dt_s
        self._y[index] += v_y * dt_s
        self._angle[index] += spin * dt_s

    def push(self, now_s: float) -> list[int]:
        """Push cards out of the way of sliding ones, and return the pushed cards."""
        pushing_mps, diagonal_m = 0.01, 2 * math.hypot(*CARD_HALF_M)
        meetings = [
            (index, other)
            for index in sorted(self._stirred)
            if self._z[index] < _AIRBORNE_M
            and max(abs(self._v_x[index]), abs(self._v_y[index])) > pushing_mps
            for other in self._around(self._x[index], self._y[index], diagonal_m)
            if other != index and self._z[other] < _AIRBORNE_M
        ]
        # All overlaps are those of the same instant, before any card is pushed.
        pairs = [(index, other, self._box(index), self._box(other)) for index, other in meetings]
        measured = [(index, other, a, b, depths(a, b)) for index, other, a, b in pairs]
        pushed = []
        longest_push_m = 0.006  # with deeper overlaps cards lie on each other and do not push
        for index, other, a, b, depth in measured:
            deepest = min(depth)
            if not 0 < deepest < longest_push_m:
                continue
            way = parting(a, b, depth.index(deepest))
            ahead = np.array([self._v_x[index] - self._v_x[other], self._v_y[index] - self._v_y[other]])
            closing = float(ahead @ way)
            if closing <= 0:
                continue
            if not (self._v_x[other] or self._v_y[other]):
                self.record([other], now_s)
            self._shove(index, other, (float(way[0]), float(way[1])), deepest, closing)
            if self.mover[other] is None:
                self.mover[other] = self.mover[index]
            pushed.append(other)
        return pushed

    def _around(self, x: float, y: float, reach_m: float) -> list[int]:
        """Return the cards with centres within reach of a point, and perhaps some just beyond."""
        left, right, low, high = x - reach_m, x + reach_m, y - reach_m, y + reach_m
        beyond_m2 = (reach_m + 1e-6) ** 2
        return [
            index
            for index, card_x in enumerate(self._x)
            if left < card_x < right
            and low < (card_y := self._y[index]) < high
            and (card_x - x) ** 2 + (card_y - y) ** 2 < beyond_m2
        ]

    def _shove(
        self, index: int, other: int, way: tuple[float, float], deepest: float, closing: float
    ) -> None:
        """Move a card out of the way of a card that runs into it, and pass on speed."""
        passed_on = self._friction.passed_on
        self._x[other] += way[0] * deepest
        self._y[other] += way[1] * deepest
        self._v_x[other] += way[0] * closing * passed_on
        self._v_y[other] += way[1] * closing * passed_on
        self._v_x[index] -= way[0] * closing * (1 - passed_on)
        self._v_y[index] -= way[1] * closing * (1 - passed_on)
        self._stirred.add(other)

    def _box(self, index: int) -> Box:
        x, y, angle = self._x[index], self._y[index], self._angle[index]
        box = self._boxes[index]
        if box is None or (box.x, box.y, box.angle) != (x, y, angle):
            box = (
                box.moved(x, y)
                if box is not None and box.angle == angle
                else Box.at(x, y, angle, CARD_HALF_M)
            )
            self._boxes[index] = box
        return box
