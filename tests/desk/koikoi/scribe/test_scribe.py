"""The scribe turns looks at the resting table into the plays, draws and flags of a round."""

import pytest

from referee.koikoi.events import Call, Deal, Declare, Draw, Play
from tests.desk.koikoi.koikoi_told import DEALT, Table


def test_a_lawful_turn_is_judged_when_the_next_player_acts() -> None:
    table = Table()
    table.lawful_turn()
    assert len(table.events) == 1
    table.play(1, 5)
    assert table.events[1:] == [Play(0, 1, (0,)), Draw(0, 32, ())]
    assert table.flags == []


THREE, TWO = {0, 1, 2, 12, 16, 20, 24, 28}, {0, 1, 8, 12, 16, 20, 24, 28}
LAWFUL = ("play 0 1", "draw 0 32", "collect 0 0 1")


@pytest.mark.parametrize(
    ("dealt", "steps", "flags"),
    [
        (DEALT, ("play 0 1",), []),  # the film cuts it off
        (DEALT, ("play 0 36", "draw 0 37", "collect 0 36 37", "play 1 9"), []),
        (THREE, ("play 0 3", "draw 0 32", "collect 0 0 1 2 3", "play 1 13"), []),
        (DEALT, ("play 0 33", "draw 0 36", "collect 0 33 4", "play 1 13"), ["wrong_month"]),
        (DEALT, ("play 0 1", "draw 0 36", "collect 0 0 1 4", "play 1 13"), ["extra_card_taken"]),
        (DEALT, ("play 0 1", "draw 0 36", "collect 0", "play 1 13"), ["forgotten_capture"]),
        (DEALT, ("play 0 36", "draw 0 1", "collect 0", "play 1 13"), ["forgotten_capture"]),
        (THREE, ("play 0 3", "draw 0 32", "collect 0 0 3", "play 1 13"), ["took_one_of_three"]),
        (TWO, ("play 0 3", "draw 0 32", "collect 0 0 1 3", "play 1 13"), ["took_both_of_two"]),
        (DEALT, ("play 0 1", "collect 0 0 1", "play 1 5"), ["no_draw"]),
        (DEALT, (*LAWFUL, "draw 0 36", "collect 0", "play 1 5"), ["drew_twice"]),
        (DEALT, ("play 0 32", "play 0 36", "draw 0 40", "collect 0", "play 1 5"), ["two_hand_cards"]),
        (DEALT, (*LAWFUL, "play 0 36", "draw 0 40", "collect 0", "play 1 9"), ["out_of_turn"]),
    ],
)
def test_what_a_turn_lacks_or_has_too_much_is_flagged(
    dealt: set[int], steps: tuple[str, ...], flags: list[str]
) -> None:
    table = Table(dealt)
    for step in steps:
        name, *cards = step.split()
        getattr(table, name)(*map(int, cards))
    assert table.flags == flags


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
