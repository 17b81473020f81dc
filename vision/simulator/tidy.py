"""What players do between poems: cards go back to their places, the taken card leaves, sent cards change hands."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from referee.facts import Hand
from referee.layout import Layout, PlacedCard
from referee.sides import BySide, Side
from vision.simulator import moves
from vision.simulator.field import free_slot, put, slot_of
from vision.simulator.paths import Floats, HandPath, Moment, from_field
from vision.simulator.physics import Track, lying_pose, picture_angle

_WORTH_RESTORING_M = 0.004
_CARRY_HEIGHT_M = 0.03
_REACH_M = 0.42
"""Cards farther than this to either side of a player's middle are fetched from outside the picture."""
_BESIDE = (0.3, -0.56)
"""Where taken cards are piled, in the player's own directions: beside the knee, outside the picture."""


@dataclass(frozen=True)
class Errand:
    """One card to carry: from where it lies to a place on the field, or away (`to` is None)."""

    card: int
    start: Floats
    to: PlacedCard | None


@dataclass
class Tidying:
    """The restored table.

    Attributes
    ----------
    paths : the playing hands' moments, to follow what they did before.
    tracks : of the cards carried.
    layout : where everything lies afterwards.
    end_s : when the last hand is back.
    """

    moments: dict[Side, list[Moment]] = field(default_factory=dict)
    tracks: dict[int, Track] = field(default_factory=dict)
    layout: Layout = field(default_factory=lambda: Layout(()))
    end_s: float = 0.0


def tidy(
    before: Layout,
    poses: dict[int, Floats],
    taken: int | None,
    taken_by: Side | None,
    sends: BySide[int],
    start_s: float,
    rng: np.random.Generator,
    turn_deg: float,
    visible_m: tuple[float, float],
) -> Tidying:
    """Plan and carry out the restoring of one poem.

    Parameters
    ----------
    before : the layout before the poem.
    poses : where the cards lie now, (x, y, angle, height) by number; cards not named have not moved.
    taken, taken_by : the card that leaves the game and who carries it.
    sends : how many cards each hands over.
    visible_m : half width and half height of what the camera sees of the tatami.
    """
    errands: dict[Side, list[Errand]] = {side: [] for side in Side}
    result = Tidying()
    after: list[PlacedCard] = []
    for placed in before:
        card = placed.card or 0
        pose = poses.get(card)
        if card == taken and taken_by is not None:
            start = lying_pose(placed) if pose is None else pose
            errands[taken_by].insert(0, Errand(card, start, None))
            continue
        if pose is None:
            after.append(placed)
            continue
        nudged = np.hypot(pose[0] - placed.x_m, pose[1] - placed.y_m)
        if nudged > _WORTH_RESTORING_M or abs(_turned(placed, pose)) > 0.12:
            restored = put(card, slot_of(placed), rng, turn_deg)
            errands[placed.side].append(Errand(card, pose, restored))
            after.append(restored)
        else:
            after.append(
                PlacedCard(
                    card,
                    placed.side,
                    placed.row,
                    float(pose[0]),
                    float(pose[1]),
                    placed.angle_rad + _turned(placed, pose),
                )
            )
    layout = Layout(tuple(after))
    for sender in Side:
        for _ in range(sends[sender]):
            cards = layout.of(sender)
            chosen = cards[int(rng.integers(len(cards)))]
            assert chosen.card is not None
            slot = free_slot(layout.without(chosen.card), sender.opponent, rng)
            sent = put(chosen.card, slot, rng, turn_deg)
            errands[sender].append(Errand(chosen.card, lying_pose(chosen), sent))
            layout = Layout((*layout.without(chosen.card), sent))
    result.layout = layout
    result.end_s = start_s
    for side in Side:
        if errands[side]:
            end_s = _run(result, side, errands[side], start_s + float(rng.uniform(0, 0.08)), visible_m)
            result.end_s = max(result.end_s, end_s)
    return result


def _turned(placed: PlacedCard, pose: Floats) -> float:
    turn = pose[2] - picture_angle(placed.side, placed.angle_rad)
    return float((turn + np.pi) % (2 * np.pi) - np.pi)


def _run(
    result: Tidying, side: Side, errands: list[Errand], start_s: float, visible_m: tuple[float, float]
) -> float:
    """Let one hand do its errands and note its moments and the tracks of its cards."""
    steps: list[Moment] = [moves.rest(start_s)]
    carried: list[tuple[Errand, float, float]] = []
    fetched = [errand for errand in errands if _unseen(errand.start, visible_m) and errand.to is not None]
    away = [errand for errand in errands if _unseen(errand.start, visible_m) and errand.to is None]
    for errand in away:  # it flew out of the picture by itself and stays there
        _note(result, errand, np.array([start_s]), np.array([[*errand.start[:3], 0.0]]))
    errands = [errand for errand in errands if errand not in away]
    if fetched:
        outside = float(np.sign(fetched[0].start[0]) or 1) * (1 if side is Side.NEAR else -1)
        _go(steps, outside * 0.5, -0.48, 0.02)
        pick_s = steps[-1].t_s
    for errand in fetched:
        _put_down(steps, side, errand)
        carried.append((errand, pick_s, steps[-2].t_s))
    for errand in errands:
        if errand in fetched:
            continue
        right, ahead = from_field(side, float(errand.start[0]), float(errand.start[1]))
        _go(steps, right, ahead, 0.004)
        pick_s = steps[-1].t_s
        if errand.to is None:
            _go(steps, _BESIDE[0], _BESIDE[1], 0.02)
            carried.append((errand, pick_s, steps[-1].t_s))
        else:
            _put_down(steps, side, errand)
            carried.append((errand, pick_s, steps[-2].t_s))
    _go(steps, moves.REST_RIGHT_M, moves.REST_AHEAD_M, moves.REST_HEIGHT_M)
    steps[-1] = moves.rest(steps[-1].t_s)
    path = HandPath(side, Hand.RIGHT, tuple(steps))
    for errand, from_s, to_s in carried:
        _carry(result, path, errand, from_s, to_s, errand in fetched)
    result.moments[side] = steps
    return steps[-1].t_s


def _unseen(pose: Floats, visible_m: tuple[float, float]) -> bool:
    return bool(abs(pose[0]) > visible_m[0] + 0.05 or abs(pose[1]) > visible_m[1] + 0.05)


def _go(steps: list[Moment], right_m: float, ahead_m: float, z_m: float) -> None:
    """Travel in an arc above the cards."""
    last = steps[-1]
    way_m = float(np.hypot(right_m - last.right_m, ahead_m - last.ahead_m))
    span_s = 0.13 + way_m / 2.2
    turn = moves.natural_turn(right_m, ahead_m)
    middle = Moment(
        last.t_s + span_s / 2,
        (last.right_m + right_m) / 2,
        (last.ahead_m + ahead_m) / 2,
        _CARRY_HEIGHT_M + 0.02,
        (last.turn_rad + turn) / 2,
        1.5 * (right_m - last.right_m) / span_s,
        1.5 * (ahead_m - last.ahead_m) / span_s,
    )
    steps += [middle, Moment(last.t_s + span_s, right_m, ahead_m, z_m, turn)]


def _put_down(steps: list[Moment], side: Side, errand: Errand) -> None:
    assert errand.to is not None
    right, ahead = from_field(side, errand.to.x_m, errand.to.y_m)
    _go(steps, right, ahead, 0.004)
    last = steps[-1]
    steps.append(Moment(last.t_s + 0.06, last.right_m, last.ahead_m, 0.012, last.turn_rad))


def _note(result: Tidying, errand: Errand, t_s: Floats, pose: Floats) -> None:
    earlier = result.tracks.get(errand.card)
    if earlier is not None:  # restored first, then sent
        t_s = np.concatenate([earlier.t_s, np.maximum(t_s, earlier.t_s[-1] + 1e-4)])
        pose = np.vstack([earlier.pose, pose])
    result.tracks[errand.card] = Track(t_s, pose)


def _carry(
    result: Tidying, path: HandPath, errand: Errand, from_s: float, to_s: float, from_outside: bool
) -> None:
    """Keep the card under the fingers from the pick-up to the place where it is put down."""
    t_s = np.append(np.arange(from_s, to_s, 0.005), to_s)
    hand = path.at(t_s)
    start = errand.start.copy()
    if from_outside:  # gathered from where it flew; nobody sees it before the hand brings it
        start[:2] = hand[0, :2]
    final = lying_pose(errand.to) if errand.to is not None else np.array([*hand[-1, :2], start[2], 0.0])
    # The grip is not exact: the offset between hand and card fades into that of the final place.
    share = ((t_s - from_s) / max(to_s - from_s, 1e-9))[:, None]
    share = share * share * (3 - 2 * share)
    grip = start[:2] - hand[0, :2]
    release = final[:2] - hand[-1, :2]
    turn = (final[2] - start[2] + np.pi) % (2 * np.pi) - np.pi
    xy = hand[:, :2] + grip * (1 - share) + release * share
    z = np.maximum(hand[:, 2:3] - 0.004, 0.0)
    pose = np.column_stack([xy, start[2] + turn * share, z])
    pose[-1] = final
    if from_outside:
        t_s = np.append(t_s[0] - 1e-4, t_s)
        pose = np.vstack([[5.0, 5.0, pose[0, 2], 0.0], pose])
    _note(result, errand, t_s, pose)
