"""The desk of a Koi-Koi game: its log, its corrections and its snapshots."""

from pathlib import Path

import pytest

from desk.koikoi.desk import KoiKoiDesk, Refused
from desk.koikoi.events import Declared, NextRound
from desk.koikoi.page.state import shown
from desk.koikoi.page.view import koikoi_view
from desk.log.event_log import EventLog
from desk.panel.words import words
from referee.koikoi.events import Call
from tests.desk.koikoi.koikoi_script import Table, drawn, events_of, opened_desk, planned, played, tell

DEALT = (8, 32, 5, 13, 17, 21, 25, 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_round_ends_with_the_points_of_the_simulators_own_arithmetic(
    tmp_path: Path, players: int
) -> None:
    plan = planned(5, players)
    desk = opened_desk(tmp_path, players)
    tell(desk, events_of(plan, players))
    assert plan.final is not None
    view = shown(desk)
    assert view["rounds"][0]["points"] == plan.final["points"]
    assert [{row["name"]: row["points"] for row in seat["yaku"]} for seat in view["seats"]] == plan.final[
        "yaku"
    ]
    assert view["flags"] == []
    assert view["phase"] == "over"
    assert not any(seat["away"] for seat in view["seats"]), "no card comes any more"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_people_are_told_of_how_many_dealt_cards_the_referee_waits_for_until_all_are_seen_or_play_goes_on(
    tmp_path: Path, language: str
) -> None:
    def says_so() -> bool:
        sentence = koikoi_view(shown(desk), words(language))["sentence"]
        return "7" in sentence and "8" in sentence and "{" not in sentence

    desk = opened_desk(tmp_path)
    assert shown(desk)["deal"] is None
    table = Table(DEALT[:-1])
    for _ in range(4):
        desk.tell(table.look())
        assert shown(desk)["deal"] == {"why": "few", "seen": 7, "unread": 0, "size": 8}
        assert says_so()
    table.field.add(DEALT[-1])
    desk.tell(table.look())
    assert shown(desk)["deal"] is None
    assert not says_so()


def test_the_log_alone_brings_the_game_back(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    tell(desk, list(events_of(planned(2)))[:9])
    desk.correct_card(0, 40)
    desk.undo()
    again = KoiKoiDesk(EventLog.open(tmp_path / "game.sqlite"))
    assert shown(again) == shown(desk)


def test_a_decision_is_asked_for_in_the_turn_itself_and_only_then_taken(tmp_path: Path) -> None:
    plan = planned(5)
    desk = opened_desk(tmp_path)
    assert desk.declare(0, Call.STOP) is Refused.NO_ROUND
    asked = 0
    for event in events_of(plan):
        if isinstance(event, Declared):
            asked += 1
            view = shown(desk)
            assert view["deciding"] == event.player
            assert desk.declare(1 - event.player, Call.STOP) is Refused.NOTHING_TO_DECIDE
            assert isinstance(desk.declare(event.player, event.what), int)
        else:
            if shown(desk)["deciding"] is None and shown(desk)["phase"] != "waiting":
                assert desk.declare(0, Call.STOP) is Refused.NOTHING_TO_DECIDE
            desk.tell(event)
    assert asked
    assert shown(desk)["phase"] == "over"


def test_a_word_can_be_taken_back_and_the_table_cannot(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    table = Table(DEALT)
    desk.tell(table.look())
    assert desk.undo() is None
    for move in (played(9, 8), drawn(33, 32)):
        tell(desk, table.move(0, move))
    before = shown(desk)
    assert before["deciding"] == 0
    desk.declare(0, Call.STOP)
    assert shown(desk)["rounds"][0]["points"] == [5, 0]
    desk.undo()
    assert {**shown(desk), "seq": 0} == {**before, "seq": 0}


def test_a_card_read_wrongly_is_named_and_the_round_judged_anew(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    table = Table((4, *DEALT[:-1]))  # the warbler is read where the crane lies
    desk.tell(table.look())
    for seat, move in ((0, played(1, 4)), (0, drawn(40)), (1, played(28, seat=1))):
        tell(desk, table.move(seat, move))
    assert [flag["id"] for flag in shown(desk)["flags"]] == ["wrong_month"]
    assert isinstance(desk.correct_card(4, 0), int)
    view = shown(desk)
    assert view["flags"] == []
    assert view["seats"][0]["captures"] == [0, 1]
    assert desk.correct_card(3, 3) is Refused.SAME_CARD
    with pytest.raises(ValueError, match=r"0\.\.47"):
        desk.correct_card(48, 0)
    desk.undo()
    assert [flag["id"] for flag in shown(desk)["flags"]] == ["wrong_month"]


def test_the_next_round_ends_an_open_one_and_totals_add_up(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    assert desk.next_round() is Refused.NO_ROUND
    tell(desk, events_of(planned(5)))
    paid = shown(desk)["rounds"][0]["points"]
    desk.next_round()
    cards = Table(DEALT, t_ms=1e6)
    desk.tell(cards.look())
    tell(desk, cards.move(shown(desk)["turn"] or 0, played(9)))
    desk.tell(NextRound(2e6))
    view = shown(desk)
    assert [each["end"] for each in view["rounds"]] == ["stop", "exhausted"]
    assert [seat["total"] for seat in view["seats"]] == paid
