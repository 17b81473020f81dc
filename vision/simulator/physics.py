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
from referee.layout import (
    CARD_HEIGHT_M,
    CARD_WIDTH_M,
    TERRITORY_DEPTH_M,
    TERRITORY_GAP_M,
    TERRITORY_WIDTH_M,
    Layout,
)
from referee.sides import Side
from vision.simulator.paths import HandPath

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

FINE_STEP_S = 0.00025
COARSE_STEP_S = 0.002
CONTACT_HEIGHT_M = 0.001
"""A hand lower than this is pressed down."""
FINGERS_HALF_M = np.array([0.036, 0.040])
"""Half width and half length of the four fingers' contact area."""
CARD_HALF_M = np.array([CARD_WIDTH_M / 2, CARD_HEIGHT_M / 2])
GRAVITY_MPS2 = 9.81
SLIDING_MPS2 = 3.6
SPIN_DECAY_RADPS2 = 70.0
GRIP_S = 0.003
"""Time in which a card takes on the speed of the hand above it."""
AIRBORNE_M = 0.002
LONGEST_PUSH_M = 0.006
"""Deeper overlaps lie on each other; they do not push."""
_OUT_OF_SIGHT_M = 1.3


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


def overlap(
    at_a: Floats, angle_a: Floats, half_a: Floats, at_b: Floats, angle_b: Floats, half_b: Floats
) -> tuple[Floats, Floats]:
    """Measure how deep boxes overlap (separating axes).

    Returns the depth (N,), positive where they overlap, and the direction (N, 2) that parts b from a soonest.
    """
    apart = at_b - at_a
    axes, limits = [], []
    cos, sin = np.abs(np.cos(angle_b - angle_a)), np.abs(np.sin(angle_b - angle_a))
    for angle, own, other in ((angle_a, half_a, half_b), (angle_b, half_b, half_a)):
        c, s = np.cos(angle) + 0 * cos, np.sin(angle) + 0 * cos
        axes += [np.stack([c, s], -1), np.stack([-s, c], -1)]
        limits += [own[0] + other[0] * cos + other[1] * sin, own[1] + other[0] * sin + other[1] * cos]
    along = np.stack([(axis * apart).sum(-1) for axis in axes])
    depth = np.stack(limits) - np.abs(along)
    best = depth.argmin(axis=0)
    pick = np.arange(len(best))
    direction = np.stack(axes)[best, pick] * np.where(along[best, pick] < 0, -1.0, 1.0)[:, None]
    return depth[best, pick], direction


def corners_m(pose: Floats) -> Floats:
    """Return the four corners (4, 2) of a card at x, y, angle: its own top left, then clockwise."""
    c, s = np.cos(pose[2]), np.sin(pose[2])
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * CARD_HALF_M
    return np.asarray(pose[:2] + signs @ np.array([[c, s], [-s, c]]))


def is_completely_out(pose: Floats, home: Side) -> bool:
    """Tell whether all four corners are outside the territory `home`."""
    corners = corners_m(pose)
    depth = corners[:, 1] if home is Side.NEAR else -corners[:, 1]
    inner, outer = TERRITORY_GAP_M / 2, TERRITORY_GAP_M / 2 + TERRITORY_DEPTH_M
    inside = (np.abs(corners[:, 0]) < TERRITORY_WIDTH_M / 2) & (depth > inner) & (depth < outer)
    return not bool(inside.any())


def picture_angle(side: Side, angle_rad: float) -> float:
    """Angle in the picture of a card that lies `angle_rad` off facing its owner."""
    return angle_rad if side is Side.NEAR else angle_rad + np.pi


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
        self.history: dict[int, list[tuple[float, float, float, float, float]]] = {}

    def pose(self, index: int) -> Floats:
        return np.array([*self.at[index], self.angle[index], self.z[index]])

    def moving(self) -> Indices:
        return np.flatnonzero((self.v != 0).any(axis=1) | (self.z > 0) | (self.v_z > 0))

    def record(self, index: int, t_s: float) -> None:
        self.history.setdefault(index, []).append((t_s, *self.pose(index)))


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
    contacts: dict[tuple[int, int], CardContact] = {}
    pushed_out: dict[int, PushOut] = {}
    chances = rng.uniform(size=(len(cards.numbers), 4))
    still_s, idle = from_s, np.flatnonzero(down.any(axis=0))
    last_down = int(idle[-1]) if len(idle) else -1

    for step, now_s in enumerate(t_s):
        moving = cards.moving()
        if not len(moving):
            if step > last_down:
                break
            if not down[:, step].any():
                continue
        dt_s = float(steps_s[step])
        held: set[int] = set()
        for number, path in enumerate(paths):
            if down[number, step]:
                under = _under(cards, where[number][step])
                for index in under:
                    if (index, number) not in contacts:
                        contacts[index, number] = CardContact(
                            cards.numbers[index], path.side, path.hand, float(now_s)
                        )
                        if not cards.touched[index]:
                            _hit(cards, index, float(now_s), speed[number][step], jumping, chances[index])
                    cards.touched[index] = True
                    cards.mover[index] = path.side
                    _drag(cards, index, where[number][step], speed[number][step], dt_s)
                held.update(under)
        for index in _advance(cards, float(now_s), dt_s, held):
            cards.record(index, float(now_s) + dt_s)
            still_s = float(now_s) + dt_s
        for index in _push(cards):
            if index not in cards.history:
                cards.record(index, float(now_s))
            cards.record(index, float(now_s) + dt_s)
            number = cards.numbers[index]
            mover = cards.mover[index]
            if (
                mover is not None
                and not cards.touched[index]
                and number not in pushed_out
                and is_completely_out(cards.pose(index), cards.homes[index])
            ):
                pushed_out[number] = PushOut(number, mover, float(now_s) + dt_s)

    tracks = {}
    for index, rows in cards.history.items():
        table = np.array(rows)
        # A card may be recorded twice in one step, dragged and then pushed: the last word counts.
        keep = np.append(np.diff(table[:, 0]) > 0, True)
        tracks[cards.numbers[index]] = Track(table[keep, 0], table[keep, 1:])
    return Play(
        tracks,
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
    depth, _ = overlap(hand[:2], hand[3], FINGERS_HALF_M, cards.at[close], cards.angle[close], CARD_HALF_M)
    hit = [int(index) for index in close[depth > 0]]
    # A card that lies outside the competition line cannot be touched any more.
    return [
        index
        for index in hit
        if cards.touched[index] or not all(is_completely_out(cards.pose(index), side) for side in Side)
    ]


def _hit(cards: _Cards, index: int, now_s: float, velocity: Floats, jumping: float, chance: Floats) -> None:
    """Note the first touch of a card; a fast hit may throw it into the air a moment later."""
    cards.record(index, now_s)
    if np.hypot(*velocity) > 1.0 and chance[0] < jumping:
        cards.jump_s[index] = now_s + 0.008 + 0.025 * chance[1]


def _drag(cards: _Cards, index: int, hand: Floats, velocity: Floats, dt_s: float) -> None:
    """Let a card take on the hand's speed; a hand off its middle turns it."""
    grip = 1 - np.exp(-dt_s / GRIP_S)
    cards.v[index] += grip * (velocity - cards.v[index])
    arm = hand[:2] - cards.at[index]
    twist = (arm[0] * velocity[1] - arm[1] * velocity[0]) / (CARD_HALF_M @ CARD_HALF_M) * 0.3
    cards.spin[index] += grip * (np.clip(twist, -22.0, 22.0) - cards.spin[index])


def _advance(cards: _Cards, now_s: float, dt_s: float, held: set[int]) -> list[int]:
    """Move all moving cards on by one step and return them."""
    moved = [int(index) for index in cards.moving()]
    for index in moved:
        if cards.jump_s[index] <= now_s:
            fast = min(float(np.hypot(*cards.v[index])) / 3.0, 1.3)
            cards.v_z[index] = 0.9 * fast
            cards.jump_s[index] = np.inf
        if cards.v_z[index] != 0 or cards.z[index] > 0:
            cards.v_z[index] -= GRAVITY_MPS2 * dt_s
            cards.z[index] += cards.v_z[index] * dt_s
            if cards.z[index] <= 0:
                cards.z[index] = cards.v_z[index] = 0.0
        elif index not in held:
            pace = float(np.hypot(*cards.v[index]))
            cards.v[index] *= max(0.0, 1 - SLIDING_MPS2 * dt_s / max(pace, 1e-9))
            turn = abs(cards.spin[index])
            cards.spin[index] *= max(0.0, 1 - SPIN_DECAY_RADPS2 * dt_s / max(turn, 1e-9))
        if np.abs(cards.at[index]).max() > _OUT_OF_SIGHT_M:
            cards.v[index] = cards.spin[index] = cards.z[index] = cards.v_z[index] = 0.0
        if np.hypot(*cards.v[index]) < 2e-3 and cards.z[index] == 0.0:
            cards.v[index] = 0.0
            cards.spin[index] = 0.0
        cards.at[index] += cards.v[index] * dt_s
        cards.angle[index] += cards.spin[index] * dt_s
    return moved


def _push(cards: _Cards) -> list[int]:
    """Part sliding cards from those they run into and return the cards pushed."""
    pushed = []
    sliders = np.flatnonzero((np.hypot(*cards.v.T) > 0.01) & (cards.z < AIRBORNE_M))
    for index in sliders:
        gap = cards.at - cards.at[index]
        close = np.flatnonzero((np.hypot(*gap.T) < 0.09) & (cards.z < AIRBORNE_M))
        close = close[close != index]
        if not len(close):
            continue
        depth, direction = overlap(
            cards.at[index], cards.angle[index], CARD_HALF_M, cards.at[close], cards.angle[close], CARD_HALF_M
        )
        for other, deep, way in zip(close, depth, direction, strict=True):
            closing = float((cards.v[index] - cards.v[other]) @ way)
            if 0 < deep < LONGEST_PUSH_M and closing > 0:
                cards.at[other] += way * deep
                cards.v[other] += way * closing * 0.75
                cards.v[index] -= way * closing * 0.25
                if cards.mover[other] is None:
                    cards.mover[other] = cards.mover[index]
                pushed.append(int(other))
    return pushed
