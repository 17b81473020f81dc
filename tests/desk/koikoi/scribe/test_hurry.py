"""Hurried play: the next player reaches in before the table rests, and slips are corrected."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import TableSeen
from desk.koikoi.scribe.look import CardSeenBriefly, DrawnCardSeen
from referee.koikoi.events import Draw, Play
from tests.desk.koikoi.koikoi_script import Table, opened_desk

DEALT = (8, 33, 5, 13, 17, 21, 25, 1)


def begun(folder: Path) -> tuple[KoiKoiDesk, Table]:
    """Return a desk and its table, dealt."""
    desk, table = opened_desk(folder), Table(DEALT)
    desk.tell(table.look())
    return desk, table


def laid(
    table: Table, card: int, seat: int, *, over: int | None = None, at_stock: bool = False
) -> CardSeenBriefly:
    """Lay a card into the middle and return the brief look at it."""
    table.field.add(card)
    return CardSeenBriefly(
        table.t_ms + 300, card, at_stock, over, 1600 if at_stock else 500, False, frozenset({seat})
    )


def moves_of(desk: KoiKoiDesk) -> list[object]:
    """Return the moves as they are written down."""
    return [note.event for note in desk.game.scribe.notes if isinstance(note.event, Play | Draw)]


def flags_of(desk: KoiKoiDesk) -> list[str]:
    """Return all flags."""
    told = [flag.id.value for flag in desk.game.match.flags]
    return told + [flag.id.value for flag in desk.game.scribe.flags]


def test_a_pair_that_is_collected_while_the_next_one_plays_is_taken_although_one_card_of_it_is_hidden(
    tmp_path: Path,
) -> None:
    desk, table = begun(tmp_path)
    desk.tell(laid(table, 9, 0, over=8))
    desk.tell(table.look(0))
    table.turn.add(34)
    desk.tell(DrawnCardSeen(table.t_ms + 300, 34, frozenset({0})))
    desk.tell(table.look(0))
    # 9 lies under the others, and nobody has seen it there
    table.turn.clear()
    table.field -= {8, 9, 33}
    table.piles[0] |= {8, 33, 34}
    desk.tell(laid(table, 14, 1, over=13))
    desk.tell(table.look(0, 1))
    table.turn.add(40)
    desk.tell(table.look(1))
    table.turn.clear()
    table.field |= {40}
    table.field -= {13, 14}
    table.piles[1] |= {13, 14}
    desk.tell(table.look(1))
    desk.game.close()
    assert moves_of(desk) == [Play(0, 9, (8,)), Draw(0, 34, (33,)), Play(1, 14, (13,)), Draw(1, 40, ())]
    assert flags_of(desk) == []


def test_a_card_in_the_next_one_s_pile_was_put_down_by_him_though_two_were_at_the_table(
    tmp_path: Path,
) -> None:
    desk, table = begun(tmp_path)
    desk.tell(laid(table, 9, 0, over=8))
    desk.tell(table.look(0))
    desk.tell(laid(table, 40, 0, at_stock=True))
    table.field -= {8, 9, 33}
    table.piles[0] |= {8, 9}
    table.piles[1] |= {33, 34}
    table.turn.add(44)
    table.t_ms += 4000
    desk.tell(DrawnCardSeen(table.t_ms + 800, 44, frozenset({1})))
    look = table.look(0, 1).look
    desk.tell(TableSeen(replace(look, at_stock=True, stock_ms=look.t_ms - 4800)))
    desk.game.close()
    assert moves_of(desk) == [Play(0, 9, (8,)), Draw(0, 40, ()), Play(1, 34, (33,)), Draw(1, 44, ())]
    assert flags_of(desk) == []


def test_a_second_drawn_card_that_was_put_back_is_the_one_that_the_next_player_draws(tmp_path: Path) -> None:
    desk, table = begun(tmp_path)
    desk.tell(laid(table, 36, 0))
    desk.tell(table.look(0))
    for card, stays in ((40, True), (44, False)):
        table.turn.add(card)
        desk.tell(DrawnCardSeen(table.t_ms + 300, card, frozenset({0})))
        desk.tell(table.look(0))
        table.turn.clear()
        if stays:
            table.field.add(card)
        desk.tell(table.look(0))
    desk.tell(laid(table, 28, 1))
    desk.tell(laid(table, 44, 1, at_stock=True))
    look = table.look(1).look
    desk.tell(TableSeen(replace(look, at_stock=True, stock_ms=look.t_ms - 900)))
    desk.tell(laid(table, 9, 0, over=8))
    desk.tell(table.look(0))
    desk.game.close()
    assert moves_of(desk)[2:4] == [Play(1, 28, ()), Draw(1, 44, ())]
    assert flags_of(desk) == []


def test_the_table_rests_only_after_the_other_one_s_turn_and_the_next_capture(tmp_path: Path) -> None:
    desk, table = begun(tmp_path)
    desk.tell(laid(table, 9, 0, over=8))
    desk.tell(table.look(0))
    table.turn.add(40)
    desk.tell(DrawnCardSeen(table.t_ms + 300, 40, frozenset({0})))
    desk.tell(table.look(0))
    # 8 is collected, the other one takes 5 and 33, and the first one has taken 13 by then and turns a card up
    table.turn = {44}
    table.field = (table.field | {40}) - {5, 8, 9, 13, 33}
    table.piles[0] |= {8, 9, 13, 14}
    table.piles[1] |= {5, 6, 33, 34}
    table.t_ms += 11000
    desk.tell(CardSeenBriefly(table.t_ms - 9000, 6, False, 5, 500, False, frozenset({1})))
    desk.tell(DrawnCardSeen(table.t_ms - 6500, 34, frozenset({1})))
    desk.tell(CardSeenBriefly(table.t_ms - 2000, 14, True, 13, 700, False, frozenset({0})))
    desk.tell(DrawnCardSeen(table.t_ms + 700, 44, frozenset({0})))
    look = table.look(0, 1).look
    desk.tell(TableSeen(replace(look, at_stock=True, stock_ms=look.t_ms - 7000)))
    desk.game.close()
    assert moves_of(desk) == [
        *(Play(0, 9, (8,)), Draw(0, 40, ())),
        *(Play(1, 6, (5,)), Draw(1, 34, (33,))),
        *(Play(0, 14, (13,)), Draw(0, 44, ())),
    ]
    assert flags_of(desk) == []


def test_of_two_turns_between_rests_each_has_what_its_own_player_was_seen_to_lay_down(tmp_path: Path) -> None:
    desk, table = begun(tmp_path)
    desk.tell(laid(table, 36, 0))
    desk.tell(laid(table, 40, 0, at_stock=True))
    desk.tell(table.look(0))
    # 9 takes 8 and is hidden below the pile, 14 is drawn and takes 13; then the first one has 34 and 44
    first, second = frozenset({0}), frozenset({1})
    desk.tell(CardSeenBriefly(table.t_ms + 2700, 9, False, None, None, True, second))
    desk.tell(CardSeenBriefly(table.t_ms + 6000, 14, True, None, None, True, second))
    desk.tell(CardSeenBriefly(table.t_ms + 6600, 34, True, 33, 600, False, first))
    desk.tell(CardSeenBriefly(table.t_ms + 8500, 44, True, None, 2500, False, first))
    table.t_ms += 8600
    table.field = (table.field | {34, 44}) - {8, 13}
    table.piles[1] |= {8, 13, 14}
    look = table.look(0, 1).look
    desk.tell(TableSeen(replace(look, at_stock=True, stock_ms=look.t_ms - 6500)))
    table.field -= {33, 34}
    table.piles[0] |= {33, 34}
    desk.tell(table.look(0))
    desk.game.close()
    assert moves_of(desk)[2:] == [Play(1, 9, (8,)), Draw(1, 14, (13,)), Play(0, 34, (33,)), Draw(0, 44, ())]
    assert flags_of(desk) == []


def test_who_draws_before_the_other_one_s_turn_and_lays_a_card_after_it_has_two_turns(tmp_path: Path) -> None:
    desk, table = begun(tmp_path)
    desk.tell(laid(table, 36, 0))
    desk.tell(table.look(0))
    # the first one draws 9 and takes 8, the other one has 28 and 40, and the first one lays 44 down
    first, second = frozenset({0}), frozenset({1})
    desk.tell(CardSeenBriefly(table.t_ms + 2700, 9, True, None, None, True, first))
    desk.tell(CardSeenBriefly(table.t_ms + 4000, 28, True, None, 500, False, second))
    desk.tell(CardSeenBriefly(table.t_ms + 6000, 40, True, None, 2300, False, second))
    desk.tell(CardSeenBriefly(table.t_ms + 8000, 44, True, None, 500, False, first))
    table.t_ms += 8100
    table.field = (table.field | {28, 40, 44}) - {8}
    table.piles[0] |= {8, 9}
    look = table.look(0, 1).look
    desk.tell(TableSeen(replace(look, at_stock=True, stock_ms=look.t_ms - 8000)))
    desk.game.close()
    assert moves_of(desk) == [
        *(Play(0, 36, ()), Draw(0, 9, (8,))),
        *(Play(1, 28, ()), Draw(1, 40, ())),
        Play(0, 44, ()),
    ]
    assert flags_of(desk) == []


def test_who_took_with_cards_that_nobody_sees_any_more_played_before_those_who_came_after(
    tmp_path: Path,
) -> None:
    desk, table = opened_desk(tmp_path, players=3), Table(DEALT[:6], players=3)
    desk.tell(table.look())
    desk.tell(laid(table, 36, 0))
    desk.tell(laid(table, 40, 0, at_stock=True))
    desk.tell(table.look(0))
    second, third = frozenset({1}), frozenset({2})
    desk.tell(CardSeenBriefly(table.t_ms + 2000, 9, False, None, None, True, second))
    desk.tell(DrawnCardSeen(table.t_ms + 3500, 34, second))
    desk.tell(CardSeenBriefly(table.t_ms + 7000, 28, True, None, 500, False, third))
    desk.tell(CardSeenBriefly(table.t_ms + 9000, 44, True, None, 2300, False, third))
    # 9 and 34 lie below the pile by then
    table.t_ms += 9100
    table.field = (table.field | {28, 44}) - {8, 33}
    table.piles[1] |= {8, 33}
    look = table.look(1, 2).look
    desk.tell(TableSeen(replace(look, at_stock=True, stock_ms=look.t_ms - 6900)))
    desk.game.close()
    assert moves_of(desk) == [
        *(Play(0, 36, ()), Draw(0, 40, ())),
        *(Play(1, 9, (8,)), Draw(1, 34, (33,))),
        *(Play(2, 28, ()), Draw(2, 44, ())),
    ]
    assert flags_of(desk) == []
