"""What players do in a poem: each scenario is a script of hand movements with the outcome it aims at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from referee.facts import Hand
from referee.layout import Layout, PlacedCard
from referee.sides import BySide, Side
from vision.simulator import moves
from vision.simulator.field import Slot, slot_of
from vision.simulator.paths import HandPath, Moment, from_field

Place = tuple[float, float]
HAND_SIGN = {Hand.RIGHT: 1.0, Hand.LEFT: -1.0}


@dataclass
class Script:
    """The movements of one poem and what they should lead to.

    Attributes
    ----------
    actions : moments of each hand that leaves its resting place.
    taken_by, faults : the outcome aimed at; a play that comes out otherwise is tried again.
    pushed : whether the target must be pushed out untouched.
    jumping : how likely a card hit fast takes off.
    lean : how far a head comes over the field, 0..1, by player.
    """

    actions: dict[tuple[Side, Hand], list[Moment]] = field(default_factory=dict)
    taken_by: Side | None = None
    faults: BySide[int] = field(default_factory=lambda: BySide(0, 0))
    pushed: bool = False
    lands_on_other: bool = False
    jumping: float = 0.6
    lean: BySide[float] = field(default_factory=lambda: BySide(0.0, 0.0))

    def act(self, side: Side, moments: list[Moment], hand: Hand = Hand.RIGHT) -> None:
        """Append a movement to what a hand does."""
        self.actions.setdefault((side, hand), []).extend(moments)


@dataclass(frozen=True)
class Stage:
    """What a scenario may look at: the layout, the target, the moment of action and the dice."""

    layout: Layout
    poem: int
    t_s: float
    rng: np.random.Generator
    gap_s: float | None = None

    @property
    def target(self) -> PlacedCard:
        """The torifuda of the poem.

        Raises
        ------
        ValueError
            When the poem is dead: this scenario needs its card on the field.
        """
        found = self.layout.find(self.poem)
        if found is None:
            raise ValueError(f"this scenario needs torifuda {self.poem} on the field")
        return found

    def uniform(self, low: float, high: float) -> float:
        """Draw a number."""
        return float(self.rng.uniform(low, high))

    def side(self) -> Side:
        """Draw a player."""
        return Side.NEAR if self.rng.uniform() < 0.5 else Side.FAR

    def card_of(self, territory: Side) -> PlacedCard:
        """Draw a card of a territory other than the target."""
        cards = [placed for placed in self.layout.of(territory) if placed.card != self.poem]
        if not cards:
            raise ValueError(f"this scenario needs another card in the {territory} territory")
        return cards[int(self.rng.integers(len(cards)))]


def seen_by(side: Side, placed: PlacedCard) -> Place:
    """Return a card's place in a player's own directions."""
    return from_field(side, placed.x_m, placed.y_m)


def _outwards(stage: Stage, at: Place) -> Place:
    """Sweeps go to the nearer side line, a little up or down the field."""
    sign = np.sign(at[0]) if abs(at[0]) > 0.06 else stage.rng.choice([-1.0, 1.0])
    slant = stage.uniform(-0.25, 0.25)
    return float(sign * np.cos(slant)), float(np.sin(slant))


def _sweep(stage: Stage, side: Side, t_s: float, hard: bool = False) -> list[Moment]:
    at = seen_by(side, stage.target)
    way = _outwards(stage, at)
    lead_m = stage.uniform(0.15, 0.26) if hard else 0.085
    speed = stage.uniform(3.2, 4.8) if hard else stage.uniform(1.6, 3.2)
    through = stage.uniform(0.18, 0.3) if hard else stage.uniform(0.08, 0.16)
    return moves.strike(t_s, at, way, speed, lead_m, through)


def _press(
    stage: Stage, side: Side, placed: PlacedCard, t_s: float, hand: Hand = Hand.RIGHT, aside_m: float = 0.012
) -> list[Moment]:
    right, ahead = seen_by(side, placed)
    # Fingers come down on the half of the card that is nearer to the player, away from the next territory.
    at = right + stage.uniform(-aside_m, aside_m), ahead - stage.uniform(0.0, 0.02)
    slip_m, way = stage.uniform(0.0006, 0.0024), stage.uniform(0, 2 * np.pi)
    slip = slip_m * np.cos(way), slip_m * np.sin(way)
    return moves.press(t_s, at, slip, stage.uniform(0.08, 0.18), HAND_SIGN[hand])


def own(stage: Stage) -> Script:
    """The owner of the territory sweeps the card away."""
    script = Script(taken_by=stage.target.side)
    script.act(stage.target.side, _sweep(stage, stage.target.side, stage.t_s))
    return script


def opp(stage: Stage) -> Script:
    """The opponent takes the card out of the owner's territory."""
    player = stage.target.side.opponent
    script = Script(taken_by=player)
    script.act(player, _sweep(stage, player, stage.t_s))
    return script


def harai(stage: Stage) -> Script:
    """A hard sweep that clears the card and its neighbours off the field."""
    player = stage.side()
    script = Script(taken_by=player, jumping=0.8)
    script.act(player, _sweep(stage, player, stage.t_s, hard=True))
    return script


def press(stage: Stage) -> Script:
    """A hand comes down flat on the card and hardly moves it."""
    player = stage.side()
    script = Script(taken_by=player)
    script.act(player, _press(stage, player, stage.target, stage.t_s))
    return script


def race(stage: Stage) -> Script:
    """Both go for the card within milliseconds of each other."""
    first = stage.side()
    script = Script(taken_by=first)
    gap_s = stage.uniform(0.0, 0.03) if stage.gap_s is None else stage.gap_s
    # Each lands with his fingertips on the end of the card that is nearer to him and slips outwards.
    sign = 1.0 if stage.target.x_m > 0 else -1.0
    for player, t_s in ((first, stage.t_s), (first.opponent, stage.t_s + gap_s)):
        right, ahead = seen_by(player, stage.target)
        at = right + stage.uniform(-0.012, 0.012), ahead - stage.uniform(0.026, 0.032)
        way = (sign if player is Side.NEAR else -sign), 0.0
        speed = stage.uniform(0.7, 1.3)
        script.act(player, moves.strike(t_s, at, way, speed, 0.0, stage.uniform(0.05, 0.09)))
    return script


def late(stage: Stage) -> Script:
    """The loser's hand arrives after the card is gone: touches where the target lay are no fault."""
    script = opp(stage) if stage.rng.uniform() < 0.5 else own(stage)
    assert script.taken_by is not None
    loser = script.taken_by.opponent
    later = stage.t_s + stage.uniform(0.06, 0.16)
    script.act(loser, _press(stage, loser, stage.target, later))
    return script


def hover(stage: Stage) -> Script:
    """A hand rushes over the card, stops in the air and leaves it alone."""
    player = stage.side()
    script = Script()
    above = stage.target if stage.layout.find(stage.poem) else stage.card_of(stage.side())
    script.act(
        player,
        moves.hover(stage.t_s, seen_by(player, above), stage.uniform(0.03, 0.07), stage.uniform(0.1, 0.3)),
    )
    return script


def feint(stage: Stage) -> Script:
    """One hovers over the wrong place while the other takes the card."""
    script = own(stage) if stage.rng.uniform() < 0.5 else opp(stage)
    assert script.taken_by is not None
    other = script.taken_by.opponent
    at = seen_by(other, stage.card_of(stage.side()))
    script.act(other, moves.hover(stage.t_s - 0.02, at, stage.uniform(0.04, 0.07), stage.uniform(0.1, 0.25)))
    return script


def dead_none(stage: Stage) -> Script:
    """A karafuda, and nobody is fooled; sometimes a hand starts and stops."""
    script = Script()
    if stage.rng.uniform() < 0.4:
        player = stage.side()
        at = seen_by(player, stage.card_of(player))
        script.act(player, moves.hover(stage.t_s, at, stage.uniform(0.05, 0.09), 0.12))
    return script


def dead_touch(stage: Stage) -> Script:
    """A karafuda, and one player touches a territory."""
    player, territory = stage.side(), stage.side()
    script = Script(faults=BySide(0, 0).replaced(player, 1))
    script.act(player, _press(stage, player, stage.card_of(territory), stage.t_s))
    return script


def dead_both(stage: Stage) -> Script:
    """A karafuda, and one player touches both territories, with both hands or one after the other."""
    player = stage.side()
    script = Script(faults=BySide(0, 0).replaced(player, 2))
    yours = stage.card_of(player.opponent)
    script.act(player, _press(stage, player, yours, stage.t_s))
    mine = stage.card_of(player)
    if seen_by(player, mine)[0] < -0.05 and stage.rng.uniform() < 0.6:
        script.act(player, _press(stage, player, mine, stage.t_s + 0.03, Hand.LEFT), Hand.LEFT)
    else:
        script.act(player, _press(stage, player, mine, stage.t_s + 0.62))
    return script


def otetsuki(stage: Stage) -> Script:
    """One player touches a single card of the wrong territory; the other takes the card."""
    return _fault_and_take(stage, aside_m=0.002)


def otetsuki_take(stage: Stage) -> Script:
    """One player touches the wrong territory; the other takes the card."""
    return _fault_and_take(stage, aside_m=0.02)


def _fault_and_take(stage: Stage, aside_m: float) -> Script:
    player = stage.side()
    script = Script(taken_by=player.opponent, faults=BySide(0, 0).replaced(player, 1))
    wrong = stage.card_of(stage.target.side.opponent)
    script.act(player, _press(stage, player, wrong, stage.t_s, aside_m=aside_m))
    script.act(player.opponent, _sweep(stage, player.opponent, stage.t_s + stage.uniform(-0.08, 0.15)))
    return script


def torison(stage: Stage) -> Script:
    """A player touches the wrong territory and still takes the card."""
    player = stage.side()
    script = Script(taken_by=player, faults=BySide(0, 0).replaced(player, 1))
    wrong = stage.card_of(stage.target.side.opponent)
    script.act(player, _press(stage, player, wrong, stage.t_s))
    script.act(player, _press(stage, player, stage.target, stage.t_s + 0.65))
    return script


def both_fault(stage: Stage) -> Script:
    """Both touch wrong cards; a card on the field is then taken by its owner."""
    script = Script(faults=BySide(1, 1))
    live = stage.layout.find(stage.poem)
    for player in Side:
        # With the target on the field each can fault in the other territory only.
        territory = stage.side() if live is None else live.side.opponent
        script.act(
            player, _press(stage, player, stage.card_of(territory), stage.t_s + stage.uniform(0, 0.12))
        )
    if live is not None:
        script.taken_by = live.side
        script.act(live.side, _press(stage, live.side, live, stage.t_s + 0.75))
    return script


def pushout(stage: Stage) -> Script:
    """A player pushes the card out of its territory with other cards (fuda-oshi)."""
    slot = slot_of(stage.target)
    chain = _chain(stage.layout, slot)
    if len(chain) < 2:
        raise ValueError("a push-out needs a card on the inner side of the target")
    player = stage.side()
    script = Script(taken_by=player, pushed=True, jumping=0.0)
    pushed = chain[min(int(stage.rng.integers(1, 3)), len(chain) - 1)]
    right, ahead = seen_by(player, pushed)
    sign = slot.x_sign if player is Side.NEAR else -slot.x_sign
    cards_out = slot.column + 1
    # Fingertips on the inner half of the pushing card drag it against the row.
    at = right - sign * 0.034, ahead - stage.uniform(0.0, 0.012)
    speed = stage.uniform(1.5, 2.0) + 0.12 * cards_out
    script.act(
        player,
        moves.strike(stage.t_s, at, (float(sign), 0.0), speed, 0.012, 0.05 + 0.02 * cards_out, stop=0.5),
    )
    return script


def _chain(layout: Layout, slot: Slot) -> list[PlacedCard]:
    """Return the cards that lie side by side from `slot` inwards."""
    by_slot = {slot_of(placed): placed for placed in layout.of(slot.side)}
    chain = []
    for column in range(slot.column, 9):
        found = by_slot.get(Slot(slot.side, slot.row, slot.x_sign, column))
        if found is None:
            break
        chain.append(found)
    return chain


def can_push_out(layout: Layout, poem: int) -> bool:
    """Tell whether another card lies beside the target on its inner side, near enough to the side line."""
    target = layout.find(poem)
    if target is None:
        return False
    slot = slot_of(target)
    return slot.column <= 1 and len(_chain(layout, slot)) >= 2


def head(stage: Stage) -> Script:
    """A player leans far in while a card is taken, so that a head covers part of the field."""
    script = own(stage) if stage.rng.uniform() < 0.5 else opp(stage)
    script.lean = BySide(0.0, 0.0).replaced(stage.side(), stage.uniform(0.85, 1.0))
    return script


def two_hands(stage: Stage) -> Script:
    """The card is taken while the taker's other hand is over the field as well."""
    script = own(stage)
    player = stage.target.side
    at = -stage.uniform(0.05, 0.3), -stage.uniform(0.1, 0.25)
    script.act(player, moves.hover(stage.t_s, at, 0.06, 0.25, -1.0), Hand.LEFT)
    return script


def support(stage: Stage) -> Script:
    """A player leans on a hand set down in the bare middle of the field while taking."""
    script = opp(stage)
    player = stage.target.side.opponent
    row_end = -0.14
    t_s = stage.t_s - 0.25
    at = Moment(t_s, -0.02, row_end, 0.012, 0.3)
    script.act(player, [at, Moment(stage.t_s + 0.3, -0.02, row_end, 0.012, 0.3)], Hand.LEFT)
    return script


def card_lands_on_other(stage: Stage) -> Script:
    """Flick the card up so that it comes to lie on another."""
    player = stage.side()
    at = np.array(seen_by(player, stage.target))
    aims = [np.array(seen_by(player, placed)) - at for placed in stage.layout if placed is not stage.target]
    aims = [aim for aim in aims if 0.14 < np.hypot(*aim) < 0.6]
    if not aims:
        raise ValueError("this scenario needs another card within 60 cm of the target")
    aim = aims[int(stage.rng.integers(len(aims)))]
    far_m = float(np.hypot(*aim))
    # Flight and sliding together carry a card about 0.2 s^2/m times the square of its speed.
    speed = max(1.15, float(np.sqrt(far_m / 0.2)) * stage.uniform(0.9, 1.3))
    script = Script(taken_by=player, jumping=1.0, lands_on_other=True)
    way = float(aim[0] / far_m), float(aim[1] / far_m)
    start = float(at[0]), float(at[1])
    script.act(player, moves.strike(stage.t_s, start, way, speed, 0.02, 0.03, stop=0.7))
    return script


Scenario = Callable[[Stage], Script]

SCENARIOS: dict[str, Scenario] = {
    scenario.__name__: scenario
    for scenario in (
        own,
        opp,
        harai,
        press,
        race,
        late,
        hover,
        feint,
        dead_none,
        dead_touch,
        dead_both,
        otetsuki,
        otetsuki_take,
        torison,
        both_fault,
        pushout,
        head,
        two_hands,
        support,
        card_lands_on_other,
    )
}
"""Every scenario by name."""

LIVE_WEIGHTS = {
    "own": 20,
    "opp": 14,
    "harai": 16,
    "press": 8,
    "race": 12,
    "late": 10,
    "feint": 5,
    "otetsuki": 4,
    "otetsuki_take": 6,
    "torison": 2,
    "both_fault": 2,
    "pushout": 6,
    "head": 4,
    "two_hands": 3,
    "support": 2,
    "card_lands_on_other": 4,
}
"""How often each happens in a match when the poem's card is on the field."""
DEAD_WEIGHTS = {"dead_none": 70, "dead_touch": 16, "dead_both": 6, "both_fault": 8}
"""The same for karafuda."""


def resting_paths(from_s: float) -> dict[tuple[Side, Hand], HandPath]:
    """Return the four hands in their waiting places."""
    return {
        (side, hand): HandPath(
            side, hand, (moves.rest(from_s) if hand is Hand.RIGHT else moves.support(from_s),)
        )
        for side in Side
        for hand in Hand
    }
