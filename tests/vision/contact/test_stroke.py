"""A stroke's speed is told by the card of it that is seen best."""

import numpy as np
import pytest

from tests.vision.made_strike import made_departures, made_strike
from tests.vision.painted_table import PaintedTable
from vision.contact.stroke import Strokes
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.launch.strikes import Strike

_HIDDEN = 0.05  # strength of the path of a card that a hand hides
_RIGHT = (1.0, 0.0)


@pytest.fixture(scope="module")
def field() -> FieldModel:
    table = PaintedTable()
    return FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)


def strike(
    field: FieldModel,
    number: int,
    t_ms: float,
    mps: tuple[float, float] | None = _RIGHT,
    strength: float = 0.8,
) -> Strike:
    velocity_px = None if mps is None else [part * field.slots[number].px_per_mm for part in mps]
    return made_strike(field, number, t_ms, velocity_px, strength)


def strokes(field: FieldModel, *strikes: Strike) -> Strokes:
    return Strokes(field, strikes, made_departures(*strikes))


@pytest.mark.parametrize(
    ("t_ms", "mps", "strength", "told"),
    [
        (101.0, _RIGHT, 0.8, True),
        (101.0, _RIGHT, 0.2, False),
        (125.0, _RIGHT, 0.8, False),
        (101.0, (0.7, 0.9), 0.8, False),
        (101.0, (0.12, 0.0), 0.8, False),
        (101.0, None, 0.0, False),
    ],
    ids=["at once", "hardly seen", "later", "pushed aslant", "too slow", "only slid"],
)
def test_a_hidden_card_went_as_the_one_that_it_drove_ahead(
    field: FieldModel, t_ms: float, mps: tuple[float, float] | None, strength: float, *, told: bool
) -> None:
    struck = strike(field, 6, 100.0, (0.3, 0.4), _HIDDEN)
    found = strokes(field, struck, strike(field, 7, t_ms, mps, strength)).velocity(6)
    assert (found is not None) is told
    assert found is None or found == pytest.approx(_RIGHT)


def test_of_a_row_that_is_driven_along_the_card_seen_best_tells(field: FieldModel) -> None:
    row = (
        strike(field, 6, 100.0, _RIGHT, _HIDDEN),
        strike(field, 7, 101.0),
        strike(field, 8, 102.0, (1.4, 0.0), 1.2),
    )
    assert strokes(field, *row).velocity(6) == pytest.approx((1.4, 0.0))
    assert [one.number for one in strokes(field, *row).pushers(8)] == [7]


def test_a_card_that_is_seen_well_itself_needs_no_other(field: FieldModel) -> None:
    assert strokes(field, strike(field, 6, 100.0, (0.2, -0.9))).velocity(6) == pytest.approx((0.2, -0.9))


def test_a_card_that_flew_drives_a_row_by_its_nearest_card(field: FieldModel) -> None:
    row = [strike(field, 6, 100.0), *(strike(field, number, 94.0 + number, None) for number in (7, 8))]
    departures = made_departures(*row)
    for number in (7, 8):
        departures[number].final_shift_px = np.array([3.0, 0.0])
    whole = Strokes(field, row, departures)
    assert [[one.number for one in whole.pushers(number)] for number in (6, 7, 8)] == [[], [6], [7]]
