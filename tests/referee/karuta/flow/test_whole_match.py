"""Whole matches between random players, checked against a simple count with cards in two plain lists."""

from dataclasses import dataclass, field
from random import Random

import pytest

from referee.cards.poems import POEMS
from referee.facts import FieldSettled, PoemStarted, Touch
from referee.karuta.flow.events import Confirm, JokaFinished, MemoriseEnded, MemoriseStarted, PoemFinished
from referee.karuta.flow.follow_ups import MatchEnded, ReadPoem
from referee.karuta.flow.match import MatchState, Phase, start, step
from referee.layout import ROWS, TERRITORY_WIDTH_M, Layout, PlacedCard, row_centre_y_m
from referee.sides import Side

MS = 1_000_000
SLOTS_PER_ROW = 17


@dataclass
class Table:
    """Cards in the slots of two territories, moved by hand."""

    dice: Random
    slots: dict[tuple[Side, int], int] = field(default_factory=dict)

    def lay(self, side: Side, card: int) -> None:
        free = [slot for slot in range(ROWS * SLOTS_PER_ROW) if (side, slot) not in self.slots]
        self.slots[side, self.dice.choice(free)] = card

    def cards(self, side: Side) -> list[int]:
        return [card for (where, _), card in self.slots.items() if where is side]

    def lift(self, card: int) -> None:
        self.slots = {place: other for place, other in self.slots.items() if other != card}

    def seen(self) -> FieldSettled:
        pitch_m = TERRITORY_WIDTH_M / SLOTS_PER_ROW
        placed = [
            PlacedCard(
                card,
                side,
                slot // SLOTS_PER_ROW,
                -TERRITORY_WIDTH_M / 2 + (slot % SLOTS_PER_ROW + 0.5) * pitch_m,
                row_centre_y_m(side, slot // SLOTS_PER_ROW),
            )
            for (side, slot), card in self.slots.items()
        ]
        return FieldSettled(Layout(tuple(placed)), 0)


def play_poem(table: Table, state: MatchState, poem: int, t_ns: int) -> tuple[Touch, ...]:
    """Let each player touch a few cards, mostly the right one, at different times."""
    on_field = table.cards(Side.NEAR) + table.cards(Side.FAR)
    touches: list[Touch] = []
    for player in Side:
        wanted = [poem] if poem in on_field and table.dice.random() < 0.9 else []
        if table.dice.random() < 0.15:
            wanted.append(table.dice.choice(on_field))
        touches.extend(Touch(card, player, t_ns + table.dice.randrange(900) * MS, 1) for card in wanted)
    return tuple(touches)


def expected_sends(
    table: Table, poem: int, touches: tuple[Touch, ...]
) -> tuple[Side | None, dict[Side, int]]:
    """Rule on a poem with the slow, plain implementation."""
    home = {card: side for (side, _), card in table.slots.items()}
    claims = sorted((touch.t_ns, touch.player) for touch in touches if touch.card == poem and touch.player)
    taker = claims[0][1] if claims else None
    rights = dict.fromkeys(Side, 0)
    if taker is not None and home[poem] is not taker:
        rights[taker] += 1
    for player in Side:
        touched = {home[touch.card] for touch in touches if touch.player is player and touch.card}
        rights[player.opponent] += len(touched - {home.get(poem)})
    surplus = rights[Side.NEAR] - rights[Side.FAR]
    sender = Side.NEAR if surplus > 0 else Side.FAR
    left = [card for card in table.cards(sender) if taker is None or card != poem]
    return taker, {sender: min(abs(surplus), len(left)), sender.opponent: 0}


@pytest.mark.parametrize("seed", range(12))
def test_a_match_runs_to_its_end(seed: int) -> None:
    dice = Random(seed)
    table = Table(dice)
    for place, card in enumerate(dice.sample(sorted(POEMS), 50)):
        table.lay(Side.NEAR if place % 2 else Side.FAR, card)
    state = start()
    for event in (table.seen(), MemoriseStarted(0), MemoriseEnded(), JokaFinished()):
        state, follow_ups = step(state, event)
    ended: list[Side | None] = []
    order = iter(dice.sample(sorted(POEMS), 100))
    t_ns = 0
    while not ended:
        assert state.ready
        assert follow_ups[-1] == ReadPoem()
        poem, t_ns = next(order), t_ns + 10_000 * MS
        touches = play_poem(table, state, poem, t_ns)
        if len({touch.t_ns for touch in touches}) < len(touches):
            continue  # touched at the same nanosecond: the long way round does not know simultaneous touches
        taker, sends = expected_sends(table, poem, touches)
        state, _ = step(state, PoemStarted(poem, t_ns - 1000 * MS, 1))
        for touch in touches:
            state, _ = step(state, touch)
        state, _ = step(state, PoemFinished())
        assert state.ruling is not None
        assert state.ruling.taken_by is taker
        assert {side: state.ruling.sends[side] for side in Side} == sends
        state, follow_ups = step(state, Confirm())
        if taker is not None:
            table.lift(poem)
        if state.phase is not Phase.ENDED:  # the hands rest before a card is sent
            state, told = step(state, table.seen())
            follow_ups = (*follow_ups, *told)
        for side in Side:
            for card in dice.sample(table.cards(side), sends[side]):
                table.lift(card)
                table.lay(side.opponent, card)
        if state.phase is not Phase.ENDED:
            state, told = step(state, table.seen())
            follow_ups = (*follow_ups, *told)
        assert state.home == table.seen().layout
        ended = [follow_up.winner for follow_up in follow_ups if isinstance(follow_up, MatchEnded)]
    winner = next((side for side in Side if not table.cards(side)), None)
    assert ended == [winner]
    assert state.winner is winner
    assert len(state.taken) == 50 - len(table.slots)
