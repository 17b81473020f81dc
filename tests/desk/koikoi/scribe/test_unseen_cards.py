"""Cards that were played out of sight are identified by the count of cards."""

from pathlib import Path

import pytest

from desk.koikoi.card_game import KOIKOI
from referee.koikoi.events import Call, Draw, Play
from tests.desk.koikoi.koikoi_told import Table


def test_a_hand_card_that_was_only_glimpsed_is_the_one_that_took() -> None:
    table = Table()
    table.glimpse(1, 1000, turned=False)
    table.glimpse(32, 2990)
    table.change(0, to_field=32, to_pile=(0,))
    table.change(1, to_field=36, at_stock=False)
    assert table.lawful == [Play(0, 1, (0,)), Draw(0, 32, ())]


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
    assert table.lawful[2:] == [Play(1, 1, ()), Draw(1, 40, ())]


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
    assert table.lawful == [Play(0, 33, ()), Draw(0, 40, ()), Play(1, 37, ()), Draw(1, 44, ())]


def test_a_concluded_card_that_is_played_later_was_the_only_other_one_left() -> None:
    table = Table()
    table.change(0, to_field=32, to_pile=(0,))
    table.change(1, to_field=2, at_stock=False)
    assert table.moves[0] == Play(0, 3, (0,))
    table.change(1, to_field=44)
    table.change(0, to_field=3, at_stock=False)
    table.change(0, to_field=40, to_pile=(2, 3))
    table.change(1, to_field=36, at_stock=False)
    assert table.lawful == [
        *(Play(0, 1, (0,)), Draw(0, 32, ())),
        *(Play(1, 2, ()), Draw(1, 44, ())),
        *(Play(0, 3, (2,)), Draw(0, 40, ())),
    ]


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


def test_the_last_turn_of_which_a_pair_can_only_be_told_by_its_prints_is_complete() -> None:
    table = Table()
    table.field -= {0, 4}
    table.piles[0].update({4, 5})
    table.untold = ((0, {1: 0.6}), (0, {0: 0.6}))
    table.glimpse(4, table.t_ms - 100, turned=False, on_pile=True)
    table.rest(0, at_stock=True)
    table.scribe.close()
    assert table.lawful == [Play(0, 1, (0,)), Draw(0, 5, (4,))]


CASE = Path(__file__).resolve().parents[5] / "shared/cases/11-hole-in-koikoi"


def flags(table: Table) -> list[str]:
    table.scribe.close()
    judged = [flag.id.value for record in table.scribe.match.rounds for flag in record.flags]
    return sorted(judged + [flag.id.value for flag in table.scribe.flags])


def unseen(table: Table, long_ms: float = 2900.0) -> None:
    table.scribe.unseen(table.t_ms - 2950.0, table.t_ms - 2950.0 + long_ms)


def lawful_turn(table: Table, seat: int, hand: int, drawn: int) -> None:
    """A hand card takes the card of its month before it, the drawn one stays."""
    table.change(seat, to_field=hand, at_stock=False)
    table.turn.add(drawn)
    table.rest(seat, at_stock=True)
    table.turn.clear()
    table.change(seat, to_field=drawn, to_pile=(hand, hand - 1), at_stock=False)


def test_a_table_that_lies_as_before_costs_nothing() -> None:
    table = Table()
    lawful_turn(table, 0, 1, 32)
    unseen(table)
    table.rest(1)
    lawful_turn(table, 1, 5, 36)
    lawful_turn(table, 0, 9, 40)
    assert flags(table) == []
    assert [note.event for note in table.scribe.notes[1:3]] == [Play(0, 1, (0,)), Draw(0, 32, ())]


def test_a_turn_that_nobody_saw_is_no_turn_that_was_left_out() -> None:
    table = Table()
    lawful_turn(table, 0, 1, 32)
    unseen(table)
    table.field = (table.field | {36}) - {4}
    table.piles[1].update({4, 5})
    table.rest(0)  # only the next player's arm was seen
    lawful_turn(table, 0, 9, 40)
    lawful_turn(table, 1, 13, 44)
    assert flags(table) == ["unsure"]
    assert Play(0, 9, (8,)) in [note.event for note in table.scribe.notes]
    assert all(record.table.missed for record in table.scribe.match.rounds)


def test_a_fault_after_the_hole_is_flagged() -> None:
    table = Table()
    lawful_turn(table, 0, 1, 32)
    unseen(table)
    table.field = (table.field | {36}) - {4}
    table.piles[1].update({4, 5})
    table.rest(0)
    table.change(0, to_field=9, at_stock=False)
    table.turn.add(40)
    table.rest(0, at_stock=True)
    table.turn.clear()
    table.change(0, to_field=40, to_pile=(8, 9, 12), at_stock=False)  # April goes along with March
    lawful_turn(table, 1, 17, 44)
    assert flags(table) == ["extra_card_taken", "unsure"]


def test_what_is_called_while_nobody_sees_counts_and_is_not_refused() -> None:
    table = Table()
    lawful_turn(table, 0, 1, 32)
    unseen(table)
    table.scribe.declare(table.t_ms - 1000, 1, Call.KOIKOI)
    table.field = (table.field | {36}) - {4}
    table.piles[1].update({4, 5})
    table.rest(0)
    lawful_turn(table, 0, 9, 40)
    assert flags(table) == ["unsure"]
    assert table.scribe.match.rounds[0].table.calls == (0, 1)


@pytest.mark.parametrize("long_ms", [130.0, 2900.0])
def test_a_fault_that_a_blink_cannot_hide_is_flagged(long_ms: float) -> None:
    table = Table()
    table.change(0, to_field=1, at_stock=False)
    unseen(table, long_ms)
    table.turn.add(32)
    table.rest(0, at_stock=True)
    table.turn.clear()
    table.change(0, to_field=32, to_pile=(0, 1, 4), at_stock=False)
    lawful_turn(table, 1, 9, 36)
    assert flags(table) == (["extra_card_taken"] if long_ms < 400 else ["unsure"])


def test_a_round_whose_deal_nobody_saw_is_judged_from_where_it_is_seen() -> None:
    table = Table.__new__(Table)
    late = Table()
    table.__dict__.update(late.__dict__)
    table.scribe = type(late.scribe)(late.scribe.match.rules, players=2, dealer=0)
    table.piles = ({0, 1}, set())
    table.field = (late.field - {0}) | {32}
    table.rest()
    lawful_turn(table, 1, 5, 36)
    lawful_turn(table, 0, 9, 40)
    lawful_turn(table, 1, 13, 44)
    assert set(flags(table)) == {"unsure"}


@pytest.mark.slow
@pytest.mark.shared
def test_ten_seconds_are_missing() -> None:
    judged = KOIKOI.judge(CASE)
    told = [(flag["id"], flag["t_ms"]) for flag in judged["rounds"][0]["flags"]]
    assert [name for name, _ in told] == ["unsure", "extra_card_taken"]
    assert 13_900 < told[0][1] < 24_100
    assert told[1][1] == 28_333
    assert judged["rounds"][0]["certain"] is False
