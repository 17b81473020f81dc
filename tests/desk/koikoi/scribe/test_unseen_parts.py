"""Events while a Koi-Koi table is out of sight are not flagged, and what was seen still counts."""

from pathlib import Path

import pytest

from desk.koikoi.card_game import KOIKOI
from referee.koikoi.events import Call, Draw, Missed, Play
from tests.desk.koikoi.koikoi_told import Table

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


def test_one_card_after_a_hole_goes_on_with_the_turn() -> None:
    table = Table()
    table.change(0, to_field=1, at_stock=False)
    unseen(table)
    table.field = (table.field | {32}) - {0, 1}
    table.piles[0].update({0, 1})
    table.rest()
    lawful_turn(table, 1, 5, 36)
    lawful_turn(table, 0, 9, 40)
    assert flags(table) == []
    assert [note.event for note in table.scribe.notes[1:3]] == [Play(0, 1, (0,)), Draw(0, 32, ())]


def test_a_hole_in_the_middle_of_a_turn_waits_for_its_pair() -> None:
    table = Table()
    unseen(table)
    table.field |= {1, 32}  # January lies on its match and is not collected yet
    table.rest(0)
    table.change(0, to_field=32, to_pile=(0, 1), at_stock=False)
    lawful_turn(table, 1, 5, 36)
    assert flags(table) == ["unsure"]
    missed = [note.event for note in table.scribe.notes if isinstance(note.event, Missed)]
    assert missed[0].piles == ((0, 1), ())


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
