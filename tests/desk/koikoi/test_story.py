"""The story of a round: its steps, what each made, what was flagged, and what was put right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.page.story import story, story_view
from desk.koikoi.page.view import move_text
from desk.panel.words import words
from referee.koikoi.events import Call
from tests.desk.koikoi.koikoi_script import Table, drawn, events_of, opened_desk, planned, played

DEALT = (8, 32, 5, 13, 17, 21, 25, 1)
NAMES = ["Hana", "Jun"]


def told(desk: KoiKoiDesk, number: int = 1) -> dict[str, Any]:
    found = story(desk.game, number)
    assert found is not None
    return found


def test_a_round_is_told_card_by_card_with_the_table_as_it_lay(tmp_path: Path) -> None:
    desk, table = opened_desk(tmp_path), Table(DEALT)
    for event in (table.look(), *table.move(0, played(9, 8)), *table.move(0, drawn(33, 32))):
        desk.tell(event)
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
    for event in (table.look(), *table.move(0, played(9, 5)), *table.move(0, drawn(40))):
        desk.tell(event)
    for event in table.move(1, played(28, seat=1)):
        desk.tell(event)
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
    for event in events_of(planned(8)):
        desk.tell(event)
    steps = told(desk)["steps"]
    assert [step["event"] for step in steps] == list(range(len(steps)))
    for step in steps:
        seen = [*step["field"], *(card for pile in step["piles"] for card in pile)]
        assert len(seen) == len(set(seen))
        assert step["card"] is None or step["card"] in seen
    assert story(desk.game, 2) is None


def test_a_story_is_told_in_japanese_too(tmp_path: Path) -> None:
    desk, table = opened_desk(tmp_path), Table(DEALT)
    for event in (table.look(), *table.move(0, played(9, 8)), *table.move(1, played(28, seat=1))):
        desk.tell(event)
    view = story_view(told(desk), NAMES, words("ja"))
    assert [step["text"] for step in view["steps"][:2]] == ["Hanaが配りました", "Hana：桜に赤短で幕を取る"]
    kinds = {group["kind"]: (group["label"], group["cards"]) for group in view["steps"][1]["piles"][0]}
    assert kinds["hikari"] == ("光札", [8])
    assert kinds["tan"] == ("短冊", [9])


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
