"""Effects of hands on cards: contact, drag, sliding, flight, and cards that push cards.

The truth of a simulated poem is read from this model, in steps much finer than any frame. As on a real
tatami, a card never moves before it is touched or pushed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.facts import Hand
from referee.layout import Layout
from referee.sides import BySide, Side
from vision.simulator.drawing.paths import Floats, HandPath
from vision.simulator.play.field import is_completely_out
from vision.simulator.play.moving_cards import USUAL, Friction, MovingCards, Track

FINE_STEP_S = 0.00025
COARSE_STEP_S = 0.002
CONTACT_HEIGHT_M = 0.001  # a hand lower than this is pressed down


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
    """Everything that happened to the cards while the hands moved."""

    tracks: dict[int, Track]  # those of the cards that moved, in the order in which they began to move
    # contacts, pushed_out: in the order of time
    contacts: tuple[CardContact, ...]
    pushed_out: tuple[PushOut, ...]
    still_s: float  # the instant from which nothing moves

    def moved_m(self, card: int) -> float:
        """Return the farthest distance of the card from its first place, metres."""
        if card not in self.tracks:
            return 0.0
        xy = self.tracks[card].pose[:, :2]
        return float(np.hypot(*(xy - xy[0]).T).max())


def _instants(paths: Sequence[HandPath], from_s: float, to_s: float) -> Floats:
    """Return fine steps while any hand is down, coarse ones elsewhere."""
    coarse = np.arange(from_s, to_s, COARSE_STEP_S)
    low = np.zeros(len(coarse), bool)
    for path in paths:
        low |= path.at(coarse)[:, 2] < 4 * CONTACT_HEIGHT_M
    low[:-1] |= low[1:]
    low[1:] |= low[:-1]
    fine = coarse[low, None] + np.arange(0, COARSE_STEP_S - 1e-9, FINE_STEP_S)
    # np.unique would load numpy.ma, which takes longer than the rest of this function
    steps = np.sort(np.concatenate([coarse, fine.ravel()]).round(6))
    return steps[np.diff(steps, prepend=-np.inf) > 0]


def play(
    layout: Layout,
    paths: Sequence[HandPath],
    rng: np.random.Generator,
    *,
    from_s: float,
    to_s: float,
    jumping: float = 0.6,
    friction: Friction = USUAL,
) -> Play:
    """Move the hands over the cards and simulate the result.

    `from_s`, `to_s`: the stretch of time in which hands may come down; cards come to rest afterwards.
    `jumping`: probability that a card hit fast leaves the tatami and flies.
    """
    cards = MovingCards(layout, friction)
    t_s = _instants(paths, from_s, to_s + 2.0)
    steps_s = np.diff(t_s, append=t_s[-1] + COARSE_STEP_S)
    where = [path.at(t_s) for path in paths]
    speed = [np.gradient(seen[:, :2], t_s, axis=0) for seen in where]
    down = np.array([(seen[:, 2] < CONTACT_HEIGHT_M) & (t_s < to_s) for seen in where]).reshape(-1, len(t_s))
    any_down = np.asarray(down.any(axis=0))
    # A hand that rests on cards does nothing to them, so such steps are left out.
    hurried = np.ones(len(t_s), bool)
    if paths:
        hurried[1:] = np.any([np.abs(np.diff(seen, axis=0)).max(axis=1) > 1e-7 for seen in where], axis=0)
    last_down = int(np.flatnonzero(any_down)[-1]) if any_down.any() else -1
    contacts: dict[tuple[int, int], CardContact] = {}
    pushed_out: dict[int, PushOut] = {}
    leaps, waits = rng.uniform(size=(2, len(cards.numbers)))
    delays_s = np.where(leaps < jumping * friction.leaps, 0.008 + 0.025 * waits, np.inf)
    still_s = from_s

    for step, (now_s, dt_s) in enumerate(zip(t_s.tolist(), steps_s.tolist(), strict=True)):
        if not cards.moving() and not (any_down[step] and hurried[step]):
            if step > last_down:
                break
            continue
        held: set[int] = set()
        for number in np.flatnonzero(down[:, step]).tolist():
            path, hand, velocity = paths[number], where[number][step].tolist(), speed[number][step].tolist()
            under = cards.under(hand)
            for index in under:
                if (index, number) not in contacts:
                    contacts[index, number] = CardContact(cards.numbers[index], path.side, path.hand, now_s)
                    if not cards.touched[index]:
                        cards.hit(index, now_s, velocity, float(delays_s[index]))
                cards.touched[index] = True
                cards.mover[index] = path.side
                cards.drag(index, hand, velocity, dt_s)
            held.update(under)
        moved = cards.advance(now_s, dt_s, held)
        cards.record(moved, now_s + dt_s)
        if moved:
            still_s = now_s + dt_s
        cards.record(cards.push(now_s), now_s + dt_s)
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a poem: `sends[p]` is how many cards p hands over."""

    taken_by: Side | None
    faults: BySide[int]
    sends: BySide[int]


def judge(
    poem: int, layout: Layout, contacts: Iterable[CardContact], pushed_out: Iterable[PushOut]
) -> Outcome:
    """Decide from exact contacts who took the card and who owes cards."""
    contacts = tuple(contacts)
    home = layout.side_of(poem)
    taker = None
    if home is not None:
        claims = [
            (touch.t_s, touch.player is not home, touch.player) for touch in contacts if touch.card == poem
        ]
        claims += [
            (push.t_s, push.player is not home, push.player) for push in pushed_out if push.card == poem
        ]
        # The owner of the territory wins a tie, hence the second key.
        taker = min(claims, key=lambda claim: claim[:2])[2] if claims else None
    wrong = {
        (touch.player, territory)
        for touch in contacts
        if (territory := layout.side_of(touch.card)) is not None and territory is not home
    }
    faults = BySide.of(lambda side: sum(player is side for player, _ in wrong))
    right = BySide.of(lambda side: faults[side.opponent] + int(taker is side and home is side.opponent))
    left = layout.counts()
    if taker is not None and home is not None:
        left = left.replaced(home, left[home] - 1)
    owed = BySide.of(lambda side: max(0, right[side] - right[side.opponent]))
    return Outcome(taker, faults, BySide.of(lambda side: min(owed[side], left[side])))


def layout_json(layout: Layout) -> list[dict[str, Any]]:
    """Return all places as in `truth.json`, in millimetres, near first, row by row."""
    return [
        {
            "card": placed.card,
            "side": str(placed.side),
            "row": placed.row,
            "x_mm": round(placed.x_m * 1000, 2),
            "y_mm": round(placed.y_m * 1000, 2),
        }
        for placed in sorted(layout, key=lambda placed: (placed.side is Side.FAR, placed.row, placed.x_m))
    ]


def poem_json(poem: int, t_s: float, layout: Layout, played: Play, outcome: Outcome) -> dict[str, Any]:
    """Return a poem as in `truth.json`, with the earliest contact of each player with each card."""
    first: dict[tuple[int, Side], CardContact] = {}
    for contact in played.contacts:
        first.setdefault((contact.card, contact.player), contact)
    reached = {contact.card for contact in played.contacts} | {push.card for push in played.pushed_out}
    moved_mm = {card: round(played.moved_m(card) * 1000, 2) for card in played.tracks}
    home = layout.side_of(poem)
    displaced_mm = 0.25  # a card that other cards moved less than this is not called displaced
    told: dict[str, Any] = {
        "poem": poem,
        "t_ms": round(t_s * 1000, 3),
        "target_side": None if home is None else str(home),
        "touches": [
            {
                "card": contact.card,
                "player": str(contact.player),
                "hand": str(contact.hand),
                "t_ms": round(contact.t_s * 1000, 3),
                "moved_mm": moved_mm.get(contact.card, 0.0),
            }
            for contact in first.values()
        ],
        "pushed_out": [
            {
                "card": push.card,
                "player": str(push.player),
                "t_ms": round(push.t_s * 1000, 3),
                "moved_mm": moved_mm[push.card],
            }
            for push in played.pushed_out
        ],
        "displaced": [
            {"card": card, "moved_mm": moved}
            for card, moved in moved_mm.items()
            if card not in reached and moved > displaced_mm
        ],
        "ruling": {
            "taken_by": None if outcome.taken_by is None else str(outcome.taken_by),
            "faults": {str(side): count for side, count in outcome.faults.items()},
            "sends": {str(side): count for side, count in outcome.sends.items()},
        },
        "layout_before": layout_json(layout),
    }
    met = sorted(contact.t_s for (card, _), contact in first.items() if card == poem)
    if len(met) > 1:  # both reached it
        told["gap_ms"] = round((met[1] - met[0]) * 1000, 3)
    return told
