"""The cards that may have pushed another, inferred from its path."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.made_strike import made_departures, made_strike
from tests.vision.painted_table import PaintedTable
from vision.contact.evidence import is_loose_before, pushers_of
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.launch.strikes import Strike
from vision.sightings.spots import Spot


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
    return made_strike(field, number, t_ms, velocity, seen)


def seen_to_fly(field: FieldModel, number: int, t_ms: float, velocity: tuple[float, float]) -> Strike:
    """Return the strike of a card whose print was seen on its way."""
    one = strike(field, number, t_ms, velocity)
    assert one.flight is not None
    spot = Spot(one.flight.launch.t_ns + 10e6, 10.0 * np.array(velocity))
    return replace(one, flight=replace(one.flight, spots=(spot,)))


def departures(*strikes: Strike, slid: tuple[float, float] | None = None) -> dict[int, Departure]:
    found = made_departures(*strikes)
    if slid is not None:
        found[strikes[0].number].final_shift_px = np.array(slid)
    return found


@pytest.mark.parametrize(
    ("t_ms", "velocity", "pushed"),
    [
        (104.0, (1.0, 0.0), True),
        (99.0, (1.0, 0.0), True),
        (90.0, (1.0, 0.0), False),
        (104.0, (-1.0, 0.0), False),
        (104.0, (0.0, 1.0), False),
        (104.0, (0.05, 0.0), False),
    ],
    ids=["afterwards", "order not proven", "first", "towards it", "past it", "too slowly to tell its way"],
)
def test_a_card_is_pushed_by_one_that_lay_right_behind_it_on_its_way(
    field: FieldModel, t_ms: float, velocity: tuple[float, float], pushed: bool
) -> None:
    ahead, behind = strike(field, 7, t_ms, velocity), strike(field, 6, 100.0)
    found = pushers_of(field, ahead, [ahead, behind], departures(ahead, behind))
    assert found == ([behind] if pushed else [])


@pytest.mark.parametrize(("slid", "pushed"), [((3.0, 0.2), True), ((-3.0, 0.0), False), (None, False)])
def test_the_way_of_a_card_that_slid_leads_to_where_it_lies_in_the_end(
    field: FieldModel, slid: tuple[float, float] | None, pushed: bool
) -> None:
    ahead, behind = strike(field, 7, 104.0), strike(field, 6, 100.0)
    found = pushers_of(field, ahead, [ahead, behind], departures(ahead, behind, slid=slid))
    assert found == ([behind] if pushed else [])


def test_a_card_struck_towards_another_may_come_down_on_it(field: FieldModel) -> None:
    hit = strike(field, 11, 200.0)
    assert is_loose_before(field, hit, [hit, seen_to_fly(field, 6, 100.0, (2.0, 0.0))])
    assert not is_loose_before(field, hit, [hit, seen_to_fly(field, 6, 100.0, (-2.0, 0.0))])
    assert not is_loose_before(field, hit, [hit, strike(field, 6, 199.0, (2.0, 0.0))])
    assert not is_loose_before(field, hit, [hit])
    assert not is_loose_before(field, hit, [hit, strike(field, 6, 100.0, (-2.0, 0.0))])
    # of two that lie face to face it has only the space between them to cross
    opposite = strike(field, 5, 190.0, (2.0, 0.0))
    assert not is_loose_before(field, hit, [hit, opposite])


def test_a_card_that_flew_drives_a_row_by_its_nearest_card(field: FieldModel) -> None:
    row = [strike(field, 6, 100.0, (1.0, 0.0)), *(strike(field, number, 94.0 + number) for number in (7, 8))]
    slid = departures(*row)
    for number in (7, 8):
        slid[number].final_shift_px = np.array([3.0, 0.0])
    assert [[one.number for one in pushers_of(field, each, row, slid)] for each in row] == [[], [6], [7]]
