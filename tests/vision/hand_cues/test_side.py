"""Left or right hand: decided only if both hands of a player are over the field."""

from collections.abc import Sequence

import pytest

from referee.facts import Hand
from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable
from vision.departures.departure import View
from vision.field.model import FieldModel
from vision.field.slots import Slot, SlotGrid
from vision.hand_cues.side import HandSides
from vision.hands.player_map import PlayerMap

_T_NS = 1_000_000_000
_FAR_CARD, _NEAR_CARD = 3, 9


@pytest.fixture(scope="module")
def table() -> PaintedTable:
    return PaintedTable()


@pytest.fixture(scope="module")
def players(table: PaintedTable) -> PlayerMap:
    resting = table.resting()
    return PlayerMap(resting, FieldModel(SlotGrid(table.slots, resting).picture, table.slots).floor, 1.0)


def told(players: PlayerMap, table: PaintedTable, slot: Slot, *arms: Sequence[Arm]) -> Hand | None:
    """Return the hand of the player who owns the slot, in pictures of 8 ms with these arms."""
    views = []
    players.feed(table.gray(), _T_NS - 30_000_000)
    for number, seen in enumerate(arms):
        gray = table.gray(arms=seen)
        t_ns = _T_NS + number * 8_000_000
        views.append(View(t_ns, gray, (slice(0, 540), slice(0, 960)), players.feed(gray, t_ns)))
    return HandSides().hand_at(slot, slot.side, views, _T_NS)


def arm_at(slot: Slot, root_x: float) -> Arm:
    x, y = slot.centre_px
    return Arm(slot.side, (float(x), float(y)), root_x)


@pytest.mark.parametrize(
    ("number", "other_x", "hand"),
    [
        (_NEAR_CARD, 700.0, Hand.LEFT),
        (_NEAR_CARD, 150.0, Hand.RIGHT),
        (_FAR_CARD, 700.0, Hand.RIGHT),
        (_FAR_CARD, 150.0, Hand.LEFT),
    ],
)
def test_of_two_hands_the_left_one_is_the_left_one(
    table: PaintedTable, players: PlayerMap, number: int, other_x: float, hand: Hand
) -> None:
    slot = table.slots[number]
    other = Arm(slot.side, (other_x, 270.0), other_x)
    assert told(players, table, slot, [arm_at(slot, float(slot.centre_px[0]) + 20), other]) is hand


def test_the_other_players_hand_and_what_rests_at_the_edge_tell_nothing(
    table: PaintedTable, players: PlayerMap
) -> None:
    slot = table.slots[_NEAR_CARD]
    resting = Arm(Side.NEAR, (700.0, 440.0), 700.0)
    assert (
        told(players, table, slot, [arm_at(slot, 380.0), Arm(Side.FAR, (700.0, 300.0), 700.0), resting])
        is None
    )
