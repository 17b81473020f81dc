"""People in a hurry: the next player reaches in before the table has rested, and slips are put right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from koikoi_script import Table, opened_desk

from desk.koikoi_desk import KoiKoiDesk
from desk.koikoi_events import CardSeenBriefly, DrawnCardSeen, TableSeen
from referee.koikoi.events import Draw, Play

DEALT = (8, 33, 5, 13, 17, 21, 25, 1)


def begun(folder: Path) -> tuple[KoiKoiDesk, Table]:
    """Return a desk and its table, dealt."""
    desk, table = opened_desk(folder), Table(DEALT)
    desk.tell(table.look())
    return desk, table


def laid(
    table: Table, card: int, seat: int, *, over: int | None = None, at_stock: bool = False
) -> CardSeenBriefly:
    """Lay a card into the middle and return what is glimpsed of it."""
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
