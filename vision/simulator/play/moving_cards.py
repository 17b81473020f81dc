"""Cards under hands: dragged, sliding, flying, and pushing each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.layout import Layout
from referee.sides import Side
from vision.simulator.drawing.paths import Floats
from vision.simulator.play.boxes import CARD_HALF_M, Boxes, is_completely_out, overlap, parting, picture_angle
from vision.simulator.play.friction import USUAL, Friction

Indices = NDArray[np.intp]

_TWIST_PER_M2 = 0.3 / (CARD_HALF_M[0] ** 2 + CARD_HALF_M[1] ** 2)
_AIRBORNE_M = 0.002


@dataclass(frozen=True)
class Track:
    """How one card moved.

    Attributes
    ----------
    t_s : instants (N,), increasing.
    pose : (N, 4): x, y in metres, angle in the picture in radians, height in metres.
    """

    t_s: Floats
    pose: Floats

    def then(self, later: Track) -> Track:
        """Return this track continued by a later one; in between the card rests."""
        resumes_s = later.t_s[0] - 1e-6
        return Track(
            np.concatenate([self.t_s, [resumes_s], later.t_s]),
            np.vstack([self.pose, self.pose[-1:], later.pose]),
        )


class MovingCards:
    """The cards of a layout in motion, as arrays; index = place in the layout.

    Attributes
    ----------
    numbers, homes : card and territory of each index.
    touched : which cards a hand has reached.
    mover : whose sweep moved each card, by hand or through other cards.
    """

    def __init__(self, layout: Layout, friction: Friction = USUAL) -> None:
        self._friction = friction
        placed = tuple(layout)
        count = len(placed)
        self.numbers = [card.card or 0 for card in placed]
        self.homes = [card.side for card in placed]
        self.at = np.array([(card.x_m, card.y_m) for card in placed]).reshape(count, 2)
        self.angle = np.array([picture_angle(card.side, card.angle_rad) for card in placed])
        self.z = np.zeros(count)
        self.v = np.zeros((count, 2))
        self.v_z = np.zeros(count)
        self.spin = np.zeros(count)
        self.jump_s = np.full(count, np.inf)
        self.mover: list[Side | None] = [None] * count
        self.touched = np.zeros(count, bool)
        self._history: list[tuple[float, Indices, Floats]] = []

    def boxes(self, indices: Indices) -> Boxes:
        """Return cards as rectangles on the floor."""
        return Boxes(self.at[indices], self.angle[indices], CARD_HALF_M)

    def pose(self, index: int) -> Floats:
        """Return x, y, angle and height of a card."""
        return np.array([*self.at[index], self.angle[index], self.z[index]])

    def moving(self) -> Indices:
        """Return the cards that are under way."""
        return np.flatnonzero(self.v.any(axis=1) | (self.z > 0) | (self.v_z > 0))

    def record(self, indices: Indices, t_s: float) -> None:
        """Note where cards are at an instant."""
        if len(indices):
            poses = np.column_stack([self.at[indices], self.angle[indices], self.z[indices]])
            self._history.append((t_s, indices, poses))

    def tracks(self) -> dict[int, Track]:
        """Return what was recorded, by number, in the order in which the cards began to move."""
        if not self._history:
            return {}
        index = np.concatenate([indices for _, indices, _ in self._history])
        t_s = np.concatenate([np.full(len(indices), t) for t, indices, _ in self._history])
        pose = np.vstack([poses for _, _, poses in self._history])
        tracks = {}
        for card in dict.fromkeys(index.tolist()):
            own = np.flatnonzero(index == card)
            # A card may be recorded twice in one step, dragged and then pushed: the last word counts.
            own = own[np.append(np.diff(t_s[own]) > 0, True)]
            tracks[self.numbers[card]] = Track(t_s[own], pose[own])
        return tracks

    def under(self, hand: Floats) -> list[int]:
        """Return the cards inside the field that the pressed fingers overlap."""
        reach_m = 0.1  # Cards farther than this from the fingers cannot be under them.
        close = np.flatnonzero(
            (np.abs(self.at - hand[:2]) < reach_m).all(axis=1) & (self.z < 2 * _AIRBORNE_M)
        )
        if not len(close):
            return []
        fingers_half_m = self._friction.fingers_half_m
        fingers = Boxes(
            np.broadcast_to(hand[:2], (len(close), 2)), np.full(len(close), hand[3]), fingers_half_m
        )
        depth = overlap(fingers, self.boxes(close)).min(axis=0)
        # A card that lies outside the competition line cannot be touched any more.
        return [
            int(index)
            for index in close[depth > 0]
            if self.touched[index] or not all(is_completely_out(self.pose(index), side) for side in Side)
        ]

    def hit(self, index: int, now_s: float, velocity: Floats, delay_s: float) -> None:
        """Note the first touch of a card; a fast hit may throw it into the air a moment later."""
        self.record(np.array([index]), now_s)
        jumping_mps = 1.0  # A slower hit never throws a card into the air.
        if np.hypot(*velocity) > jumping_mps:
            self.jump_s[index] = now_s + delay_s

    def drag(self, index: int, hand: Floats, velocity: Floats, dt_s: float) -> None:
        """Let a card take on the hand's speed; a hand off its middle turns it."""
        grip = 1 - np.exp(-dt_s / self._friction.grip_s)
        self.v[index] += grip * (velocity - self.v[index])
        arm = hand[:2] - self.at[index]
        twist = (arm[0] * velocity[1] - arm[1] * velocity[0]) * _TWIST_PER_M2
        most_spin_radps = 22.0
        self.spin[index] += grip * (min(max(twist, -most_spin_radps), most_spin_radps) - self.spin[index])

    def advance(self, now_s: float, dt_s: float, held: set[int]) -> Indices:
        """Move all moving cards on by one step and return them."""
        moved = self.moving()
        if not len(moved):
            return moved
        v, spin, z, v_z = self.v[moved], self.spin[moved], self.z[moved], self.v_z[moved]
        pace = np.hypot(v[:, 0], v[:, 1])
        jumps = self.jump_s[moved] <= now_s
        v_z[jumps] = self._friction.lift * np.minimum(pace[jumps] / 3.0, 1.3)
        self.jump_s[moved[jumps]] = np.inf

        flying = (v_z != 0) | (z > 0)
        gravity_mps2 = 9.81
        v_z[flying] -= gravity_mps2 * dt_s
        z[flying] += v_z[flying] * dt_s
        landed = flying & (z <= 0)
        z[landed] = v_z[landed] = 0.0

        free = np.ones(len(self.numbers), bool)
        free[list(held)] = False
        sliding = ~flying & free[moved]
        slower = np.maximum(0.0, 1 - self._friction.sliding_mps2 * dt_s / np.maximum(pace, 1e-9))
        v[sliding] *= slower[sliding, None]
        spin_decay_radps2 = 70.0
        calmer = np.maximum(0.0, 1 - spin_decay_radps2 * dt_s / np.maximum(np.abs(spin), 1e-9))
        spin[sliding] *= calmer[sliding]

        out_of_sight_m = 1.3
        lost = np.abs(self.at[moved]).max(axis=1) > out_of_sight_m
        z[lost] = v_z[lost] = 0.0
        stopped_mps = 2e-3
        stopped = lost | ((np.hypot(v[:, 0], v[:, 1]) < stopped_mps) & (z == 0))
        v[stopped], spin[stopped] = 0.0, 0.0

        self.v[moved], self.spin[moved], self.z[moved], self.v_z[moved] = v, spin, z, v_z
        self.at[moved] += v * dt_s
        self.angle[moved] += spin * dt_s
        return moved

    def push(self, now_s: float) -> list[int]:
        """Part sliding cards from those they run into and return the cards pushed."""
        low = self.z < _AIRBORNE_M
        pushing_mps = 0.01
        sliders = np.flatnonzero(low & (np.abs(self.v).max(axis=1) > pushing_mps))
        if not len(sliders):
            return []
        away = self.at[None, :, :] - self.at[sliders, None, :]
        diagonal_m = 0.0897
        close = (np.abs(away).max(axis=2) < diagonal_m) & low[None, :]
        close[np.arange(len(sliders)), sliders] = False
        first, second = np.nonzero(close)
        if not len(first):
            return []
        a, b = self.boxes(sliders[first]), self.boxes(second)
        depths = overlap(a, b)
        deepest = depths.min(axis=0)
        pushed = []
        longest_push_m = 0.006  # Deeper overlaps lie on each other; they do not push.
        for pair in np.flatnonzero((deepest > 0) & (deepest < longest_push_m)):
            index, other = int(sliders[first[pair]]), int(second[pair])
            way = parting(a, b, int(depths[:, pair].argmin()), int(pair))
            closing = float((self.v[index] - self.v[other]) @ way)
            if closing <= 0:
                continue
            if not self.v[other].any():
                self.record(np.array([other]), now_s)
            self.at[other] += way * deepest[pair]
            passed_on = self._friction.passed_on
            self.v[other] += way * closing * passed_on
            self.v[index] -= way * closing * (1 - passed_on)
            if self.mover[other] is None:
                self.mover[other] = self.mover[index]
            pushed.append(other)
        return pushed
