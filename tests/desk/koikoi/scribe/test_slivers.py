"""Cards that are hardly readable or were misread are identified by the other cards on the table."""

from dataclasses import replace

import pytest

from desk.koikoi.scribe.look import UnreadPrint
from referee.koikoi.events import Draw, Play
from tests.desk.koikoi.koikoi_told import DEALT, Table


def test_a_sliver_that_turns_up_in_a_pile_is_no_move() -> None:
    table = Table()
    table.change(0, to_field=1, at_stock=False)
    table.piles[0].add(30)
    table.slivers = {30}
    table.change(0, to_field=32, to_pile=(0, 1))
    table.change(1, to_field=36, at_stock=False)
    assert table.lawful == [Play(0, 1, (0,)), Draw(0, 32, ())]


def test_a_pair_of_which_nothing_can_be_read_still_lies_there() -> None:
    table = Table()
    table.field.discard(0)
    table.glimpse(1, 1000, turned=False)
    table.rest(0)
    table.change(0, to_field=32, to_pile=(0,))
    table.change(1, to_field=36, at_stock=False)
    assert table.lawful == [Play(0, 1, (0,)), Draw(0, 32, ())]


def test_a_pair_of_which_nothing_can_be_read_at_the_end_of_a_round_was_captured() -> None:
    table = Table()
    table.change(0, to_field=32, at_stock=False)
    table.glimpse(1, table.t_ms - 1000)
    table.field.discard(0)
    table.rest(0, at_stock=True)
    table.scribe.close()
    assert table.lawful == [Play(0, 32, ()), Draw(0, 1, (0,))]


def test_a_sliver_read_anew_beside_a_drawn_card_of_its_month() -> None:
    table = Table()
    table.piles[0].add(2)
    table.slivers, table.alike = {2}, {2: {2: 0.9, 1: 0.5}}
    table.change(0, to_field=1, to_pile=(0,))
    table.piles[0].remove(2)
    table.piles[0].add(3)
    table.slivers = {3}
    table.change(1, to_field=36, at_stock=False)
    table.change(1, to_field=40)
    table.change(0, to_field=44, at_stock=False)
    assert table.lawful[:2] == [Play(0, 3, (0,)), Draw(0, 1, ())]


@pytest.mark.parametrize(("to_the_match", "flags"), [(0.2, ["wrong_month"]), (0.7, ["unsure"])])
def test_a_sliver_is_misread_only_where_it_is_like_what_else_may_lie_there(
    to_the_match: float, flags: list[str]
) -> None:
    table = Table()
    table.slivers = {33}
    table.alike = {33: {33: 0.8, 1: to_the_match, 47: 0.8}}
    table.piles[0].add(33)
    table.change(0, to_field=36, to_pile=(0,))
    table.change(1, to_field=40, at_stock=False)
    assert table.flags == flags


def test_a_drawn_card_that_is_read_as_a_captured_one_is_another_of_its_like() -> None:
    table = Table()
    table.glimpse(3, 1000, turned=False)
    table.change(0, to_field=32, to_pile=(0, 3))
    table.change(1, to_field=36, at_stock=False)
    table.piles[0].discard(3)
    table.turn = {3}
    table.rest(1, at_stock=True)
    table.turn = set()
    table.change(1, to_field=3)
    table.change(0, to_field=40, at_stock=False)
    assert table.lawful == [Play(0, 3, (0,)), Draw(0, 32, ()), Play(1, 36, ()), Draw(1, 2, ())]


def test_a_card_that_lay_openly_is_believed_before_a_sliver_of_its_month() -> None:
    table = Table()
    table.glimpse(30, 1000, turned=False)
    table.slivers |= {29}
    table.field -= {28}
    table.piles[0].update({28, 29})
    table.turn.add(36)
    table.rest(0, at_stock=True)
    table.turn.clear()
    table.change(1, to_field=40, at_stock=False)
    assert table.moves[0] == Play(0, 30, (28,))


def test_a_sliver_of_a_captured_card_in_another_pile_was_misread() -> None:
    table = Table()
    table.change(0, to_field=1, at_stock=False)
    table.turn.add(36)
    table.field -= {0, 1}
    table.piles[0].update({0, 1})
    table.rest(0, at_stock=True)
    table.field |= {36}
    table.turn.clear()
    table.piles[0].discard(1)
    table.piles[1].add(1)
    table.slivers |= {1}
    table.change(1, to_field=40, at_stock=False)
    table.change(1, to_field=44)
    table.change(0, to_field=32, at_stock=False)
    assert table.flags == []


def test_a_card_that_was_glimpsed_as_it_took_another_lies_in_no_other_pile() -> None:
    table = Table()
    table.change(0, to_field=1)
    table.change(0, to_field=36, to_pile=(0, 1))
    table.glimpse(9, 1000, turned=False, on_pile=True, seats=frozenset({1}))
    table.glimpse(13, 2000, on_pile=True, turned=False, seats=frozenset({1}))
    table.field -= {8, 12}
    table.piles[1].update({8, 12, 13})
    # the drawn card covers 9 by now, and a sliver of what player 0 has captured is read as that
    table.piles[0].add(9)
    table.slivers, table.alike = {9}, {9: {9: 0.87, 0: 0.85}}
    table.rest(1, at_stock=True)
    table.piles[0].discard(9)
    table.slivers.clear()
    table.change(0, to_field=17, at_stock=False)
    assert table.lawful[2:] == [Play(1, 9, (8,)), Draw(1, 13, (12,))]


def test_a_sliver_that_reads_otherwise_the_next_time_was_another_card() -> None:
    table = Table()
    table.slivers |= {29}
    table.field -= {28}
    table.piles[0].update({28, 29})
    table.turn.add(36)
    table.rest(0, at_stock=True)
    table.turn.clear()
    table.field |= {36}
    table.piles[0].discard(29)
    table.piles[0].add(31)
    table.slivers |= {31}
    table.rest(0)
    table.change(1, to_field=40, at_stock=False)
    assert table.lawful[:2] == [Play(0, 31, (28,)), Draw(0, 36, ())]


def test_a_card_of_the_middle_that_cannot_be_told_any_more_lies_there_still() -> None:
    none: frozenset[int] = frozenset()
    table = Table()
    dealt = table.scribe.looks[-1]
    print_of_4 = UnreadPrint(200, 250, {4: 0.8, 5: 0.82})
    played = replace(dealt, t_ms=3000, field=(DEALT - {4}) | {33}, unread=(print_of_4,), unnamed=1)
    table.scribe.look(replace(played, seats=frozenset({0})))
    drawn = replace(played, t_ms=6000, field=played.field | {37}, seats=frozenset({0}), at_stock=True)
    table.scribe.look(drawn)
    taken = replace(
        drawn, t_ms=9000, field=drawn.field - {33}, unread=(), unnamed=0, captures=(none, frozenset({4, 5}))
    )
    table.scribe.look(replace(taken, field=taken.field | {33, 40}, seats=frozenset({1})))
    table.scribe.close()
    assert table.lawful[2:] == [Play(1, 5, (4,)), Draw(1, 40, ())]


def test_a_sliver_of_a_card_that_somebody_else_lays_in_the_middle_then_was_another_card() -> None:
    table = Table()
    table.change(0, to_field=1, at_stock=False)
    table.piles[0].add(33)
    table.slivers = {33}
    table.change(0, to_field=32, to_pile=(0, 1))
    table.piles[0].discard(33)
    table.slivers.clear()
    table.field.add(33)
    table.turn.add(36)
    table.rest(1, at_stock=True)
    table.turn.clear()
    table.field = (table.field - {32, 33}) | {36}
    table.piles[1].update({32, 33})
    table.slivers = {33}
    table.rest(1)
    table.change(0, to_field=40, at_stock=False)
    assert table.lawful[2:4] == [Play(1, 33, (32,)), Draw(1, 36, ())]


def test_a_sliver_of_a_month_of_which_nothing_was_captured_waits_until_it_is_read_again() -> None:
    """Strips of two cards in a fan look like a third; nobody captures one card alone."""
    table = Table()
    table.change(0, to_field=1, at_stock=False)
    table.piles[0].add(41)
    table.slivers, table.alike = {41}, {41: {41: 0.9, 30: 0.6}}
    table.change(0, to_field=32, to_pile=(0, 1))
    table.piles[0].remove(41)
    table.slivers, table.alike = set(), {}
    table.change(1, to_field=36, at_stock=False)
    table.change(1, to_field=41)
    table.change(0, to_field=44, at_stock=False)
    assert table.lawful == [Play(0, 1, (0,)), Draw(0, 32, ()), Play(1, 36, ()), Draw(1, 41, ())]


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
    assert table.lawful[6:] == [Play(1, 5, (4,)), Draw(1, 2, (1,))]


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
    assert table.lawful == [Play(0, 3, (0,)), Draw(0, 36, ()), Play(1, 40, ()), Draw(1, 44, ())]


def collected(field: set[int], hand: tuple[int, int], turned: int, on_pile: dict[int, int]) -> Table:
    """Return a table after a hand card was laid over another and a turned one: all that came to the pile."""
    table = Table(field, 3000.0)
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
    assert table.lawful[:4] == [Play(0, 1, (0,)), Draw(0, 37, ()), Play(1, 39, (37,)), Draw(1, 40, ())]


@pytest.mark.parametrize("rested_first", [False, True])
def test_a_dealt_card_read_as_its_like_was_taken_before_that_one_was_drawn(rested_first: bool) -> None:
    table = Table({0, 4, 8, 12, 16, 20, 24, 30}, 3000.0)
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
