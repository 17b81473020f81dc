"""Cards that nobody has read, and slivers that were read wrongly: what the count of cards tells of them."""

from dataclasses import replace

import pytest

from desk.koikoi_appearance import COLLECTING_MS, Appearance, Glimpses, from_stock
from desk.koikoi_look import Look, UnreadPrint
from desk.koikoi_scribe import Scribe
from referee.koikoi.events import Draw, Play
from referee.koikoi.house_rules import PRESETS

DEALT = frozenset({0, 4, 8, 12, 16, 20, 24, 28})
"""One card of each of the months 1 to 8; seat 0 begins."""


class Table:
    """Tells a scribe what lies on the table: `field` and each seat's pile are what can be read."""

    def __init__(self) -> None:
        self.field, self.slivers = set(DEALT), set[int]()
        self.turn, self.untold = set[int](), tuple[tuple[int, dict[int, float]], ...]()
        self.alike: dict[int, dict[int, float]] = {}
        self.stock_ms: float | None = None
        self.piles: tuple[set[int], set[int]] = (set(), set())
        self.scribe = Scribe(PRESETS["kasu-2008"], players=2, dealer=0)
        self.t_ms = 0.0
        self.rest()

    def rest(self, *seats: int, at_stock: bool = False) -> None:
        """The table comes to rest after these seats' arms have left."""
        piles = tuple(map(frozenset, self.piles))
        none: frozenset[int] = frozenset()
        middle, turn, slivers = frozenset(self.field), frozenset(self.turn), frozenset(self.slivers)
        arms = frozenset(seats)
        self.scribe.look(
            Look(
                self.t_ms,
                middle,
                turn,
                piles,
                none,
                0,
                arms,
                {},
                at_stock,
                slivers,
                self.untold,
                alike=self.alike,
                stock_ms=self.stock_ms,
            )
        )
        self.t_ms += 3000

    def change(
        self, seat: int, *, to_field: int, to_pile: tuple[int, ...] = (), at_stock: bool = True
    ) -> None:
        """One look shows a card in the middle and others on the player's pile."""
        self.field = (self.field | {to_field}) - set(to_pile)
        self.piles[seat].update(to_pile)
        self.rest(seat, at_stock=at_stock)

    @property
    def moves(self) -> list[object]:
        return [noted.event for noted in self.scribe.notes if isinstance(noted.event, Play | Draw)]

    @property
    def flags(self) -> list[str]:
        judged = [flag.id.value for flag in self.scribe.match.flags]
        return judged + [flag.id.value for flag in self.scribe.flags]


def test_a_hand_card_that_was_only_glimpsed_is_the_one_that_took() -> None:
    table = Table()
    table.scribe.glimpse(1, 1000, turned=False)
    table.scribe.glimpse(32, 2990)
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
    table.scribe.glimpse(2, 1000, turned=False)
    table.change(0, to_field=32, to_pile=(0,))
    table.change(1, to_field=40, at_stock=False)
    table.piles[0].add(3)
    table.slivers = {3}
    table.change(1, to_field=44)
    table.change(0, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 2, (0,)), Draw(0, 32, ()), Play(1, 40, ()), Draw(1, 44, ())]
    assert table.flags == []


def test_a_sliver_that_turns_up_in_a_pile_is_no_move() -> None:
    table = Table()
    table.change(0, to_field=1, at_stock=False)
    table.piles[0].add(30)
    table.slivers = {30}
    table.change(0, to_field=32, to_pile=(0, 1))
    table.change(1, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 1, (0,)), Draw(0, 32, ())]
    assert table.flags == []


def test_a_pair_of_which_nothing_can_be_read_still_lies_there() -> None:
    table = Table()
    table.field.discard(0)
    table.scribe.glimpse(1, 1000, turned=False)
    table.rest(0)
    table.change(0, to_field=32, to_pile=(0,))
    table.change(1, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 1, (0,)), Draw(0, 32, ())]
    assert table.flags == []


def test_a_pair_of_which_nothing_can_be_read_at_the_end_of_a_round_was_captured() -> None:
    table = Table()
    table.change(0, to_field=32, at_stock=False)
    table.scribe.glimpse(1, table.t_ms - 1000)
    table.field.discard(0)
    table.rest(0, at_stock=True)
    table.scribe.close()
    assert table.moves == [Play(0, 32, ()), Draw(0, 1, (0,))]
    assert table.flags == []


def test_a_card_taken_along_of_which_a_print_in_the_pile_cannot_be_told() -> None:
    table = Table()
    table.change(0, to_field=1, at_stock=False)
    table.untold = ((0, {16: 0.6, 47: 0.6}),)
    table.field.discard(16)
    table.change(0, to_field=32, to_pile=(0, 1))
    table.change(1, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 1, (0, 16)), Draw(0, 32, ())]
    assert table.flags == ["extra_card_taken"]


def test_two_alike_of_which_the_turned_one_is_read_as_the_other_may_be_exchanged() -> None:
    table = Table()
    table.scribe.glimpse(30, table.t_ms - 2000, turned=False, at_stock=False, over=28)
    table.scribe.glimpse(30, table.t_ms - 1000)
    table.change(0, to_field=30, to_pile=(28, 31))
    table.change(1, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 31, (28,)), Draw(0, 30, ())]
    assert table.flags == []


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
    assert table.moves[:2] == [Play(0, 3, (0,)), Draw(0, 1, ())]
    assert table.flags == []


def test_a_card_of_another_month_that_lies_openly_on_the_pile_is_a_fault() -> None:
    table = Table()
    table.change(0, to_field=33, at_stock=False)
    table.change(0, to_field=36, to_pile=(33, 0))
    table.change(1, to_field=40, at_stock=False)
    assert table.flags == ["wrong_month"]


def test_two_hand_cards_of_which_the_second_is_seen_together_with_the_drawn_card() -> None:
    table = Table()
    table.change(0, to_field=33, at_stock=False)
    table.scribe.glimpse(40, table.t_ms - 2000, turned=False, at_stock=False)
    table.scribe.glimpse(44, table.t_ms - 1000)
    table.field.add(44)
    table.change(0, to_field=40)
    table.change(1, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 33, ()), Play(0, 40, ()), Draw(0, 44, ())]
    assert table.flags == ["two_hand_cards"]


def test_two_drawn_cards_of_which_the_first_is_seen_together_with_the_second() -> None:
    table = Table()
    table.change(0, to_field=33, at_stock=False)
    table.scribe.glimpse(1, table.t_ms - 2000, turned=False)
    table.scribe.glimpse(40, table.t_ms - 1000)
    table.change(0, to_field=40, to_pile=(0, 1))
    table.change(1, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 33, ()), Draw(0, 1, (0,)), Draw(0, 40, ())]
    assert table.flags == ["drew_twice"]


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


def test_a_card_that_rested_before_anyone_was_at_the_stock_came_from_the_hand() -> None:
    none: frozenset[int] = frozenset()
    rested_ms = {0: 100.0, 1: 900.0}
    look = Look(1000, frozenset({0, 1}), none, (none, none), none, 0, none, rested_ms, True, stock_ms=500)
    cards = Glimpses().appearances(look.field, look, waits_for_draw=False)
    assert [(card.card, card.at_stock) for card in cards] == [(0, False), (1, True)]


def test_a_turn_of_which_no_card_was_seen_is_told_from_the_turn_before() -> None:
    table = Table()
    table.change(0, to_field=32, at_stock=False)
    table.change(0, to_field=36)
    table.scribe.glimpse(1, table.t_ms - 2000, turned=False)
    table.field -= {0, 4}
    table.piles[1].update({0, 4})
    table.rest(1, at_stock=True)
    table.change(0, to_field=40, at_stock=False)
    assert table.moves == [Play(0, 32, ()), Draw(0, 36, ()), Play(1, 1, (0,)), Draw(1, 7, (4,))]


def test_a_print_that_cannot_be_told_says_which_of_the_month_s_cards_it_was() -> None:
    table = Table()
    table.untold = ((0, {1: 0.8, 2: 0.4, 3: 0.5}),)
    table.change(0, to_field=32, to_pile=(0,))
    table.change(1, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 1, (0,)), Draw(0, 32, ())]
    assert table.flags == []


def test_a_drawn_card_that_is_read_as_a_captured_one_is_another_of_its_like() -> None:
    table = Table()
    table.scribe.glimpse(3, 1000, turned=False)
    table.change(0, to_field=32, to_pile=(0, 3))
    table.change(1, to_field=36, at_stock=False)
    table.piles[0].discard(3)
    table.turn = {3}
    table.rest(1, at_stock=True)
    table.turn = set()
    table.change(1, to_field=3)
    table.change(0, to_field=40, at_stock=False)
    assert table.moves == [Play(0, 3, (0,)), Draw(0, 32, ()), Play(1, 36, ()), Draw(1, 2, ())]
    assert table.flags == []


def test_what_lay_there_before_the_stock_was_touched_is_the_hand_card() -> None:
    table = Table()
    table.scribe.glimpse(36, 2400, turned=False)
    table.scribe.glimpse(32, 2500, turned=False, at_stock=False)
    table.field |= {32, 36}
    table.rest(0, at_stock=True)
    table.change(1, to_field=40, at_stock=False)
    assert table.moves == [Play(0, 32, ()), Draw(0, 36, ())]


@pytest.mark.parametrize("seen_before_ms", [None, 2100.0])
def test_a_card_that_is_glimpsed_on_the_pile_was_put_down_before_that(seen_before_ms: float | None) -> None:
    table = Table()
    if seen_before_ms is not None:
        table.scribe.glimpse(1, seen_before_ms, turned=False)
    table.scribe.glimpse(32, 2400, turned=False)
    # the arm that drew 32 has crossed the pile when it left
    table.scribe.glimpse(1, 2500, turned=False, on_pile=True)
    table.change(0, to_field=32, to_pile=(0, 1))
    table.change(1, to_field=40, at_stock=False)
    assert table.moves == [Play(0, 1, (0,)), Draw(0, 32, ())]
    assert table.scribe.notes[1].t_ms == (2500 - COLLECTING_MS if seen_before_ms is None else 2100)


def test_who_was_glimpsed_on_the_pile_just_before_the_table_rested_came_last() -> None:
    table = Table()
    table.scribe.glimpse(5, 2850, turned=False, on_pile=True)
    table.field -= {0, 4}
    table.piles[0].update({0, 4, 5})
    table.rest(0, at_stock=True)
    table.change(1, to_field=40, at_stock=False)
    (first, second) = table.moves
    assert isinstance(first, Play)
    assert first.taken == (0,)
    assert second == Draw(0, 5, (4,))


@pytest.mark.parametrize("stays_turned", [True, False])
def test_a_drawn_card_that_is_read_as_the_hand_card_s_like(stays_turned: bool) -> None:
    table = Table()
    table.scribe.glimpse(30, 2100, turned=False, at_stock=False, over=28)
    # 31 is turned up, chaff of the same month
    table.scribe.glimpse(30, 2600)
    table.field.add(30)
    (table.turn if stays_turned else table.field).add(31)
    table.rest(0, at_stock=True)
    table.turn.clear()
    table.field -= {28, 30}
    table.field.add(31)
    table.piles[0].update({28, 30})
    table.rest(0)
    table.change(1, to_field=40, at_stock=False)
    assert table.moves[0] == Play(0, 30, (28,))
    assert isinstance(table.moves[1], Draw)
    assert table.moves[1].card == 31


def test_a_second_drawn_card_that_nobody_saw_being_turned() -> None:
    table = Table()
    table.change(0, to_field=32, at_stock=False)
    table.scribe.glimpse(36, table.t_ms - 1000)
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
    table.scribe.glimpse(37, table.t_ms - 2000, turned=False)
    table.scribe.glimpse(1, table.t_ms - 1000, turned=False)
    table.rest(1, at_stock=True)
    table.change(0, to_field=40, at_stock=False)
    assert table.moves == [Play(0, 32, ()), Draw(0, 36, ()), Play(1, 37, (36,)), Draw(1, 1, (0,))]
    assert table.flags == []


def test_a_glimpse_misread_as_its_like_does_not_date_a_card_that_was_glimpsed_rightly() -> None:
    table = Table()
    table.scribe.glimpse(46, 1000, turned=False)
    table.scribe.glimpse(32, 1500, turned=False)
    table.scribe.glimpse(45, 2500, turned=False)
    table.field |= {32, 45}
    table.rest(0, at_stock=True)
    table.change(1, to_field=40, at_stock=False)
    assert table.moves == [Play(0, 32, ()), Draw(0, 45, ())]


def test_a_pair_of_which_one_was_glimpsed_before_the_other_came_to_rest_on_the_pile() -> None:
    table = Table()
    table.scribe.glimpse(1, 500, turned=False)
    table.field -= {0, 4}
    table.piles[0].update({0, 4, 5})
    table.rest(0, at_stock=True)
    table.change(1, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 1, (0,)), Draw(0, 5, (4,))]
    assert table.flags == []


def laid_on_table(over: int) -> Table:
    """Seat 0 lays January on one of two others, draws the fourth, and collects both pairs at the end."""
    table = Table()
    table.change(0, to_field=32, at_stock=False)
    table.change(0, to_field=1)
    table.change(1, to_field=36, at_stock=False)
    table.change(1, to_field=40)
    table.scribe.glimpse(2, table.t_ms - 2500, turned=False, at_stock=False, over=over)
    table.scribe.glimpse(3, table.t_ms - 1500)
    table.field -= {0, 1}
    table.piles[0].update({0, 1, 2, 3})
    table.rest(0, at_stock=True)
    table.change(1, to_field=44, at_stock=False)
    return table


@pytest.mark.parametrize(("over", "other"), [(0, 1), (1, 0)])
def test_each_of_two_cards_took_the_one_that_it_was_laid_on(over: int, other: int) -> None:
    assert laid_on_table(over).moves[-2:] == [Play(0, 2, (over,)), Draw(0, 3, (other,))]


def test_a_card_that_lay_openly_is_believed_before_a_sliver_of_its_month() -> None:
    table = Table()
    table.scribe.glimpse(30, 1000, turned=False)
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


def test_a_sliver_in_the_pile_of_a_player_who_was_not_at_the_table_was_misread() -> None:
    table = Table()
    table.change(0, to_field=1)
    table.change(0, to_field=36, to_pile=(0, 1))
    table.scribe.glimpse(9, 1000, turned=False)
    table.scribe.glimpse(13, 1500)
    table.field -= {8, 12}
    table.piles[1].update({8, 9, 12, 13})
    # the captured 1 is covered by now, and a sliver of it is read as another of its month
    table.piles[0].symmetric_difference_update({1, 2})
    table.slivers, table.alike = {2}, {2: {2: 0.9, 1: 0.5}}
    table.rest(1, at_stock=True)
    table.piles[0].symmetric_difference_update({1, 2})
    table.change(0, to_field=17, at_stock=False)
    assert table.moves[2:] == [Play(1, 9, (8,)), Draw(1, 13, (12,))]
    assert table.flags == []


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
    assert table.moves[:2] == [Play(0, 31, (28,)), Draw(0, 36, ())]
    assert table.flags == []


def test_a_card_taken_with_one_of_another_month_although_the_drawn_one_fits() -> None:
    table = Table()
    table.scribe.glimpse(32, 1000, turned=False, at_stock=False)
    table.field -= {0}
    table.piles[0].update({0, 32})
    table.turn.add(1)
    table.rest(0, at_stock=True)
    table.turn.clear()
    table.field |= {1}
    table.rest(0)
    table.change(1, to_field=40, at_stock=False)
    assert table.moves[:2] == [Play(0, 32, (0,)), Draw(0, 1, ())]
    assert table.flags == ["wrong_month"]


def test_a_card_that_still_lay_in_the_middle_did_not_take_what_was_captured_before() -> None:
    table = Table()
    table.change(0, to_field=3, at_stock=False)
    table.change(0, to_field=32)
    table.field.discard(3)
    table.piles[1].update({1, 3})
    table.turn.add(2)
    table.rest(1, at_stock=True)
    table.turn.clear()
    table.field.discard(0)
    table.piles[1].update({0, 2})
    table.rest(1)
    table.change(0, to_field=36, at_stock=False)
    assert table.moves[2:] == [Play(1, 1, (3,)), Draw(1, 2, (0,))]


def test_a_hand_card_that_is_taken_back_is_no_second_one() -> None:
    table = Table()
    table.change(0, to_field=33, at_stock=False)
    table.field.discard(33)
    table.change(0, to_field=40, at_stock=False)
    table.change(0, to_field=36)
    table.change(1, to_field=44, at_stock=False)
    assert table.moves == [Play(0, 40, ()), Draw(0, 36, ())]
    assert table.flags == []


def test_a_second_drawn_card_that_is_put_back_on_the_stock_is_not_held_against_anyone() -> None:
    table = Table()
    table.change(0, to_field=33, at_stock=False)
    table.change(0, to_field=40)
    table.turn = {44}
    table.rest(0, at_stock=True)
    table.turn = set()
    table.rest(0, at_stock=True)
    table.change(1, to_field=36, at_stock=False)
    table.change(1, to_field=44)
    table.change(0, to_field=38, at_stock=False)
    assert table.moves == [Play(0, 33, ()), Draw(0, 40, ()), Play(1, 36, ()), Draw(1, 44, ())]
    assert table.flags == []


def test_a_card_that_lay_on_a_captured_one_was_not_taken_back() -> None:
    table = Table()
    table.scribe.glimpse(33, 1000, turned=False, at_stock=False, over=0)
    table.change(0, to_field=33, at_stock=False)
    table.field -= {33}
    table.change(0, to_field=36, to_pile=(0,))
    table.change(1, to_field=40, at_stock=False)
    assert table.moves == [Play(0, 33, (0,)), Draw(0, 36, ())]
    assert table.flags == ["wrong_month"]


def test_a_hurried_player_lays_his_card_before_the_table_has_rested() -> None:
    table = Table()
    table.change(0, to_field=33, at_stock=False)
    first, second = frozenset({0}), frozenset({1})
    table.scribe.glimpse(40, table.t_ms - 2000, turned=False, reach_ms=1800, seats=first)
    table.scribe.glimpse(37, table.t_ms - 1000, turned=False, reach_ms=500, seats=second)
    table.scribe.glimpse(44, table.t_ms - 500, seats=second)
    table.field |= {37, 40}
    table.turn = {44}
    table.rest(0, 1, at_stock=True)
    table.turn, table.field = set(), table.field | {44}
    table.rest(1)
    table.change(0, to_field=41, at_stock=False)
    assert table.moves == [Play(0, 33, ()), Draw(0, 40, ()), Play(1, 37, ()), Draw(1, 44, ())]
    assert table.flags == []


def test_the_next_player_takes_what_has_not_rested_since_it_was_laid() -> None:
    table = Table()
    table.change(0, to_field=33, at_stock=False)
    first, second = frozenset({0}), frozenset({1})
    table.scribe.glimpse(40, table.t_ms - 2000, turned=False, seats=first)
    table.scribe.glimpse(41, table.t_ms - 1000, turned=False, seats=second)
    table.piles[1].update({40, 41})
    table.rest(0, 1, at_stock=True)
    table.change(1, to_field=44)
    table.change(0, to_field=47, at_stock=False)
    assert table.moves == [Play(0, 33, ()), Draw(0, 40, ()), Play(1, 41, (40,)), Draw(1, 44, ())]
    assert table.flags == []


def test_one_move_over_the_stock_leaves_no_time_for_two_draws() -> None:
    table = Table()
    table.change(0, to_field=38, at_stock=False)
    table.stock_ms = table.t_ms - 1000
    table.scribe.glimpse(40, table.t_ms - 300)
    table.scribe.glimpse(1, table.t_ms - 100, turned=False)
    table.turn = {40}
    table.field.discard(0)
    table.piles[0].update({0, 1})
    table.rest(0, at_stock=True)
    table.turn, table.field, table.stock_ms = set(), table.field | {40}, None
    table.rest(0)
    table.change(1, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 38, ()), Play(0, 1, (0,)), Draw(0, 40, ())]
    assert table.flags == ["two_hand_cards"]


def test_a_second_hand_card_that_was_only_glimpsed_has_taken_what_nothing_else_took() -> None:
    table = Table()
    table.scribe.glimpse(1, 500, turned=False, at_stock=False, over=0)
    table.scribe.glimpse(5, 1500, turned=False, at_stock=False)
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


def test_a_card_that_was_glimpsed_on_a_captured_one_of_another_month_has_taken_it() -> None:
    table = Table()
    table.scribe.glimpse(33, 1000, turned=False, at_stock=False, over=0)
    table.change(0, to_field=36, to_pile=(0,))
    table.change(1, to_field=40, at_stock=False)
    assert table.moves == [Play(0, 33, (0,)), Draw(0, 36, ())]
    assert table.flags == ["wrong_month"]


def test_the_way_of_a_second_card_of_one_reach_begins_where_the_first_was_left() -> None:
    table = Table()
    table.scribe.glimpse(1, 1000, turned=False, over=0, reach_ms=600)
    table.scribe.glimpse(1, 2100, turned=False, on_pile=True)
    table.scribe.glimpse(33, 2900, turned=False, reach_ms=2500)
    table.change(0, to_field=33, to_pile=(0, 1))
    table.scribe.glimpse(40, table.t_ms - 500, turned=False, reach_ms=1900)
    table.change(0, to_field=40)
    table.change(1, to_field=36, at_stock=False)
    assert table.moves == [Play(0, 1, (0,)), Play(0, 33, ()), Draw(0, 40, ())]
    assert table.flags == ["two_hand_cards"]


def test_a_second_drawn_card_that_was_only_glimpsed_has_taken_what_nothing_else_took() -> None:
    table = Table()
    table.scribe.glimpse(33, table.t_ms - 500, turned=False, at_stock=False, reach_ms=500)
    table.change(0, to_field=33, at_stock=False)
    table.scribe.glimpse(40, table.t_ms - 1000)
    table.change(0, to_field=40)
    # it is laid on its match after the arm has been at the stock, and nobody sees it under the pile
    table.scribe.glimpse(1, table.t_ms - 1500, turned=False, over=0, reach_ms=1900)
    table.field.discard(0)
    table.piles[0].add(0)
    table.rest(0, at_stock=True)
    table.change(1, to_field=44, at_stock=False)
    assert table.moves == [Play(0, 33, ()), Draw(0, 40, ()), Draw(0, 1, (0,))]
    assert table.flags == ["drew_twice"]


def test_a_second_hand_card_that_nobody_glimpsed_was_only_brought_over_the_stock() -> None:
    table = Table()
    table.scribe.glimpse(33, table.t_ms - 500, turned=False, at_stock=False, reach_ms=500)
    table.change(0, to_field=33, at_stock=False)
    table.stock_ms = table.t_ms - 500
    table.change(0, to_field=36)
    table.scribe.glimpse(40, table.t_ms - 300)
    table.stock_ms = table.t_ms - 1500
    table.change(0, to_field=40)
    table.change(1, to_field=44, at_stock=False)
    assert table.moves == [Play(0, 33, ()), Play(0, 36, ()), Draw(0, 40, ())]
    assert table.flags == ["two_hand_cards"]


def test_who_takes_a_second_turn_had_laid_his_hand_card_before_he_was_at_the_stock() -> None:
    table = Table()
    table.change(0, to_field=33, at_stock=False)
    table.change(0, to_field=37)
    # the match and the card that took it were brought to the pile as the arm went on to the stock
    table.stock_ms = table.t_ms - 1200
    table.scribe.glimpse(1, table.t_ms - 600, turned=False, on_pile=True, seats=frozenset({0}))
    table.scribe.glimpse(40, table.t_ms - 100, turned=False, seats=frozenset({0}))
    table.change(0, to_field=40, to_pile=(0, 1))
    table.change(1, to_field=44, at_stock=False)
    assert table.moves[2:] == [Play(0, 1, (0,)), Draw(0, 40, ())]
    assert table.flags == ["out_of_turn"]


@pytest.mark.parametrize(("laid_ms", "is_drawn"), [(67, False), (667, True)])
def test_a_card_that_was_captured_at_once_is_drawn_if_the_stock_was_touched_long_before(
    laid_ms: float, is_drawn: bool
) -> None:
    seat = frozenset({0})
    hand = Appearance(13, 1000, drawn=False, seats=seat, look_ms=1200, reach_ms=460)
    taken = Appearance(
        32, 4000 + laid_ms, drawn=False, seats=seat, look_ms=6000, at_stock=True, on_pile=True, stock_ms=4000
    )
    assert from_stock(taken, [hand, taken]) is is_drawn


def test_a_way_that_is_shorter_than_the_hand_s_is_none() -> None:
    seat = frozenset({0})
    hand = Appearance(13, 1000, drawn=False, seats=seat, look_ms=1200, reach_ms=460)
    laid = Appearance(40, 5600, drawn=False, seats=seat, look_ms=5800, at_stock=True, stock_ms=4000)
    for reach_ms, is_drawn in ((330, True), (460, False)):
        card = replace(laid, reach_ms=reach_ms)
        assert from_stock(card, [hand, card]) is is_drawn


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
    assert table.moves[2:] == [Play(1, 5, (4,)), Draw(1, 40, ())]
    assert table.flags == []
