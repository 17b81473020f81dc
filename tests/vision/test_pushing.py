"""Which card pushed another, told from its path."""

import numpy as np
import pytest
from painted_table import PaintedTable

from vision.field_model import FieldModel
from vision.motion import Flight, Launch
from vision.onset import Onset
from vision.pushing import is_loose_before, pusher_of
from vision.slots import SlotGrid
from vision.strikes import Strike

_MS = 1_000_000


@pytest.fixture(scope="module")
def field() -> FieldModel:
    table = PaintedTable()
    return FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)


def strike(
    field: FieldModel,
    number: int,
    t_ms: float,
    velocity: tuple[float, float] | None = None,
    seen: float = 0.6,
) -> Strike:
    onset = Onset(t_ms * _MS, 3 * _MS, round((t_ms - 8) * _MS), round(t_ms * _MS))
    if velocity is None:
        return Strike(number, onset, None)
    launch = Launch(t_ms * _MS, (t_ms - 2) * _MS, (t_ms + 2) * _MS)
    flight = Flight(number, field.slots[number], t_ms * _MS, launch, np.array(velocity), 0.0, seen)
    return Strike(number, onset, flight)


def test_a_card_that_flies_against_its_neighbour_pushes_it(field: FieldModel) -> None:
    pushed, pusher = strike(field, 7, 104.0), strike(field, 6, 100.0, (1.0, 0.0))
    assert pusher_of(field, pushed, [pushed, pusher], {6: -40.0, 7: -10.0}) is pusher


@pytest.mark.parametrize(
    ("t_ms", "own_mm", "pushed"),
    [
        (99.0, 20.0, True),
        (99.0, -40.0, False),
        (102.0, -40.0, False),
        (108.0, -40.0, True),
        (90.0, 20.0, False),
    ],
    ids=["not reached", "struck together", "order not proven", "reached afterwards", "first"],
)
def test_of_cards_that_set_off_at_once_the_hand_strikes_those_it_lies_on(
    field: FieldModel, t_ms: float, own_mm: float, pushed: bool
) -> None:
    ahead, behind = strike(field, 7, t_ms), strike(field, 6, 100.0, (1.0, 0.0))
    assert (pusher_of(field, ahead, [ahead, behind], {6: -40.0, 7: own_mm}) is behind) is pushed


@pytest.mark.parametrize(
    ("t_ms", "velocity", "seen"),
    [(100.0, (-1.0, 0.0), 0.6), (140.0, (1.0, 0.0), 0.6), (100.0, (1.0, 0.0), 0.01)],
    ids=["the other way", "later", "not seen"],
)
def test_other_cards_push_nothing(
    field: FieldModel, t_ms: float, velocity: tuple[float, float], seen: float
) -> None:
    pushed, other = strike(field, 7, 104.0), strike(field, 6, t_ms, velocity, seen)
    assert pusher_of(field, pushed, [pushed, other], {6: -40.0, 7: -10.0}) is None


def test_a_card_struck_towards_another_may_come_down_on_it(field: FieldModel) -> None:
    hit = strike(field, 11, 200.0)
    assert is_loose_before(field, hit, [hit, strike(field, 6, 100.0, (2.0, 0.0))])
    assert not is_loose_before(field, hit, [hit, strike(field, 6, 100.0, (-2.0, 0.0))])
    assert not is_loose_before(field, hit, [hit, strike(field, 6, 199.0, (2.0, 0.0))])
    assert not is_loose_before(field, hit, [hit])
