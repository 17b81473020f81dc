"""Cards that were seen on a pile before the table came to rest, and of which nothing is read afterwards."""

import pytest

from desk.koikoi.scribe.scribe import Scribe
from referee.koikoi.events import Draw, Play
from referee.koikoi.house_rules import PRESETS
from tests.desk.koikoi.koikoi_told import Table


def test_a_hand_card_that_was_seen_on_the_pile_only_took_one_of_the_two() -> None:
    table = Table()
    table.scribe = Scribe(PRESETS["kasu-2008"], players=2, dealer=0)
    table.field = {0, 2, 8, 12, 16, 20, 24, 28}
    table.rest()
    table.glimpse(1, 4000, turned=False, on_pile=True)
    table.glimpse(3, 4500)
    table.field -= {0, 2}
    table.piles[0].update({0, 3})
    table.rest(0, at_stock=True)
    table.change(1, to_field=40, at_stock=False)
    played, drawn = table.moves[:2]
    assert isinstance(played, Play)
    assert isinstance(drawn, Draw)
    assert [(move.card, len(move.taken)) for move in (played, drawn)] == [(1, 1), (3, 1)]
    assert table.flags == []


def test_a_pair_of_which_nothing_is_read_was_captured_where_one_of_it_was_seen_on_the_pile() -> None:
    table = Table()
    table.glimpse(1, 500, turned=False, at_stock=False, over=0)
    table.glimpse(5, 1500)
    table.glimpse(1, 2500, turned=False, on_pile=True)
    table.field -= {0, 4}
    table.piles[0].add(5)
    table.rest(0, at_stock=True)
    table.change(1, to_field=40, at_stock=False)
    table.change(1, to_field=44)
    table.change(0, to_field=32, at_stock=False)
    assert table.moves[:2] == [Play(0, 1, (0,)), Draw(0, 5, (4,))]
    assert table.flags == []


def test_the_concluded_card_is_read_in_another_pile_so_it_was_another_of_its_like() -> None:
    table = Table()
    table.change(0, to_field=32, to_pile=(0,))
    table.change(1, to_field=1, at_stock=False)
    table.change(1, to_field=40)
    assert table.moves[0] == Play(0, 3, (0,))
    table.change(0, to_field=36, at_stock=False)
    table.change(0, to_field=44)
    table.glimpse(5, table.t_ms - 2500, turned=False, at_stock=False, over=4)
    table.glimpse(3, table.t_ms - 1500)
    table.field -= {1, 4}
    table.piles[1].update({1, 3, 4, 5})
    table.rest(1, at_stock=True)
    table.change(0, to_field=33, at_stock=False)
    assert table.moves[6:] == [Play(1, 5, (4,)), Draw(1, 2, (1,))]
    assert table.flags == []


def test_a_card_that_was_seen_on_the_pile_and_lies_wholly_under_others_was_taken_along() -> None:
    table = Table()
    table.glimpse(1, 500, turned=False, at_stock=False, over=0)
    table.glimpse(8, 1500, turned=False, on_pile=True)
    table.glimpse(36, 2500)
    table.field -= {0, 8}
    table.field |= {36}
    table.piles[0].update({0, 1})
    table.rest(0, at_stock=True)
    table.change(1, to_field=40, at_stock=False)
    assert table.moves[:2] == [Play(0, 1, (0, 8)), Draw(0, 36, ())]
    assert table.flags == ["extra_card_taken"]


def test_a_sliver_read_as_the_like_of_the_card_that_was_taken_is_that_card() -> None:
    table = Table()
    table.scribe = Scribe(PRESETS["kasu-2008"], players=2, dealer=0)
    table.field = {2, 4, 8, 12, 16, 20, 24, 28}
    table.rest()
    table.glimpse(1, 3600, turned=False, on_pile=True)
    table.glimpse(36, 4500)
    table.glimpse(3, 5000, turned=False, on_pile=True)
    table.field = (table.field - {2}) | {36}
    table.piles[0].update({1, 3})
    table.slivers, table.alike = {3}, {3: {3: 0.9, 2: 0.48}}
    table.rest(0, at_stock=True)
    table.piles[0].symmetric_difference_update({2, 3})
    table.slivers, table.alike = {2}, {}
    table.change(1, to_field=40, at_stock=False)
    table.change(1, to_field=44)
    table.glimpse(3, table.t_ms - 1000, turned=False, at_stock=False)
    table.change(0, to_field=3, at_stock=False)
    table.change(0, to_field=33)
    table.change(1, to_field=45, at_stock=False)
    assert table.moves[:2] == [Play(0, 1, (2,)), Draw(0, 36, ())]
    assert table.moves[4] == Play(0, 3, ())
    assert not {"card_returned", "wrong_strip", "drew_twice"} & set(table.flags)


def test_of_a_pair_in_the_pile_one_is_read_as_its_like() -> None:
    table = Table()
    table.over = {3: 0}
    table.change(0, to_field=3, at_stock=False)
    table.turn = {36}
    table.rest(0, at_stock=True)
    table.over, table.turn = {}, set()
    table.glimpse(3, table.t_ms - 2000, turned=False, on_pile=True)
    table.glimpse(0, table.t_ms - 1500, turned=False, on_pile=True)
    table.field -= {0, 3}
    table.field |= {36}
    table.piles[0].update({0, 2})
    table.slivers, table.alike = {2}, {2: {2: 0.88, 3: 0.45}}
    table.rest(0, at_stock=True)
    table.slivers, table.alike = set(), {}
    table.piles[0].discard(2)
    table.change(1, to_field=40, at_stock=False)
    table.change(1, to_field=44)
    table.change(0, to_field=32, at_stock=False)
    assert table.moves == [Play(0, 3, (0,)), Draw(0, 36, ()), Play(1, 40, ()), Draw(1, 44, ())]
    assert table.flags == []


def collected(field: set[int], hand: tuple[int, int], turned: int, on_pile: dict[int, int]) -> Table:
    """Return a table after a hand card was laid over another and a turned one: all that came to the pile."""
    table = Table()
    table.scribe = Scribe(PRESETS["kasu-2008"], players=2, dealer=0)
    table.field = field
    table.rest()
    table.glimpse(hand[0], 4000, turned=False, at_stock=False, over=hand[1])
    table.glimpse(turned, 5500)
    for card, t_ms in on_pile.items():
        table.glimpse(card, t_ms, turned=False, on_pile=True)
    table.field -= on_pile.keys()
    table.piles[0].update(on_pile)
    table.rest(0, at_stock=True)
    table.change(1, to_field=40, at_stock=False)
    return table


def test_an_extra_card_was_taken_by_the_card_with_which_it_came_to_the_pile() -> None:
    came = {11: 7000, 0: 7600, 1: 8100, 8: 9600, 10: 9700}
    table = collected({0, 8, 11, 12, 16, 20, 24, 28}, (1, 0), 10, came)
    assert table.moves[:2] == [Play(0, 1, (0, 11)), Draw(0, 10, (8,))]
    assert table.flags == ["extra_card_taken"]


def test_a_turned_card_took_both_of_two_that_came_to_the_pile_with_it() -> None:
    # the arm hid the hand card until it was away
    came = {0: 7000, 11: 8500, 1: 8700, 8: 9000, 10: 9700}
    table = collected({0, 8, 11, 12, 16, 20, 24, 28}, (1, 0), 10, came)
    assert table.moves[:2] == [Play(0, 1, (0,)), Draw(0, 10, (8, 11))]
    assert table.flags == ["took_both_of_two"]


def test_a_card_that_an_arm_hid_on_the_pile_went_with_its_month_all_the_same() -> None:
    came = {9: 7000, 8: 7600, 10: 9700, 0: 9700, 1: 9700}
    table = collected({0, 8, 10, 12, 16, 20, 24, 28}, (9, 8), 1, came)
    assert table.moves[:2] == [Play(0, 9, (8, 10)), Draw(0, 1, (0,))]
    assert table.flags == ["took_both_of_two"]


def test_a_turned_card_on_which_the_next_player_has_laid_his_was_drawn() -> None:
    table = Table()
    table.glimpse(1, 500, turned=False, at_stock=False, over=0, seats=frozenset({0}))
    table.glimpse(37, 2000, turned=False, reach_ms=2200, seats=frozenset({0}))
    table.glimpse(39, 2800, turned=False, over=37, reach_ms=450, seats=frozenset({1}))
    table.field = (table.field | {39}) - {0}
    table.piles[0].update({0, 1})
    table.rest(0, 1, at_stock=True)
    table.field -= {39}
    table.piles[1].update({37, 39})
    table.change(1, to_field=40)
    table.change(0, to_field=45, at_stock=False)
    assert table.moves[:4] == [Play(0, 1, (0,)), Draw(0, 37, ()), Play(1, 39, (37,)), Draw(1, 40, ())]
    assert table.flags == []


def test_what_a_card_took_that_was_seen_on_the_pile_lies_under_it_though_the_next_player_has_begun() -> None:
    table = Table()
    table.glimpse(1, 500, turned=False, at_stock=False, on_pile=True, seats=frozenset({0}))
    table.glimpse(5, 1800, turned=False, on_pile=True, seats=frozenset({0}))
    table.glimpse(40, 2500, turned=False, reach_ms=450, seats=frozenset({1}))
    table.field = (table.field | {40}) - {0, 4}
    table.piles[0].update({4, 5})
    table.untold = ((0, {0: 0.6, 17: 0.6}), (0, {1: 0.6, 19: 0.6}))
    table.rest(0, 1, at_stock=True)
    table.change(1, to_field=44)
    table.change(0, to_field=33, at_stock=False)
    assert table.moves[:4] == [Play(0, 1, (0,)), Draw(0, 5, (4,)), Play(1, 40, ()), Draw(1, 44, ())]
    assert table.flags == []


def test_what_an_unread_card_took_was_on_the_pile_before_the_other_card_was_laid() -> None:
    table = Table()
    table.glimpse(0, 800, turned=False, at_stock=False, on_pile=True)
    table.glimpse(5, 1500, turned=False, over=4, reach_ms=1300)
    table.field -= {0, 4}
    table.piles[0].update({0, 4, 5})
    table.rest(0, at_stock=True)
    table.change(1, to_field=40, at_stock=False)
    assert table.moves[:2] == [Play(0, 3, (0,)), Draw(0, 5, (4,))]


def test_a_card_that_nobody_saw_took_its_match_before_that_came_to_the_pile() -> None:
    table = Table()
    table.stock_ms = 2000
    table.glimpse(0, 1500, turned=False, at_stock=False, on_pile=True)
    table.glimpse(4, 3400, turned=False, on_pile=True)
    table.glimpse(5, 3700, turned=False, on_pile=True)
    table.t_ms = 3900
    table.field -= {0, 4}
    table.piles[0].update({0, 1, 4, 5})
    table.rest(0, at_stock=True)
    table.change(1, to_field=40, at_stock=False)
    assert table.moves[:2] == [Play(0, 1, (0,)), Draw(0, 5, (4,))]


def test_a_pair_that_came_to_the_pile_just_before_the_table_rested_was_the_last() -> None:
    table = Table()
    table.stock_ms = 2000
    table.glimpse(4, 3850, turned=False, on_pile=True)
    table.t_ms = 4000
    table.field -= {0, 4}
    table.piles[0].update({0, 4, 5})
    table.rest(0, at_stock=True)
    table.change(1, to_field=40, at_stock=False)
    assert table.moves[:2] == [Play(0, 3, (0,)), Draw(0, 5, (4,))]


def test_of_two_of_a_month_that_took_one_each_the_first_on_the_pile_came_first() -> None:
    table = Table()
    table.field = {0, 1, 4, 8, 12, 16, 20, 24}
    table.scribe = Scribe(PRESETS["kasu-2008"], players=2, dealer=0)
    table.t_ms, table.stock_ms = 0, 2000
    table.rest()
    table.glimpse(3, 1500, turned=False, at_stock=False, on_pile=True)
    table.glimpse(2, 3700, turned=False, on_pile=True)
    table.t_ms = 3900
    table.field -= {0, 1}
    table.piles[0].update({0, 1, 2, 3})
    table.rest(0, at_stock=True)
    table.change(1, to_field=40, at_stock=False)
    assert table.moves[:2] == [Play(0, 3, (0,)), Draw(0, 2, (1,))]


@pytest.mark.parametrize("rested_first", [False, True])
def test_a_dealt_card_read_as_its_like_was_taken_before_that_one_was_drawn(rested_first: bool) -> None:
    table = Table()
    table.scribe = Scribe(PRESETS["kasu-2008"], players=2, dealer=0)
    table.field = {0, 4, 8, 12, 16, 20, 24, 30}
    table.rest()
    if rested_first:
        table.change(0, to_field=28, at_stock=False)
        table.field.discard(28)
    table.glimpse(30, table.t_ms - 1900, turned=False, on_pile=True)
    table.piles[0].update({28, 31})
    table.rest(0, at_stock=True)
    table.change(1, to_field=40, at_stock=False)
    table.change(1, to_field=44)
    table.change(0, to_field=29, to_pile=(30,), at_stock=False)
    table.change(0, to_field=32)
    table.change(1, to_field=36, at_stock=False)
    first, drawn, *_, taking, _ = table.moves
    assert isinstance(taking, Play)
    assert (first, drawn) == (Play(0, 28, (30,)), Draw(0, 31, ()))
    assert taking.taken == (31,)
    assert table.flags == []


def test_a_dealt_card_read_as_its_like_is_read_rightly_once_it_is_captured() -> None:
    table = Table()
    table.scribe = Scribe(PRESETS["kasu-2008"], players=2, dealer=0)
    table.field = {0, 4, 8, 12, 16, 20, 24, 30}
    table.rest()
    table.change(0, to_field=40, at_stock=False)
    table.glimpse(29, table.t_ms - 1500)
    table.glimpse(31, table.t_ms - 500, turned=False, on_pile=True)
    table.field.discard(30)
    table.piles[0].update({29, 31})
    table.rest(0, at_stock=True)
    table.change(1, to_field=30, at_stock=False)
    table.change(1, to_field=44)
    table.change(0, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 40, ()), Draw(0, 29, (30,)), Play(1, 31, ()), Draw(1, 44, ())]
    assert table.flags == []


def test_a_pair_of_which_nothing_was_glimpsed_came_before_one_that_has_only_just_come_to_the_pile() -> None:
    table = Table()
    table.change(0, to_field=32, at_stock=False)
    table.change(0, to_field=36)
    table.glimpse(4, table.t_ms - 500, turned=False, on_pile=True)
    table.field -= {0, 4}
    table.piles[1].update({0, 1, 4, 5})
    table.slivers = {1}
    table.rest(1, at_stock=True)
    table.change(0, to_field=40, at_stock=False)
    assert table.moves[2:4] == [Play(1, 1, (0,)), Draw(1, 5, (4,))]
    assert table.flags == []
