"""When cards of a row set off: told by the one that is seen best, as far as they touch one another."""

import numpy as np
import pytest

from vision.field.model import FieldModel
from vision.launch.flight import Flight, quantiles
from vision.launch.strikes import in_rows

_MS = 1e6
_EDGES_NS = np.arange(90.0, 160.25, 0.25) * _MS


def flight(field: FieldModel, number: int, t_ms: float, half_ms: float) -> Flight:
    """Return a card that set off at about an instant, evenly likely up to `half_ms` before and after."""
    middles_ms = (_EDGES_NS[1:] + _EDGES_NS[:-1]) / 2 / _MS
    chance = np.where(np.abs(middles_ms - t_ms) < half_ms, 1.0, 1e-6)
    launch = quantiles(_EDGES_NS, chance)
    way = np.array([1.0, 0.0])
    return Flight(number, field.slots[number], t_ms * _MS, launch, way, 0.0, 0.6, chances=(_EDGES_NS, chance))


def test_a_hidden_card_set_off_with_the_neighbour_that_is_seen(field: FieldModel) -> None:
    hidden, seen = in_rows(field, [flight(field, 7, 120.0, 20.0), flight(field, 8, 105.0, 2.0)], {})
    assert abs(hidden.launch.t_ns / _MS - 105.0) < 1.5
    assert seen.launch == flight(field, 8, 105.0, 2.0).launch
    assert hidden.launch.early_ns < 105.0 * _MS < hidden.launch.late_ns
    assert hidden.launch.half_ns >= seen.launch.half_ns


@pytest.mark.parametrize(("half_ms", "borrowed"), [(20.0, False), (30.0, True)])
def test_an_instant_is_borrowed_where_a_cards_own_pictures_told_hardly_anything(
    field: FieldModel, half_ms: float, borrowed: bool
) -> None:
    told, best = in_rows(field, [flight(field, 7, 125.0, half_ms), flight(field, 8, 105.0, 2.0)], {})
    assert (told.borrowed, best.borrowed) == (borrowed, False)


def test_the_card_that_drives_another_goes_before_it(field: FieldModel) -> None:
    behind, best, ahead = in_rows(
        field,
        [flight(field, 6, 110.0, 20.0), flight(field, 7, 105.0, 2.0), flight(field, 8, 110.0, 20.0)],
        {},
    )
    assert behind.launch.t_ns + 0.7e6 < best.launch.t_ns < ahead.launch.t_ns - 0.7e6


def test_a_row_is_told_from_card_to_card(field: FieldModel) -> None:
    cards = [flight(field, number, 120.0, 20.0) for number in (6, 7, 8)]
    told = in_rows(field, [*cards, flight(field, 9, 105.0, 2.0)], {})
    assert max(abs(one.launch.t_ns / _MS - 105.0) for one in told) < 4.0


@pytest.mark.parametrize("other", [2, 9], ids=["in another row", "with a gap between"])
def test_a_card_that_lies_apart_says_nothing(field: FieldModel, other: int) -> None:
    told, _ = in_rows(field, [flight(field, 7, 120.0, 20.0), flight(field, other, 105.0, 2.0)], {})
    assert abs(told.launch.t_ns / _MS - 120.0) < 0.5


def test_a_neighbour_that_is_told_no_better_is_not_asked(field: FieldModel) -> None:
    told = in_rows(field, [flight(field, 7, 120.0, 10.0), flight(field, 8, 112.0, 8.0)], {})
    assert [round(one.launch.t_ns / _MS) for one in told] == [120, 112]


def test_what_a_cards_own_pictures_rule_out_its_neighbours_do_not_tell(field: FieldModel) -> None:
    told, _ = in_rows(field, [flight(field, 7, 140.0, 15.0), flight(field, 8, 105.0, 2.0)], {})
    assert told.launch.t_ns > 125.0 * _MS
