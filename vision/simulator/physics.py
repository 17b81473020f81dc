"""What hands do to cards: contact, drag, sliding, flight, and cards that push cards.

The truth of a simulated poem is read off this model, in steps much finer than any frame. A card never
moves before it is touched or pushed, as on a real tatami.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.facts import Hand
from referee.layout import Layout
from referee.sides import Side
from vision.simulator.boxes import CARD_HALF_M, Boxes, is_completely_out, overlap, parting, picture_angle
from vision.simulator.paths import Floats, HandPath

Indices = NDArray[np.intp]

FINE_STEP_S = 0.00025
COARSE_STEP_S = 0.002
CONTACT_HEIGHT_M = 0.001
"""A hand lower than this is pressed down."""
FINGERS_HALF_M = (0.036, 0.030)
"""Half width and half length of the four fingers' contact area."""
_DIAGONAL_M = 0.0897
_TWIST_PER_M2 = 0.3 / (CARD_HALF_M[0] ** 2 + CARD_HALF_M[1] ** 2)
GRAVITY_MPS2 = 9.81
SLIDING_MPS2 = 3.6
SPIN_DECAY_RADPS2 = 70.0
GRIP_S = 0.003
"""Time in which a card takes on the speed of the hand above it."""
AIRBORNE_M = 0.002
LONGEST_PUSH_M = 0.006
"""Deeper overlaps lie on each other; they do not push."""
_OUT_OF_SIGHT_M = 1.3
_STOPPED_MPS = 2e-3
_PUSHING_MPS = 0.01
_JUMPING_MPS = 1.0
"""A slower hit never throws a card into the air."""


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


@dataclass(frozen=True, slots=True)
class CardContact:
    """The earliest contact of one hand with one card."""

    card: int
    player: Side
    hand: Hand
    t_s: float


@dataclass(frozen=True, slots=True)
class PushOut:
    """A card that left its territory completely before any hand touched it."""

    card: int
    player: Side
    t_s: float


@dataclass(frozen=True)
class Play:
    """All that happened to the cards while the hands moved.

    Attributes
    ----------
    tracks : of the cards that moved, in the order in which they began to move.
    contacts, pushed_out : in the order of time.
    still_s : the instant from which nothing moves.
    """

    tracks: dict[int, Track]
    contacts: tuple[CardContact, ...]
    pushed_out: tuple[PushOut, ...]
    still_s: float

    def moved_m(self, card: int) -> float:
        """How far the card came from where it lay, at most."""
        if card not in self.tracks:
            return 0.0
        xy = self.tracks[card].pose[:, :2]
        return float(np.hypot(*(xy - xy[0]).T).max())


class _Cards:
    """The cards of one play as arrays; index = place in the layout."""

    def __init__(self, layout: Layout) -> None:
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
        return Boxes(self.at[indices], self.angle[indices], CARD_HALF_M)

    def pose(self, index: int) -> Floats:
        return np.array([*self.at[index], self.angle[index], self.z[index]])

    def moving(self) -> Indices:
        return np.flatnonzero(self.v.any(axis=1) | (self.z > 0) | (self.v_z > 0))

    def record(self, indices: Indices, t_s: float) -> None:
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


def _instants(paths: Sequence[HandPath], from_s: float, to_s: float) -> Floats:
    """Fine steps while any hand is down, coarse ones elsewhere."""
    coarse = np.arange(from_s, to_s, COARSE_STEP_S)
    low = np.zeros(len(coarse), bool)
    for path in paths:
        low |= path.at(coarse)[:, 2] < 4 * CONTACT_HEIGHT_M
    low[:-1] |= low[1:]
    low[1:] |= low[:-1]
    fine = coarse[low, None] + np.arange(0, COARSE_STEP_S - 1e-9, FINE_STEP_S)
    return np.unique(np.concatenate([coarse, fine.ravel()]).round(6))


def play(
    layout: Layout,
    paths: Sequence[HandPath],
    rng: np.random.Generator,
    *,
    from_s: float,
    to_s: float,
    jumping: float = 0.6,
) -> Play:
    """Move the hands over the cards and see what happens.

    Parameters
    ----------
    layout : where the cards lie.
    paths : the hands that may come down.
    from_s, to_s : the stretch of time in which hands may come down; cards come to rest afterwards.
    jumping : how likely a card that is hit fast leaves the tatami and flies.
    """
    cards = _Cards(layout)
    t_s = _instants(paths, from_s, to_s + 2.0)
    steps_s = np.diff(t_s, append=t_s[-1] + COARSE_STEP_S)
    where = [path.at(t_s) for path in paths]
    speed = [np.gradient(seen[:, :2], t_s, axis=0) for seen in where]
    down = np.array([(seen[:, 2] < CONTACT_HEIGHT_M) & (t_s < to_s) for seen in where]).reshape(-1, len(t_s))
    any_down = np.asarray(down.any(axis=0))
    # A hand that rests on cards does nothing to them: such steps can be left out.
    hurried = np.ones(len(t_s), bool)
    if paths:
        hurried[1:] = np.any([np.abs(np.diff(seen, axis=0)).max(axis=1) > 1e-7 for seen in where], axis=0)
    last_down = int(np.flatnonzero(any_down)[-1]) if any_down.any() else -1
    contacts: dict[tuple[int, int], CardContact] = {}
    pushed_out: dict[int, PushOut] = {}
    leaps, waits = rng.uniform(size=(2, len(cards.numbers)))
    delays_s = np.where(leaps < jumping, 0.008 + 0.025 * waits, np.inf)
    still_s = from_s

    for step, now in enumerate(t_s):
        now_s, dt_s = float(now), float(steps_s[step])
        moving = cards.moving()
        if not len(moving) and not (any_down[step] and hurried[step]):
            if step > last_down:
                break
            continue
        held: set[int] = set()
        for number, path in enumerate(paths):
            if not down[number, step]:
                continue
            under = _under(cards, where[number][step])
            for index in under:
                if (index, number) not in contacts:
                    contacts[index, number] = CardContact(cards.numbers[index], path.side, path.hand, now_s)
                    if not cards.touched[index]:
                        _hit(cards, index, now_s, speed[number][step], float(delays_s[index]))
                cards.touched[index] = True
                cards.mover[index] = path.side
                _drag(cards, index, where[number][step], speed[number][step], dt_s)
            held.update(under)
        moved = _advance(cards, now_s, dt_s, held)
        cards.record(moved, now_s + dt_s)
        if len(moved):
            still_s = now_s + dt_s
        for index in _push(cards, now_s):
            cards.record(np.array([index]), now_s + dt_s)
        for index in moved:
            number = cards.numbers[index]
            mover = cards.mover[index]
            if (
                mover is not None
                and not cards.touched[index]
                and number not in pushed_out
                and is_completely_out(cards.pose(index), cards.homes[index])
            ):
                pushed_out[number] = PushOut(number, mover, now_s + dt_s)

    return Play(
        cards.tracks(),
        tuple(sorted(contacts.values(), key=lambda contact: contact.t_s)),
        tuple(sorted(pushed_out.values(), key=lambda push: push.t_s)),
        still_s,
    )


def _under(cards: _Cards, hand: Floats) -> list[int]:
    """Return the cards inside the field that the pressed fingers overlap."""
    reach_m = 0.1
    close = np.flatnonzero((np.abs(cards.at - hand[:2]) < reach_m).all(axis=1) & (cards.z < 2 * AIRBORNE_M))
    if not len(close):
        return []
    fingers = Boxes(np.broadcast_to(hand[:2], (len(close), 2)), np.full(len(close), hand[3]), FINGERS_HALF_M)
    depth = overlap(fingers, cards.boxes(close)).min(axis=0)
    # A card that lies outside the competition line cannot be touched any more.
    return [
        int(index)
        for index in close[depth > 0]
        if cards.touched[index] or not all(is_completely_out(cards.pose(index), side) for side in Side)
    ]


def _hit(cards: _Cards, index: int, now_s: float, velocity: Floats, delay_s: float) -> None:
    """Note the first touch of a card; a fast hit may throw it into the air a moment later."""
    cards.record(np.array([index]), now_s)
    if np.hypot(*velocity) > _JUMPING_MPS:
        cards.jump_s[index] = now_s + delay_s


def _drag(cards: _Cards, index: int, hand: Floats, velocity: Floats, dt_s: float) -> None:
    """Let a card take on the hand's speed; a hand off its middle turns it."""
    grip = 1 - np.exp(-dt_s / GRIP_S)
    cards.v[index] += grip * (velocity - cards.v[index])
    arm = hand[:2] - cards.at[index]
    twist = (arm[0] * velocity[1] - arm[1] * velocity[0]) * _TWIST_PER_M2
    cards.spin[index] += grip * (min(max(twist, -22.0), 22.0) - cards.spin[index])


def _advance(cards: _Cards, now_s: float, dt_s: float, held: set[int]) -> Indices:
    """Move all moving cards on by one step and return them."""
    moved = cards.moving()
    if not len(moved):
        return moved
    v, spin, z, v_z = cards.v[moved], cards.spin[moved], cards.z[moved], cards.v_z[moved]
    pace = np.hypot(v[:, 0], v[:, 1])
    jumps = cards.jump_s[moved] <= now_s
    v_z[jumps] = 0.9 * np.minimum(pace[jumps] / 3.0, 1.3)
    cards.jump_s[moved[jumps]] = np.inf

    flying = (v_z != 0) | (z > 0)
    v_z[flying] -= GRAVITY_MPS2 * dt_s
    z[flying] += v_z[flying] * dt_s
    landed = flying & (z <= 0)
    z[landed] = v_z[landed] = 0.0

    free = np.ones(len(cards.numbers), bool)
    free[list(held)] = False
    sliding = ~flying & free[moved]
    slower = np.maximum(0.0, 1 - SLIDING_MPS2 * dt_s / np.maximum(pace, 1e-9))
    v[sliding] *= slower[sliding, None]
    calmer = np.maximum(0.0, 1 - SPIN_DECAY_RADPS2 * dt_s / np.maximum(np.abs(spin), 1e-9))
    spin[sliding] *= calmer[sliding]

    lost = np.abs(cards.at[moved]).max(axis=1) > _OUT_OF_SIGHT_M
    z[lost] = v_z[lost] = 0.0
    stopped = lost | ((np.hypot(v[:, 0], v[:, 1]) < _STOPPED_MPS) & (z == 0))
    v[stopped], spin[stopped] = 0.0, 0.0

    cards.v[moved], cards.spin[moved], cards.z[moved], cards.v_z[moved] = v, spin, z, v_z
    cards.at[moved] += v * dt_s
    cards.angle[moved] += spin * dt_s
    return moved


def _push(cards: _Cards, now_s: float) -> list[int]:
    """Part sliding cards from those they run into and return the cards pushed."""
    low = cards.z < AIRBORNE_M
    sliders = np.flatnonzero(low & (np.abs(cards.v).max(axis=1) > _PUSHING_MPS))
    if not len(sliders):
        return []
    away = cards.at[None, :, :] - cards.at[sliders, None, :]
    close = (np.abs(away).max(axis=2) < _DIAGONAL_M) & low[None, :]
    close[np.arange(len(sliders)), sliders] = False
    first, second = np.nonzero(close)
    if not len(first):
        return []
    a, b = cards.boxes(sliders[first]), cards.boxes(second)
    depths = overlap(a, b)
    deepest = depths.min(axis=0)
    pushed = []
    for pair in np.flatnonzero((deepest > 0) & (deepest < LONGEST_PUSH_M)):
        index, other = int(sliders[first[pair]]), int(second[pair])
        way = parting(a, b, int(depths[:, pair].argmin()), int(pair))
        closing = float((cards.v[index] - cards.v[other]) @ way)
        if closing <= 0:
            continue
        if not cards.v[other].any():
            cards.record(np.array([other]), now_s)
        cards.at[other] += way * deepest[pair]
        cards.v[other] += way * closing * 0.75
        cards.v[index] -= way * closing * 0.25
        if cards.mover[other] is None:
            cards.mover[other] = cards.mover[index]
        pushed.append(other)
    return pushed
