"""Cards that were played out of sight are identified by the count of cards."""

import pytest

from referee.koikoi.events import Draw, Play
from tests.desk.koikoi.koikoi_told import Table


def test_a_hand_card_that_was_only_glimpsed_is_the_one_that_took() -> None:
    table = Table()
    table.glimpse(1, 1000, turned=False)
    table.glimpse(32, 2990)
    table.change(0, to_field=32, to_pile=(0,))
    table.change(1, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 1, (0,)), Draw(0, 32, ())]
    assert table.flags == []


def test_a_hand_card_that_nobody_saw_is_concluded_and_the_doubt_is_said() -> None:
    table = Table()
    table.change(0, to_field=32, to_pile=(0,))
    table.change(1, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 3, (0,)), Draw(0, 32, ())]
    assert table.flags == ["unsure"]  # it may have been the ribbon, card 1


@pytest.mark.parametrize(
    ("seat", "alike", "doubts"),
    [
        (0, {1: 0.9, 3: 0.7, 20: 0.8}, []),
        (0, {1: 0.9, 2: 0.85, 20: 0.8}, ["unsure"]),
        (0, {1: 0.8, 3: 0.4, 20: 0.9}, ["unsure"]),
        (1, {1: 0.9, 3: 0.7, 20: 0.8}, ["unsure"]),
    ],
)
def test_a_strip_seen_for_a_moment_tells_which_card_of_the_month_has_taken(
    seat: int, alike: dict[int, float], doubts: list[str]
) -> None:
    table = Table()
    table.scribe.glimpse_strip(seat, alike)
    table.change(0, to_field=32, to_pile=(0,))
    table.change(1, to_field=36, at_stock=False)
    if not doubts:
        assert table.moves == [Play(0, 1, (0,)), Draw(0, 32, ())]
    assert table.flags == doubts


def test_the_doubt_ends_when_what_else_it_may_have_been_is_played() -> None:
    table = Table()
    table.change(0, to_field=32, to_pile=(0,))
    table.change(1, to_field=1, at_stock=False)
    table.change(1, to_field=40)
    table.change(0, to_field=36, at_stock=False)
    assert table.moves[2:] == [Play(1, 1, ()), Draw(1, 40, ())]
    assert table.flags == []


def test_the_card_that_was_concluded_is_played_so_it_was_another_of_its_like() -> None:
    table = Table()
    table.change(0, to_field=32, to_pile=(0,))
    table.change(1, to_field=40, at_stock=False)
    table.change(1, to_field=44)
    table.change(0, to_field=3, at_stock=False)
    table.change(0, to_field=36)
    table.change(1, to_field=9, at_stock=False)
    assert table.moves[4:] == [Play(0, 2, ()), Draw(0, 36, ())]
    assert table.flags == ["unsure"]


def test_the_concluded_card_comes_into_sight_under_its_like_s_number() -> None:
    table = Table()
    table.glimpse(2, 1000, turned=False)
    table.change(0, to_field=32, to_pile=(0,))
    table.change(1, to_field=40, at_stock=False)
    table.piles[0].add(3)
    table.slivers = {3}
    table.change(1, to_field=44)
    table.change(0, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 2, (0,)), Draw(0, 32, ()), Play(1, 40, ()), Draw(1, 44, ())]
    assert table.flags == []


def test_a_turn_of_which_no_card_was_seen_is_told_from_the_turn_before() -> None:
    table = Table()
    table.change(0, to_field=32, at_stock=False)
    table.change(0, to_field=36)
    table.glimpse(1, table.t_ms - 2000, turned=False)
    table.field -= {0, 4}
    table.piles[1].update({0, 4})
    table.rest(1, at_stock=True)
    table.change(0, to_field=40, at_stock=False)
    assert table.moves == [Play(0, 32, ()), Draw(0, 36, ()), Play(1, 1, (0,)), Draw(1, 7, (4,))]


def test_a_second_drawn_card_that_nobody_saw_being_turned() -> None:
    table = Table()
    table.change(0, to_field=32, at_stock=False)
    table.glimpse(36, table.t_ms - 1000)
    table.change(0, to_field=36)
    table.change(0, to_field=40)
    table.change(1, to_field=44, at_stock=False)
    assert table.moves == [Play(0, 32, ()), Draw(0, 36, ()), Draw(0, 40, ())]
    assert table.flags == ["drew_twice"]


def test_the_drawn_card_of_the_turn_before_is_taken_by_a_card_that_nobody_saw() -> None:
    table = Table()
    table.change(0, to_field=32, at_stock=False)
    table.change(0, to_field=36)
    table.field.discard(36)
    table.field.discard(0)  # under the other pair: nothing can be seen of it
    table.piles[1].add(36)
    table.glimpse(37, table.t_ms - 2000, turned=False)
    table.glimpse(1, table.t_ms - 1000, turned=False)
    table.rest(1, at_stock=True)
    table.change(0, to_field=40, at_stock=False)
    assert table.moves == [Play(0, 32, ()), Draw(0, 36, ()), Play(1, 37, (36,)), Draw(1, 1, (0,))]
    assert table.flags == []


def test_a_hurried_player_lays_his_card_before_the_table_has_rested() -> None:
    table = Table()
    table.change(0, to_field=33, at_stock=False)
    first, second = frozenset({0}), frozenset({1})
    table.glimpse(40, table.t_ms - 2000, turned=False, reach_ms=1800, seats=first)
    table.glimpse(37, table.t_ms - 1000, turned=False, reach_ms=500, seats=second)
    table.glimpse(44, table.t_ms - 500, seats=second)
    table.field |= {37, 40}
    table.turn = {44}
    table.rest(0, 1, at_stock=True)
    table.turn, table.field = set(), table.field | {44}
    table.rest(1)
    table.change(0, to_field=41, at_stock=False)
    assert table.moves == [Play(0, 33, ()), Draw(0, 40, ()), Play(1, 37, ()), Draw(1, 44, ())]
    assert table.flags == []


def test_a_second_hand_card_that_was_only_glimpsed_has_taken_what_nothing_else_took() -> None:
    table = Table()
    table.glimpse(1, 500, turned=False, at_stock=False, over=0)
    table.glimpse(5, 1500, turned=False, at_stock=False)
    table.change(0, to_field=3, to_pile=(0, 4, 5))
    table.change(1, to_field=40, at_stock=False)
    assert table.moves == [Play(0, 1, (0,)), Play(0, 5, (4,)), Draw(0, 3, ())]
    assert table.flags == ["two_hand_cards"]


def test_a_concluded_card_that_is_played_later_was_the_only_other_one_left() -> None:
    table = Table()
    table.change(0, to_field=32, to_pile=(0,))
    table.change(1, to_field=2, at_stock=False)
    assert table.moves[0] == Play(0, 3, (0,))
    table.change(1, to_field=44)
    table.change(0, to_field=3, at_stock=False)
    table.change(0, to_field=40, to_pile=(2, 3))
    table.change(1, to_field=36, at_stock=False)
    assert table.moves == [
        *(Play(0, 1, (0,)), Draw(0, 32, ())),
        *(Play(1, 2, ()), Draw(1, 44, ())),
        *(Play(0, 3, (2,)), Draw(0, 40, ())),
    ]
    assert table.flags == []


def test_a_second_drawn_card_that_was_only_glimpsed_has_taken_what_nothing_else_took() -> None:
    table = Table()
    table.glimpse(33, table.t_ms - 500, turned=False, at_stock=False, reach_ms=500)
    table.change(0, to_field=33, at_stock=False)
    table.glimpse(40, table.t_ms - 1000)
    table.change(0, to_field=40)
    # it is laid on its match after the arm has been at the stock, and nobody sees it under the pile
    table.glimpse(1, table.t_ms - 1500, turned=False, over=0, reach_ms=1900)
    table.field.discard(0)
    table.piles[0].add(0)
    table.rest(0, at_stock=True)
    table.change(1, to_field=44, at_stock=False)
    assert table.moves == [Play(0, 33, ()), Draw(0, 40, ()), Draw(0, 1, (0,))]
    assert table.flags == ["drew_twice"]


def test_a_second_hand_card_that_nobody_glimpsed_was_only_brought_over_the_stock() -> None:
    table = Table()
    table.glimpse(33, table.t_ms - 500, turned=False, at_stock=False, reach_ms=500)
    table.change(0, to_field=33, at_stock=False)
    table.stock_ms = table.t_ms - 500
    table.change(0, to_field=36)
    table.glimpse(40, table.t_ms - 300)
    table.stock_ms = table.t_ms - 1500
    table.change(0, to_field=40)
    table.change(1, to_field=44, at_stock=False)
    assert table.moves == [Play(0, 33, ()), Play(0, 36, ()), Draw(0, 40, ())]
    assert table.flags == ["two_hand_cards"]


def test_the_last_turn_of_which_a_pair_can_only_be_told_by_its_prints_is_complete() -> None:
    table = Table()
    table.field -= {0, 4}
    table.piles[0].update({4, 5})
    table.untold = ((0, {1: 0.6}), (0, {0: 0.6}))
    table.glimpse(4, table.t_ms - 100, turned=False, on_pile=True)
    table.rest(0, at_stock=True)
    table.scribe.close()
    assert table.moves == [Play(0, 1, (0,)), Draw(0, 5, (4,))]
    assert table.flags == []
