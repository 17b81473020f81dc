"""The work of players between poems: cards go back, the taken card leaves, and sent cards change hands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from referee.facts import Hand
from referee.layout import Layout, PlacedCard
from referee.sides import Side
from vision.simulator.drawing.paths import Floats, HandPath, Moment, Place, from_field
from vision.simulator.play import moves
from vision.simulator.play.field import free_slot, lying_pose, picture_angle, put, slot_of
from vision.simulator.play.moving_cards import Track
from vision.simulator.play.physics import Outcome

_GRIP_HEIGHT_M = 0.004


@dataclass(frozen=True, slots=True)
class Manner:
    """How hands tidy."""

    travel_mps: float = 2.2  # mean speed between cards
    settle_s: float = 0.13  # time to come down on a card or to lift off it
    grip_s: float = 0.0  # time of rest on a card before and after moving it


HURRIED = Manner()
DELIBERATE = Manner(travel_mps=0.9, settle_s=0.22, grip_s=0.15)
"""Unhurried people reach for a card, grip it and lay it down in a second or more."""


@dataclass(frozen=True)
class Room:
    """Facts about the hall that restoring the field needs."""

    turn_deg: float  # how crookedly cards are laid
    visible_m: tuple[float, float]  # half width and half height of the tatami in the picture

    def sees(self, pose: Floats) -> bool:
        """Tell whether any part of a card at x, y is in the picture."""
        margin_m = 0.05
        return bool(
            abs(pose[0]) < self.visible_m[0] + margin_m and abs(pose[1]) < self.visible_m[1] + margin_m
        )


@dataclass(frozen=True, eq=False)
class Errand:
    """One card to carry: from its place to another place on the field, or away (`to` is None).

    A nudge only straightens it, and the hand stays down.
    """

    card: int
    start: Floats
    to: PlacedCard | None
    is_nudge: bool = False


@dataclass
class Tidying:
    """The restored table."""

    layout: Layout  # where everything lies afterwards
    end_s: float  # when the last hand is back
    # of the right hands, to be appended to their paths
    moments: dict[Side, list[Moment]] = field(default_factory=dict)
    tracks: dict[int, Track] = field(default_factory=dict)


def tidy(
    before: Layout,
    poses: dict[int, Floats],
    poem: int,
    outcome: Outcome,
    *,
    start_s: float,
    rng: np.random.Generator,
    room: Room,
    rearranged: int = 0,
    straightened: int = 0,
    manner: Manner = HURRIED,
) -> Tidying:
    """Plan and carry out the restoring after one poem.

    `poses`: where moved cards lie now, (x, y, angle, height) by number; the others have not moved.
    `rearranged`: how many cards each player puts elsewhere in his own territory. `straightened`: how many
    cards each player only sets straight in their places.
    """
    errands: dict[Side, list[Errand]] = {side: [] for side in Side}
    after: list[PlacedCard] = []
    for placed in before:
        card = placed.card or 0
        pose = poses.get(card, lying_pose(placed))
        if card == poem and outcome.taken_by is not None:
            errands[outcome.taken_by].insert(0, Errand(card, pose, None))
        elif _is_worth_restoring(placed, pose):
            restored = put(card, slot_of(placed), rng, room.turn_deg)
            errands[placed.side].append(Errand(card, pose, restored))
            after.append(restored)
        else:
            angle = placed.angle_rad + _turned(placed, pose)
            after.append(PlacedCard(card, placed.side, placed.row, float(pose[0]), float(pose[1]), angle))
    layout = Layout(tuple(after))
    for sender in Side:
        for _ in range(outcome.sends[sender]):
            cards = layout.of(sender)
            chosen = cards[int(rng.integers(len(cards)))]
            assert chosen.card is not None
            rest = layout.without(chosen.card)
            sent = put(chosen.card, free_slot(rest, sender.opponent, rng), rng, room.turn_deg)
            errands[sender].append(Errand(chosen.card, lying_pose(chosen), sent))
            layout = Layout((*rest, sent))
    for side in Side:
        for _ in range(rearranged):
            moved = _idle_card(layout.of(side), errands, rng)
            if moved is None:
                break
            assert moved.card is not None
            to = put(moved.card, free_slot(layout, side, rng), rng, room.turn_deg)
            errands[side].append(Errand(moved.card, lying_pose(moved), to))
            layout = Layout((*layout.without(moved.card), to))
        for _ in range(straightened):
            crooked = _idle_card(layout.of(side), errands, rng)
            if crooked is None:
                break
            assert crooked.card is not None
            straight = _nudged(crooked, rng)
            errands[side].append(Errand(crooked.card, lying_pose(crooked), straight, is_nudge=True))
            layout = Layout((*layout.without(crooked.card), straight))
    result = Tidying(layout, start_s)
    for side in Side:
        if errands[side]:
            _run(result, side, errands[side], start_s + float(rng.uniform(0, 0.08)), room=room, manner=manner)
    return result


def _idle_card(
    cards: Sequence[PlacedCard], errands: Mapping[Side, Sequence[Errand]], rng: np.random.Generator
) -> PlacedCard | None:
    """Return one of the cards at random on which no hand has an errand, None if there is none."""
    busy = {errand.card for own in errands.values() for errand in own}
    idle = [placed for placed in cards if placed.card not in busy]
    return idle[int(rng.integers(len(idle)))] if idle else None


def _nudged(placed: PlacedCard, rng: np.random.Generator) -> PlacedCard:
    """Return where a card lies after a hand has straightened it."""
    nudge_m, nudge_rad = 0.003, 0.05  # typical motion of a card that a hand straightens
    x_m, y_m = (float(part) for part in rng.normal(0, nudge_m / 2, 2))
    turn = float(rng.normal(0, nudge_rad / 2))
    return replace(placed, x_m=placed.x_m + x_m, y_m=placed.y_m + y_m, angle_rad=placed.angle_rad + turn)


def _is_worth_restoring(placed: PlacedCard, pose: Floats) -> bool:
    moved_m = float(np.hypot(pose[0] - placed.x_m, pose[1] - placed.y_m))
    worth_restoring_m = 0.004
    worth_turning_rad = 0.12
    return moved_m > worth_restoring_m or abs(_turned(placed, pose)) > worth_turning_rad


def _turned(placed: PlacedCard, pose: Floats) -> float:
    return _nearest_turn(float(pose[2]) - picture_angle(placed.side, placed.angle_rad))


def _nearest_turn(angle_rad: float) -> float:
    return float((angle_rad + np.pi) % (2 * np.pi) - np.pi)


def _run(
    result: Tidying, side: Side, errands: list[Errand], start_s: float, *, room: Room, manner: Manner
) -> None:
    """Let one hand do its errands; record its moments and the tracks of its cards."""
    steps: list[Moment] = [moves.rest(start_s)]
    carried: list[tuple[Errand, float, float]] = []
    flown = [errand for errand in errands if not room.sees(errand.start)]
    fetched = [errand for errand in flown if errand.to is not None]
    if fetched:
        sign = float(np.sign(from_field(side, *map(float, fetched[0].start[:2]))[0])) or 1.0
        outside_m = (0.5, -0.48)  # where a hand gathers cards that flew out of the picture
        _go(steps, (sign * outside_m[0], outside_m[1]), 0.02, manner)
        gathered_s = steps[-1].t_s
        for errand in fetched:
            _put_down(steps, side, errand, manner)
            carried.append((errand, gathered_s, steps[-2].t_s))
    for errand in errands:
        if errand in flown:
            continue  # fetched already, or taken and flown out of the picture, where it stays
        _go(steps, from_field(side, float(errand.start[0]), float(errand.start[1])), _GRIP_HEIGHT_M, manner)
        if manner.grip_s:
            last = steps[-1]
            steps.append(replace(last, t_s=last.t_s + manner.grip_s))
        picked_s = steps[-1].t_s
        if errand.to is None:
            beside_knee_m = (0.3, -0.56)  # where taken cards are piled: beside the knee, outside the picture
            _go(steps, beside_knee_m, 0.02, manner)
            carried.append((errand, picked_s, steps[-1].t_s))
        else:
            _put_down(steps, side, errand, manner)
            carried.append((errand, picked_s, steps[-2].t_s))
    home = moves.rest(0.0)
    _go(steps, home.at, home.z_m, manner)
    steps[-1] = moves.rest(steps[-1].t_s)
    path = HandPath(side, Hand.RIGHT, tuple(steps))
    for errand, from_s, to_s in carried:
        track = _carried(path, errand, from_s, to_s, from_outside=errand in fetched)
        earlier = result.tracks.get(errand.card)  # restored first, then sent
        result.tracks[errand.card] = track if earlier is None else earlier.then(track)
    result.moments[side] = steps
    result.end_s = max(result.end_s, steps[-1].t_s)


def _go(steps: list[Moment], to: Place, z_m: float, manner: Manner) -> None:
    last = steps[-1]
    way = to[0] - last.at[0], to[1] - last.at[1]
    span_s = manner.settle_s + float(np.hypot(*way)) / manner.travel_mps
    turn = moves.natural_turn(to)
    carry_height_m = 0.05
    middle = Moment(
        last.t_s + span_s / 2,
        (last.at[0] + way[0] / 2, last.at[1] + way[1] / 2),
        carry_height_m,
        (last.turn_rad + turn) / 2,
        (1.5 * way[0] / span_s, 1.5 * way[1] / span_s),
    )
    steps += [middle, Moment(last.t_s + span_s, to, z_m, turn)]


def _put_down(steps: list[Moment], side: Side, errand: Errand, manner: Manner) -> None:
    assert errand.to is not None
    to = from_field(side, errand.to.x_m, errand.to.y_m)
    last = steps[-1]
    if errand.is_nudge:  # the hand stays on the card and takes it along
        way_m = float(np.hypot(to[0] - last.at[0], to[1] - last.at[1]))
        nudge_mps = 0.02
        steps.append(Moment(last.t_s + manner.grip_s + way_m / nudge_mps + 0.05, to, last.z_m, last.turn_rad))
    else:
        _go(steps, to, _GRIP_HEIGHT_M, manner)
    last = steps[-1]
    steps.append(Moment(last.t_s + 0.06 + manner.grip_s / 2, last.at, 0.012, last.turn_rad))


def _carried(path: HandPath, errand: Errand, from_s: float, to_s: float, *, from_outside: bool) -> Track:
    """Keep a card under the fingers from where it is picked up to where it is put down."""
    step_s = 0.005
    t_s = np.append(np.arange(from_s, to_s, step_s), to_s)
    hand = path.at(t_s)
    start = errand.start.copy()
    if from_outside:  # gathered outside: nobody sees it before the hand brings it
        start[:2] = hand[0, :2]
    end = np.array([*hand[-1, :2], start[2], 0.0]) if errand.to is None else lying_pose(errand.to)
    # The grip is not exact: the offset between hand and card fades into that of the final place.
    share = ((t_s - from_s) / max(to_s - from_s, 1e-9))[:, None]
    share = share * share * (3 - 2 * share)
    grip, release = start[:2] - hand[0, :2], end[:2] - hand[-1, :2]
    turn = _nearest_turn(float(end[2] - start[2]))
    pose = np.column_stack(
        [
            hand[:, :2] + grip * (1 - share) + release * share,
            start[2] + turn * share,
            np.maximum(hand[:, 2:3] - _GRIP_HEIGHT_M, 0.0),
        ]
    )
    pose[-1] = end
    return Track(t_s, pose)
