"""Hurried play: the next player reaches in before the table rests, and slips are corrected."""

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
