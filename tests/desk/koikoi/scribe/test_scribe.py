"""The scribe turns looks at the resting table into the plays, draws and flags of a round."""

import pytest

from referee.koikoi.events import Call, Deal, Declare, Draw, Play
from tests.desk.koikoi.koikoi_told import DEALT, Table


def test_the_deal_is_the_first_event() -> None:
    assert Table().events == [Deal(None, 2, 0, tuple(sorted(DEALT)))]


def test_a_lawful_turn_is_judged_when_the_next_player_acts() -> None:
    table = Table()
    table.lawful_turn()
    assert len(table.events) == 1
    table.play(1, 5)
    assert table.events[1:] == [Play(0, 1, (0,)), Draw(0, 32, ())]
    assert table.flags == []


def test_pairs_may_be_collected_one_after_the_other() -> None:
    table = Table()
    table.play(0, 1)
    table.collect(0, 0, 1)
    table.draw(0, 5)
    table.collect(0, 4, 5)
    table.play(1, 9)
    assert table.events[1:] == [Play(0, 1, (0,)), Draw(0, 5, (4,))]
    assert table.flags == []


def test_both_cards_may_come_between_two_looks() -> None:
    table = Table()
    table.field -= {0}
    table.field.add(32)
    table.piles[0].update({0, 1})
    table.glimpse(32, 500.0, turned=True)
    table.rest(0, at_stock=True)
    table.play(1, 9)
    assert table.events[1:] == [Play(0, 1, (0,)), Draw(0, 32, ())]
    assert table.flags == []


def test_the_played_card_may_be_taken_by_the_drawn_one() -> None:
    table = Table()
    table.play(0, 36)
    table.draw(0, 37)
    table.collect(0, 36, 37)
    table.play(1, 9)
    assert table.events[1:] == [Play(0, 36, ()), Draw(0, 37, (36,))]
    assert table.flags == []


def test_three_in_the_middle_go_together() -> None:
    table = Table({0, 1, 2, 12, 16, 20, 24, 28})
    table.play(0, 3)
    table.draw(0, 32)
    table.collect(0, 0, 1, 2, 3)
    table.play(1, 13)
    assert table.events[1] == Play(0, 3, (0, 1, 2))
    assert table.flags == []


def test_a_captured_card_that_slides_under_others_stays_captured() -> None:
    table = Table()
    table.lawful_turn()
    table.piles[0].discard(1)
    table.play(1, 5)
    assert table.scribe.looks[-1].captures[0] == {0, 1}
    assert table.flags == []


def test_a_card_laid_under_the_pile_at_once_was_captured() -> None:
    table = Table()
    table.lawful_turn()
    table.play(1, 5)
    table.draw(1, 36)
    table.collect(1, 4, 5)
    table.play(0, 9)
    table.draw(0, 40)
    table.collect(0, 8, 9)
    table.piles[0].discard(9)
    table.play(1, 13)
    assert table.events[5:7] == [Play(0, 9, (8,)), Draw(0, 40, ())]
    assert table.flags == []


@pytest.mark.parametrize(
    ("laid", "drawn", "taken", "flag"),
    [
        (33, 36, (33, 4), "wrong_month"),
        (1, 36, (0, 1, 4), "extra_card_taken"),
        (1, 36, (), "forgotten_capture"),
        (36, 1, (), "forgotten_capture"),
    ],
)
def test_wrong_captures(laid: int, drawn: int, taken: tuple[int, ...], flag: str) -> None:
    table = Table()
    table.play(0, laid)
    table.draw(0, drawn)
    table.collect(0, *taken)
    table.play(1, 13)
    assert table.flags == [flag]


def test_one_of_three_and_both_of_two() -> None:
    three = Table({0, 1, 2, 12, 16, 20, 24, 28})
    three.play(0, 3)
    three.draw(0, 32)
    three.collect(0, 0, 3)
    three.play(1, 13)
    assert three.flags == ["took_one_of_three"]
    two = Table({0, 1, 8, 12, 16, 20, 24, 28})
    two.play(0, 3)
    two.draw(0, 32)
    two.collect(0, 0, 1, 3)
    two.play(1, 13)
    assert two.flags == ["took_both_of_two"]


def test_a_turn_without_a_drawn_card() -> None:
    table = Table()
    table.play(0, 1)
    table.collect(0, 0, 1)
    table.play(1, 5)
    assert table.flags == ["no_draw"]


def test_two_cards_drawn() -> None:
    table = Table()
    table.play(0, 1)
    table.draw(0, 32)
    table.collect(0, 0, 1)
    table.draw(0, 36)
    table.collect(0)
    table.play(1, 5)
    assert table.flags == ["drew_twice"]


def test_two_cards_drawn_that_nobody_saw_being_turned() -> None:
    table = Table()
    table.play(0, 1)
    table.play(0, 32, at_stock=True)
    table.play(0, 36, at_stock=True)
    table.collect(0, 0, 1)
    table.play(1, 5)
    assert table.flags == ["drew_twice"]


def test_two_hand_cards() -> None:
    table = Table()
    table.play(0, 32)
    table.play(0, 36)
    table.draw(0, 40)
    table.collect(0)
    table.play(1, 5)
    assert table.flags == ["two_hand_cards"]


def test_a_player_whose_turn_it_is_not() -> None:
    table = Table()
    table.lawful_turn()
    table.play(0, 36)
    table.draw(0, 40)
    table.collect(0)
    table.play(1, 9)
    assert table.flags[0] == "out_of_turn"


def test_captured_cards_on_another_pile() -> None:
    table = Table()
    table.play(0, 1)
    table.draw(0, 32)
    table.collect(0, 0, 1, strip=1)
    table.play(1, 5)
    assert table.flags == ["wrong_strip"]


def test_a_card_that_vanishes_and_one_that_returns() -> None:
    table = Table()
    table.play(0, 1)
    table.draw(0, 32)
    table.field.discard(12)
    table.collect(0, 0, 1)
    table.play(1, 5)
    assert table.flags == ["card_vanished"]
    back = Table()
    back.lawful_turn()
    back.play(1, 5)
    back.draw(1, 36)
    back.collect(1, 4, 5)
    back.piles[0].discard(0)
    back.field.add(0)
    back.play(0, 9)
    back.play(1, 13)
    assert "card_returned" in back.flags


def test_a_captured_card_that_returns_and_is_taken_for_its_like_at_a_glance() -> None:
    table = Table()
    table.play(0, 14)
    table.draw(0, 32)
    table.collect(0, 12, 14)
    table.play(1, 36)
    table.draw(1, 40)
    table.collect(1)
    table.glimpse(15, table.t_ms - 200, turned=False, at_stock=False)
    table.piles[0].discard(14)
    table.field.add(14)
    table.rest(1)
    table.play(0, 44)
    assert table.flags == ["card_returned"]


def test_a_captured_card_that_is_read_in_the_middle_with_its_like_on_the_pile() -> None:
    table = Table()
    table.play(0, 30)
    table.draw(0, 32)
    table.collect(0, 28, 30)
    table.play(1, 36)
    table.draw(1, 40)
    table.collect(1)
    # August's chaff is turned up, lies in the middle, and is told from that of the pile by no print
    table.play(0, 6)
    table.glimpse(31, table.t_ms - 500)
    table.field = (table.field - {4, 6}) | {30}
    table.piles[0].update({4, 6, 31})
    table.piles[0].discard(30)
    table.rest(0, at_stock=True)
    table.play(1, 44)
    assert table.events[-2:] == [Play(0, 6, (4,)), Draw(0, 31, ())]
    assert table.flags == []


def test_a_choice_that_is_changed_after_the_draw() -> None:
    table = Table({0, 1, 8, 12, 16, 20, 24, 28})
    table.play(0, 3)
    table.collect(0, 0, 3)
    table.draw(0, 32)
    table.piles[0].discard(0)
    table.field.add(0)
    table.collect(0, 1)
    table.play(1, 13)
    assert table.flags == ["late_change"]


def test_declarations_follow_the_turn_in_which_they_are_made() -> None:
    table = Table()
    table.lawful_turn()
    table.scribe.declare(table.t_ms, 0, Call.STOP)
    table.scribe.next_round(table.t_ms + 100)
    assert table.events[-3:-1] == [Draw(0, 32, ()), Declare(0, Call.STOP)]
    assert table.flags == ["illegal_declaration", "ended_early"]


def test_the_next_round_begins_with_a_new_deal() -> None:
    table = Table()
    table.lawful_turn()
    table.scribe.next_round(table.t_ms)
    table.field, table.piles = set(DEALT), (set(), set())
    table.rest()
    deals = [event for event in table.events if isinstance(event, Deal)]
    assert len(deals) == 2
    assert deals[1].dealer == table.scribe.match.rounds[1].table.dealer


def test_a_turn_that_the_film_cuts_off_is_not_a_fault() -> None:
    table = Table()
    table.play(0, 1)
    assert table.flags == []


def test_a_round_that_has_only_just_been_dealt_is_the_next_one() -> None:
    table = Table()
    table.lawful_turn()
    table.scribe.next_round(table.t_ms)
    table.field, table.piles = set(DEALT), (set(), set())
    table.rest()
    table.scribe.next_round(table.t_ms)
    assert [type(event) for event in table.events].count(Deal) == 2
    assert len(table.scribe.match.rounds) == 2
    table.field = {1, 5, 9, 13, 17, 21, 25, 29}
    table.scribe.next_round(table.t_ms)
    table.rest()
    table.play(1, 2)
    table.draw(1, 33)
    table.collect(1, 1, 2)
    table.play(0, 3)
    assert len(table.scribe.match.rounds) == 2
    assert table.events[-2:] == [Play(1, 2, (1,)), Draw(1, 33, ())]


def test_after_a_card_has_vanished_its_month_is_not_asked_for() -> None:
    table = Table()
    table.lawful_turn()
    table.field.discard(8)
    table.rest(0)
    table.play(1, 9)
    table.draw(1, 40)
    table.play(0, 44)
    assert table.flags == ["card_vanished"]


def test_a_vanished_card_that_lies_there_again_is_no_new_card() -> None:
    table = Table()
    table.lawful_turn()
    table.field.discard(8)
    table.rest(0)
    table.play(1, 36)
    table.field.add(8)
    table.rest(1)
    table.draw(1, 40)
    table.collect(1)
    table.play(0, 44)
    assert table.events[3:5] == [Play(1, 36, ()), Draw(1, 40, ())]
    assert table.flags == ["card_vanished"]


def test_a_returned_card_may_be_taken_by_the_next_player() -> None:
    table = Table()
    table.lawful_turn()
    table.play(1, 36)
    table.draw(1, 40)
    table.collect(1)
    table.piles[0].discard(0)
    table.field.add(0)
    table.rest(1)
    table.play(0, 2)
    table.draw(0, 5)
    table.collect(0, 0, 2, 4, 5)
    table.play(1, 44)
    assert table.flags == ["card_returned"]


def test_a_player_who_acts_again_at_once_is_out_of_turn_though_nobody_read_his_card() -> None:
    table = Table()
    table.lawful_turn()
    table.field -= {8}
    table.piles[0].add(8)
    table.untold = ((0, {9: 0.6}),)
    table.rest(0, at_stock=True)
    table.draw(0, 40)
    table.collect(0)
    table.play(1, 5)
    assert table.events[3:5] == [Play(0, 9, (8,)), Draw(0, 40, ())]
    assert table.flags[0] == "out_of_turn"


def test_who_decides_before_his_cards_are_read_is_heard_after_his_turn() -> None:
    table = Table(frozenset({32, 0, 4, 8, 12, 16, 20, 24}))
    table.play(0, 40)
    table.draw(0, 44)
    # the next player says so while the table is still read as the other's
    table.scribe.declare(table.t_ms - 1, 1, Call.KOIKOI)
    table.play(1, 5)
    table.draw(1, 36)
    table.collect(1, 4, 5)
    table.play(0, 28)
    assert table.events[-1] == Declare(1, Call.KOIKOI)
    assert [type(event) for event in table.events[1:]] == [Play, Draw, Play, Draw, Declare]
