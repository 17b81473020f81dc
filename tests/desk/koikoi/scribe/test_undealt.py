"""The messages while a deal is not recognised, and the effect of an object that is no card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import LoggedEvent, NextRound, TableSeen
from desk.koikoi.lines import lines_of_rounds, minutes_of, with_lost_rounds
from desk.koikoi.page.state import shown
from desk.koikoi.page.view import koikoi_view
from desk.koikoi.scribe.look import UnreadPrint
from desk.panel.words import words
from tests.desk.koikoi.koikoi_script import Table, drawn, events_of, opened_desk, planned, played
from vision.simulator.cardtable.koikoi.game import plan_round

DEALT = (8, 32, 5, 13, 17, 21, 25, 1)
THING = UnreadPrint(170.0, 370.0, {30: 0.6})


def beside(seen: TableSeen, thing: UnreadPrint = THING) -> TableSeen:
    """The same table with an object in the middle that is no card."""
    look = seen.look
    return TableSeen(replace(look, unread=(*look.unread, thing), unnamed=look.unnamed + 1))


def sentences(desk: KoiKoiDesk) -> list[str]:
    """The first message of the page, in both languages."""
    return [koikoi_view(shown(desk), words(language))["sentence"] for language in ("en", "ja")]


@pytest.mark.parametrize("is_read", [True, False])
def test_a_thing_too_many_is_told_at_once_and_a_deal_that_was_put_right_counts(
    tmp_path: Path, is_read: bool
) -> None:
    desk = opened_desk(tmp_path)
    table = Table((*DEALT, 40) if is_read else DEALT)
    desk.tell(table.look() if is_read else beside(table.look()))
    assert all("9" in text and "8" in text and "{" not in text for text in sentences(desk))
    assert sentences(desk)[0] != sentences(desk)[1]
    for _ in range(4):  # nobody looks at the page
        desk.tell(table.look() if is_read else beside(table.look()))
    table.field -= {40}
    desk.tell(table.look())
    assert shown(desk)["deal"] is None
    assert shown(desk)["phase"] == "hand_card"
    assert shown(desk)["flags"] == []


def test_cards_that_lie_in_the_piles_before_a_deal_are_told(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    table = Table(())
    desk.tell(table.look())
    table.field, table.piles[0] = set(DEALT[:5]), {40, 41}
    desk.tell(table.look(0))
    deal = shown(desk)["deal"]
    assert deal is not None
    assert deal["why"] == "piles"
    assert all("8" in text and "{" not in text for text in sentences(desk))


def test_what_lay_there_before_the_deal_is_no_card_of_it(tmp_path: Path) -> None:
    """While the eighth card is still in the dealer's hand, a thing that cannot be read makes eight."""
    desk = opened_desk(tmp_path)
    table = Table(())
    desk.tell(beside(table.look()))
    for card in DEALT:
        table.field.add(card)
        desk.tell(beside(table.look(0)))
    for move in (played(9, 8), drawn(33, 32)):
        for seen in table.move(0, move):
            desk.tell(beside(seen))
    view = shown(desk)
    assert view["deal"] is None
    assert view["flags"] == []
    assert view["seats"][0]["captures"] == [8, 9, 32, 33]
    assert view["field"] == sorted(set(DEALT) - {8, 32})


def _undealt_round(table: Table) -> Iterator[LoggedEvent]:
    """A round whose deal has ten cards from the beginning, and of which a capture is seen."""
    table.field, table.piles = {*DEALT, 40, 44}, [set(), set()]
    yield table.look()
    yield from table.move(0, played(9, 8))


def test_a_later_round_that_was_not_understood_is_known_as_lost(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    for event in events_of(planned(5)):
        desk.tell(event)
    table = Table((), t_ms=900_000.0)
    desk.tell(NextRound(table.t_ms))
    desk.tell(table.look())
    lost = [bool(desk.game.reader.lost_rounds)]
    for event in _undealt_round(table):
        desk.tell(event)
    lost.append(bool(desk.game.reader.lost_rounds))
    desk.tell(NextRound(table.t_ms))
    lost.append(bool(desk.game.reader.lost_rounds))
    assert lost == [False, True, True]
    minutes = with_lost_rounds(minutes_of(desk.game.match), desk.game.reader.lost_rounds)
    understood, missing = minutes["rounds"]
    assert understood["end"] is not None
    assert (missing["end"], missing["certain"], missing["points"]) == (None, False, [0, 0])
    assert [flag["id"] for flag in missing["flags"]] == ["unsure"]
    assert minutes["certain"] is False
    assert "nothing is known of this round" in lines_of_rounds(minutes)[-2]


@pytest.mark.parametrize("dealer", [0, 1])
def test_whoever_deals_after_a_lost_round_is_not_accused(tmp_path: Path, dealer: int) -> None:
    desk = opened_desk(tmp_path)
    for event in events_of(planned(5)):
        desk.tell(event)
    lost = Table((), t_ms=900_000.0)
    desk.tell(NextRound(lost.t_ms))
    for event in _undealt_round(lost):
        desk.tell(event)
    desk.tell(NextRound(lost.t_ms))
    plan = plan_round(9, 2, dealer, None)
    table = Table(plan.dealt, t_ms=lost.t_ms)
    desk.tell(table.look())
    for turn in plan.turns[:4]:
        for seen in table.play(turn):
            desk.tell(seen)
    assert desk.game.match.flags == ()
    assert shown(desk)["flags"] == []


def test_gathering_the_cards_after_a_round_loses_none(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    for event in events_of(planned(5)):
        desk.tell(event)
    piles = shown(desk)["seats"][0]["captures"]
    table = Table((), t_ms=900_000.0)
    desk.tell(NextRound(table.t_ms))
    for number in (len(piles), len(piles) // 2, 0):
        table.piles[0] = set(islice(piles, number))
        desk.tell(table.look(0))
        assert not desk.game.reader.lost_rounds
