"""Input and output of a scenario: the stage that it reads and the script that it writes."""

from dataclasses import dataclass, field

import numpy as np

from referee.facts import Hand
from referee.layout import Layout, PlacedCard
from referee.sentence import SentenceError
from referee.sides import BySide, Side
from vision.simulator.drawing.paths import HandPath, Moment, Place, from_field
from vision.simulator.play import moves
from vision.simulator.play.field import Slot, slot_of
from vision.simulator.play.moving_cards import CALM, Temper

NO_FAULTS = BySide(0, 0)
UPRIGHT = BySide(0.0, 0.0)


class NoRoomError(SentenceError, ValueError):
    """The cards lie such that a scenario cannot be played."""


@dataclass
class Script:
    """The movements of one poem and their intended result."""

    # taken_by, faults: the intended outcome; a play with another outcome is repeated
    taken_by: Side | None = None
    faults: BySide[int] = NO_FAULTS
    pushed_out: bool = False  # whether the target must leave its territory untouched
    lands_on_other: bool = False  # whether the target must come to lie on another card
    jumping: float = 0.6  # probability that a card hit fast takes off
    lean: BySide[float] = UPRIGHT  # how far a head leans over the field, 0..1, by player
    actions: dict[tuple[Side, Hand], list[Moment]] = field(default_factory=dict)

    def act(self, side: Side, moments: list[Moment], hand: Hand = Hand.RIGHT) -> None:
        """Append a movement to a hand's actions."""
        self.actions.setdefault((side, hand), []).extend(moments)

    def paths(self, start_s: float) -> dict[tuple[Side, Hand], HandPath]:
        """Return all four hands' paths from rest into their actions and back."""
        paths = {}
        lead_in_s = 0.24
        way_home_s = 0.42
        for side in Side:
            for hand in Hand:
                path = HandPath(side, hand, (moves.rest(start_s, hand),))
                action = sorted(self.actions.get((side, hand), ()), key=lambda moment: moment.t_s)
                if action:
                    still = moves.rest(max(action[0].t_s - lead_in_s, start_s + 0.01), hand)
                    path = path.then([still, *action, moves.rest(action[-1].t_s + way_home_s, hand)])
                paths[side, hand] = path
        return paths


@dataclass(frozen=True)
class Stage:
    """Everything that a scenario may read."""

    layout: Layout
    poem: int
    t_s: float
    rng: np.random.Generator
    gap_s: float | None = None  # by how much the second hand of a race comes later; None for a random value
    temper: Temper = CALM
    alone: bool = False

    @property
    def is_live(self) -> bool:
        """Whether the poem's torifuda lies on the field."""
        return self.layout.find(self.poem) is not None

    @property
    def target(self) -> PlacedCard:
        """The torifuda of the poem.

        Raises NoRoomError if the poem is dead: this scenario needs its card on the field.
        """
        found = self.layout.find(self.poem)
        if found is None:
            raise NoRoomError("this scenario needs torifuda {poem} on the field", poem=self.poem)
        return found

    def uniform(self, low: float, high: float) -> float:
        """Draw a random number."""
        return float(self.rng.uniform(low, high))

    def speed_mps(self, low: float, high: float) -> float:
        """Draw the speed of a sweep."""
        return self.uniform(low, high) * self.temper.haste

    def happens(self, likely: float) -> bool:
        """Draw whether an event of a given probability happens."""
        return bool(self.rng.uniform() < likely)

    def side(self) -> Side:
        """Draw a player."""
        return Side.NEAR if self.alone or self.happens(0.5) else Side.FAR

    def card_of(self, territory: Side) -> PlacedCard:
        """Draw a card of a territory other than the target; NoRoomError if there is none."""
        cards = [placed for placed in self.layout.of(territory) if placed.card != self.poem]
        if not cards:
            raise NoRoomError(
                "this scenario needs another card in the {territory} territory", territory=territory
            )
        return cards[int(self.rng.integers(len(cards)))]


def seen_by(side: Side, placed: PlacedCard) -> Place:
    """Return a card's place in a player's own directions."""
    return from_field(side, placed.x_m, placed.y_m)


def chain_of(layout: Layout, slot: Slot) -> list[PlacedCard]:
    """Return the cards that lie side by side from `slot` towards the middle."""
    by_slot = {slot_of(placed): placed for placed in layout.of(slot.side)}
    chain: list[PlacedCard] = []
    while (
        found := by_slot.get(Slot(slot.side, slot.row, slot.x_sign, slot.column + len(chain)))
    ) is not None:
        chain.append(found)
    return chain


def can_push_out(layout: Layout, poem: int) -> bool:
    """Tell whether another card lies beside the target on its inner side, near enough to the side line."""
    target = layout.find(poem)
    if target is None:
        return False
    slot = slot_of(target)
    return slot.column <= 1 and len(chain_of(layout, slot)) >= 2
