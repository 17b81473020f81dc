"""Which card of a turn came from the hand and which from the stock, what each took, and whose turn it was."""

from dataclasses import replace

import pytest

from desk.koikoi.scribe.appearances import COLLECTING_MS, Appearance
from desk.koikoi.scribe.turn import from_stock
from referee.koikoi.events import Draw, Play
from tests.desk.koikoi.koikoi_told import Table


def test_a_card_of_another_month_that_lies_openly_on_the_pile_is_a_fault() -> None:
    table = Table()
    table.change(0, to_field=33, at_stock=False)
    table.change(0, to_field=36, to_pile=(33, 0))
    table.change(1, to_field=40, at_stock=False)
    assert table.flags == ["wrong_month"]


@pytest.mark.parametrize("seen_before_ms", [None, 2100.0])
def test_a_card_that_is_glimpsed_on_the_pile_was_put_down_before_that(seen_before_ms: float | None) -> None:
    table = Table()
    if seen_before_ms is not None:
        table.glimpse(1, seen_before_ms, turned=False)
    table.glimpse(32, 2400, turned=False)
    # the arm that drew 32 has crossed the pile when it left
    table.glimpse(1, 2500, turned=False, on_pile=True)
    table.change(0, to_field=32, to_pile=(0, 1))
    table.change(1, to_field=40, at_stock=False)
    assert table.moves == [Play(0, 1, (0,)), Draw(0, 32, ())]
    assert table.scribe.notes[1].t_ms == (2500 - COLLECTING_MS if seen_before_ms is None else 2100)


def test_a_pair_of_which_one_was_glimpsed_before_the_other_came_to_rest_on_the_pile() -> None:
    table = Table()
    table.glimpse(1, 500, turned=False)
    table.field -= {0, 4}
    table.piles[0].update({0, 4, 5})
    table.rest(0, at_stock=True)
    table.change(1, to_field=36, at_stock=False)
    assert table.lawful == [Play(0, 1, (0,)), Draw(0, 5, (4,))]


def laid_on_table(over: int) -> Table:
    """Seat 0 lays January on one of two others, draws the fourth, and collects both pairs at the end."""
    table = Table()
    table.change(0, to_field=32, at_stock=False)
    table.change(0, to_field=1)
    table.change(1, to_field=36, at_stock=False)
    table.change(1, to_field=40)
    table.glimpse(2, table.t_ms - 2500, turned=False, at_stock=False, over=over)
    table.glimpse(3, table.t_ms - 1500)
    table.field -= {0, 1}
    table.piles[0].update({0, 1, 2, 3})
    table.rest(0, at_stock=True)
    table.change(1, to_field=44, at_stock=False)
    return table


@pytest.mark.parametrize(("over", "other"), [(0, 1), (1, 0)])
def test_each_of_two_cards_took_the_one_that_it_was_laid_on(over: int, other: int) -> None:
    assert laid_on_table(over).moves[-2:] == [Play(0, 2, (over,)), Draw(0, 3, (other,))]


def test_the_next_player_takes_what_has_not_rested_since_it_was_laid() -> None:
    table = Table()
    table.change(0, to_field=33, at_stock=False)
    first, second = frozenset({0}), frozenset({1})
    table.glimpse(40, table.t_ms - 2000, turned=False, seats=first)
    table.glimpse(41, table.t_ms - 1000, turned=False, seats=second)
    table.piles[1].update({40, 41})
    table.rest(0, 1, at_stock=True)
    table.change(1, to_field=44)
    table.change(0, to_field=47, at_stock=False)
    assert table.lawful == [Play(0, 33, ()), Draw(0, 40, ()), Play(1, 41, (40,)), Draw(1, 44, ())]


def test_one_move_over_the_stock_leaves_no_time_for_two_draws() -> None:
    table = Table()
    table.change(0, to_field=38, at_stock=False)
    table.stock_ms = table.t_ms - 1000
    table.glimpse(40, table.t_ms - 300)
    table.glimpse(1, table.t_ms - 100, turned=False)
    table.turn = {40}
    table.field.discard(0)
    table.piles[0].update({0, 1})
    table.rest(0, at_stock=True)
    table.turn, table.field, table.stock_ms = set(), table.field | {40}, None
    table.rest(0)
    table.change(1, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 38, ()), Play(0, 1, (0,)), Draw(0, 40, ())]
    assert table.flags == ["two_hand_cards"]


@pytest.mark.parametrize(("after_ms", "flag"), [(600, "two_hand_cards"), (1400, "drew_twice")])
def test_a_card_laid_down_right_after_a_capture_was_brought_to_the_pile_was_not_drawn(
    after_ms: float, flag: str
) -> None:
    table = Table()
    table.glimpse(1, 1000, turned=False, at_stock=False, on_pile=True)
    table.glimpse(0, 1600, turned=False, on_pile=True)
    table.glimpse(33, 1600 + after_ms, turned=False)
    table.change(0, to_field=33, to_pile=(0, 1))
    table.glimpse(40, table.t_ms - 500)
    table.change(0, to_field=40)
    table.change(1, to_field=36, at_stock=False)
    second = Play(0, 33, ()) if flag == "two_hand_cards" else Draw(0, 33, ())
    assert table.moves == [Play(0, 1, (0,)), second, Draw(0, 40, ())]
    assert table.flags == [flag]


@pytest.mark.parametrize("is_turned", [True, False])
@pytest.mark.parametrize(("laid_ms", "is_drawn"), [(500, False), (1200, True)])
def test_a_card_that_was_laid_sooner_than_a_later_one_can_have_been_turned_came_from_the_hand(
    laid_ms: float, is_drawn: bool, is_turned: bool
) -> None:
    seat = frozenset({1})
    hand = Appearance(0, 1000, drawn=False, seats=seat, look_ms=3200, at_stock=True, on_pile=True)
    laid = replace(hand, card=38, t_ms=3000, reach_ms=laid_ms, on_pile=False)
    # how long an arm had been there is not known of a card that was turned up, but when it was at the stock
    later = Appearance(21, 4700, drawn=is_turned, seats=seat, look_ms=5000, at_stock=True, stock_ms=4000)
    if not is_turned:
        later = replace(later, stock_ms=None, reach_ms=1400)
    assert from_stock(laid, [hand, laid, later], later if is_turned else None) is is_drawn
