"""The statistics of a match's players, and its months as a table for spreadsheets."""

from __future__ import annotations

import csv
from pathlib import Path

from desk.koikoi.card_game import KOIKOI
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import NextRound
from desk.koikoi.page.state import shown
from desk.koikoi.page.view import koikoi_csv
from desk.panel.words import words
from desk.tables.live_game import game_app, page_of
from referee.koikoi.events import Call
from tests.desk.koikoi.koikoi_script import Table, drawn, opened_desk, played
from tests.desk.panel.visitor import browser_of
from vision.simulator.art.hanafuda import drawn_deck

DEALT = (8, 32, 5, 13, 17, 21, 25, 1)


def two_months(folder: Path) -> KoiKoiDesk:
    """Seat 0 wins the first month with hanamizake after a call, and a fault begins the second one."""
    desk = opened_desk(folder)
    cards = Table(DEALT)
    desk.tell(cards.look())
    for move in (played(9, 8), drawn(33, 32)):
        for look in cards.move(0, move):
            desk.tell(look)
    desk.declare(0, Call.KOIKOI)
    for seat, moves in ((1, (played(40), drawn(44))), (0, (played(29), drawn(0, 1)))):
        for move in moves:
            for look in cards.move(seat, move):
                desk.tell(look)
    desk.tell(NextRound(cards.t_ms))
    again = Table(DEALT, t_ms=cards.t_ms)
    desk.tell(again.look())
    for seat, move in ((0, played(9, 5)), (0, drawn(40)), (1, played(28, seat=1))):
        for look in again.move(seat, move):
            desk.tell(look)
    return desk


def test_wins_calls_cards_and_faults_are_counted(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    cards = Table(DEALT)
    desk.tell(cards.look())
    for move in (played(9, 8), drawn(33, 32)):
        for look in cards.move(0, move):
            desk.tell(look)
    desk.declare(0, Call.STOP)
    first, second = shown(desk)["statistics"]
    assert first["won"] == 1
    assert first["best"] == 5
    assert first["captured"] == 4.0
    assert first["yaku"] == [{"name": "hanamizake", "times": 1}]
    assert (second["won"], second["captured"], second["yaku"]) == (0, 0.0, [])


def test_a_call_that_did_not_pay_and_a_fault(tmp_path: Path) -> None:
    first, second = shown(two_months(tmp_path))["statistics"]
    assert (first["calls"], first["calls_paid"], first["won"]) == (1, 0, 0)
    assert (first["faults"], second["faults"]) == (1, 0)


def test_every_month_is_a_row_with_points_and_totals(tmp_path: Path) -> None:
    desk = two_months(tmp_path)
    rows = list(csv.reader(koikoi_csv(shown(desk), words("en")).lstrip("\ufeff").splitlines()))
    assert rows[0][:4] == ["Round", "Dealer", "How it ended", "Player 1: points"]
    assert [row[0] for row in rows[1:]] == ["1", "2"]
    assert rows[1][2:6] == ["Nobody stopped: no points", "0", "0", "1"]
    assert rows[1][6].endswith(" 5")
    assert rows[2][2] == "being played"


def test_the_table_is_served_and_no_name_becomes_a_formula(tmp_path: Path) -> None:
    desk = two_months(tmp_path)
    game = shown(desk)
    game["seats"][0]["name"] = "=1+1"
    heads = next(csv.reader([koikoi_csv(game, words("ja")).lstrip("\ufeff").splitlines()[0]]))
    assert heads[3] == "'=1+1: 点"
    app = game_app(KOIKOI, page_of(KOIKOI, desk, drawn_deck()))
    answer = browser_of(app).get("/koikoi/totals.csv?lang=ja")
    assert answer.headers["content-type"].startswith("text/csv")
    assert "shinpan-koikoi.csv" in answer.headers["content-disposition"]
    assert answer.text.lstrip("\ufeff") == koikoi_csv(shown(desk), words("ja")).lstrip("\ufeff")
