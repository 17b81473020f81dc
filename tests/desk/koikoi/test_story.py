"""What the page tells: the story of a round, the players' statistics, and a table for spreadsheets."""

import csv
from pathlib import Path
from typing import Any

import pytest

from desk.koikoi.card_game import KOIKOI
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import NextRound
from desk.koikoi.page.state import shown
from desk.koikoi.page.story import story, story_view
from desk.koikoi.page.view import koikoi_csv, move_text
from desk.panel.words import words
from desk.tables.live_game import game_app, page_of
from referee.koikoi.events import Call
from tests.desk.koikoi.koikoi_script import Table, drawn, events_of, opened_desk, planned, played, tell
from tests.desk.panel.visitor import browser_of
from vision.simulator.art.hanafuda import drawn_deck

DEALT = (8, 32, 5, 13, 17, 21, 25, 1)
NAMES = ["Hana", "Jun"]


def told(desk: KoiKoiDesk, number: int = 1) -> dict[str, Any]:
    found = story(desk.game, number)
    assert found is not None
    return found


def test_a_round_is_told_card_by_card_with_the_table_as_it_lay(tmp_path: Path) -> None:
    desk, table = opened_desk(tmp_path), Table(DEALT)
    tell(desk, (table.look(), *table.move(0, played(9, 8)), *table.move(0, drawn(33, 32))))
    desk.declare(0, Call.STOP)
    shown = told(desk)
    assert [step["kind"] for step in shown["steps"]] == ["deal", "play", "draw", "declare"]
    assert (shown["end"], shown["winner"], shown["points"]) == ("stop", 0, [5, 0])
    deal, play, draw, declare = shown["steps"]
    assert declare["said"] == "stop"
    assert deal["field"] == sorted(DEALT)
    assert (play["card"], play["taken"], play["piles"]) == (9, [8], [[8, 9], []])
    assert play["reached"] == []
    assert draw["reached"] == ["hanamizake"]
    assert draw["stock"] == deal["stock"] - 1


def test_what_was_flagged_stands_at_its_step_and_goes_when_it_is_put_right(tmp_path: Path) -> None:
    desk, table = opened_desk(tmp_path), Table(DEALT)
    tell(desk, (table.look(), *table.move(0, played(9, 5)), *table.move(0, drawn(40))))
    tell(desk, table.move(1, played(28, seat=1)))
    flagged = {step["event"]: [flag["id"] for flag in step["flags"]] for step in told(desk)["steps"]}
    assert {event for event, ids in flagged.items() if ids} == {1}
    assert flagged[1] == ["wrong_month"]
    view = story_view(told(desk), NAMES, words("en"))
    assert view["flagged"] == 1
    assert view["steps"][1]["flags"][0]["mend"] == "Put the field card back."
    desk.correct_card(5, 8)
    assert not any(step["flags"] for step in told(desk)["steps"])


def test_every_event_of_a_whole_round_is_told_and_no_card_is_lost(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    tell(desk, events_of(planned(8)))
    steps = told(desk)["steps"]
    assert [step["event"] for step in steps] == list(range(len(steps)))
    for step in steps:
        seen = [*step["field"], *(card for pile in step["piles"] for card in pile)]
        assert len(seen) == len(set(seen))
        assert step["card"] is None or step["card"] in seen
    assert story(desk.game, 2) is None


@pytest.mark.parametrize(
    ("kind", "card", "taken", "english", "japanese"),
    [
        ("play", 18, [], "Jun played chaff, iris (month 5) and took nothing", "Jun：菖蒲のカスを場に出す"),
        (
            "play", 12, [13], "Jun played cuckoo, wisteria (month 4) and took red ribbon, wisteria (month 4)",
            "Jun：藤に不如帰で短冊を取る",
        ),
        ("draw", 45, [], None, "Jun：めくった桐のカスを場に置く"),
        ("draw", 28, [29, 30, 31], None, "Jun：めくった芒に月で雁・カス・カスを取る"),
    ],
)  # fmt: skip
def test_a_card_is_told_as_players_call_it(
    kind: str, card: int, taken: list[int], english: str | None, japanese: str
) -> None:
    assert move_text(kind, "Jun", card, taken, words("ja")) == japanese
    assert english is None or move_text(kind, "Jun", card, taken, words("en")) == english


def two_months(folder: Path) -> KoiKoiDesk:
    """Seat 0 wins the first month with hanamizake after a call, and a fault begins the second one."""
    desk = opened_desk(folder)
    cards = Table(DEALT)
    desk.tell(cards.look())
    for move in (played(9, 8), drawn(33, 32)):
        tell(desk, cards.move(0, move))
    desk.declare(0, Call.KOIKOI)
    for seat, moves in ((1, (played(40), drawn(44))), (0, (played(29), drawn(0, 1)))):
        for move in moves:
            tell(desk, cards.move(seat, move))
    desk.tell(NextRound(cards.t_ms))
    again = Table(DEALT, t_ms=cards.t_ms)
    desk.tell(again.look())
    for seat, move in ((0, played(9, 5)), (0, drawn(40)), (1, played(28, seat=1))):
        tell(desk, again.move(seat, move))
    return desk


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
