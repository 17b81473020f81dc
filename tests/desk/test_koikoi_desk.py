"""The desk of a Koi-Koi game: what it keeps, how it corrects itself, and what it shows."""

from pathlib import Path

import pytest
from koikoi_script import events_of, opened_desk, planned

from desk.event_log import EventLog
from desk.koikoi_desk import KoiKoiDesk, Refused
from desk.koikoi_events import TableDoubt, TableSeen
from desk.koikoi_snapshot import shown
from referee.koikoi.events import Call, Deal, Play
from referee.koikoi.flags import FlagId


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_round_ends_with_the_points_of_the_simulators_own_arithmetic(
    tmp_path: Path, players: int
) -> None:
    plan = planned(5, players)
    desk = opened_desk(tmp_path, players)
    for event in events_of(plan, players):
        desk.tell(event)
    assert plan.final is not None
    view = shown(desk)
    assert view["rounds"][0]["points"] == plan.final["points"]
    assert [{row["name"]: row["points"] for row in seat["yaku"]} for seat in view["seats"]] == plan.final[
        "yaku"
    ]
    assert view["flags"] == []
    assert view["phase"] == "over"


def test_the_log_alone_brings_the_game_back(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    for event in list(events_of(planned(2)))[:9]:
        desk.tell(event)
    desk.correct_card(*_two_unseen(desk))
    desk.undo()
    again = KoiKoiDesk(EventLog.open(tmp_path / "game.sqlite"))
    assert shown(again) == shown(desk)


def test_a_decision_is_asked_for_and_only_then_taken(tmp_path: Path) -> None:
    plan = planned(5)
    desk = opened_desk(tmp_path)
    assert desk.declare(0, Call.STOP) is Refused.NO_ROUND
    for event in events_of(plan):
        view = shown(desk)
        if view["phase"] != "decision":
            assert desk.declare(0, Call.STOP) in {Refused.NOTHING_TO_DECIDE, Refused.NO_ROUND}
        else:
            assert view["deciding"] == view["turn"]
            other = 1 - int(view["deciding"] or 0)
            assert desk.declare(other, Call.STOP) is Refused.NOTHING_TO_DECIDE
        desk.tell(event)
    assert shown(desk)["deciding"] is None


def test_undo_takes_moves_back_one_by_one_down_to_the_deal(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    events = list(events_of(planned(1)))[:5]
    views = []
    for event in events:
        views.append({**shown(desk), "seq": 0})
        desk.tell(event)
    for view in reversed(views):
        assert isinstance(desk.undo(), int)
        assert {**shown(desk), "seq": 0} == view
    assert desk.undo() is Refused.NOTHING_TO_UNDO


def test_a_card_read_wrongly_is_named_and_the_round_judged_anew(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    right = (0, 5, 9, 13, 17, 21, 25, 29)
    desk.tell(Deal(None, 2, 0, (4, *right[1:])))  # the warbler was read where the crane lies
    desk.tell(Play(0, 1, (4,)))
    assert [flag["id"] for flag in shown(desk)["flags"]] == ["wrong_month"]
    assert isinstance(desk.correct_card(4, 0), int)
    view = shown(desk)
    assert view["flags"] == []
    assert view["seats"][0]["captures"] == [0, 1]
    # later words of the eye about the same card are put right too
    desk.tell(TableSeen(1, (5, 9), ((4, 1), ())))
    assert desk.game.table is not None
    assert desk.game.table.captures == ((0, 1), ())
    assert desk.correct_card(3, 3) is Refused.SAME_CARD
    with pytest.raises(ValueError, match=r"0\.\.47"):
        desk.correct_card(48, 0)
    desk.undo()
    assert [flag["id"] for flag in shown(desk)["flags"]] == ["wrong_month"]


def test_what_cannot_be_of_the_game_becomes_a_doubt_and_doubts_are_shown(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    desk.tell(Play(0, 1, ()))
    assert [flag["id"] for flag in shown(desk)["flags"]] == ["unsure"]
    desk.tell(Deal(None, 2, 0, (0, 5, 9, 13, 17, 21, 25, 29)))
    assert shown(desk)["flags"] == []
    desk.tell(TableDoubt(FlagId.CARD_VANISHED, "card 5 is gone", 7, (5,)))
    (flag,) = shown(desk)["flags"]
    assert (flag["id"], flag["cards"]) == ("card_vanished", [5])


def test_the_same_deal_told_twice_is_one_round(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    deal = Deal(None, 2, 0, (0, 5, 9, 13, 17, 21, 25, 29))
    desk.tell(deal)
    desk.tell(deal)
    assert len(shown(desk)["rounds"]) == 1


def test_one_card_away_names_the_cards_that_can_still_come(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    desk.tell(Deal(None, 2, 0, (8, 32, 5, 13, 17, 21, 25, 1)))
    desk.tell(Play(0, 9, (8,)))
    away = {row["name"]: row["cards"] for row in shown(desk)["seats"][0]["away"]}
    assert away == {"hanamizake": [32]}


def test_every_round_can_be_ended_by_hand(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    assert desk.end_round() is Refused.NO_ROUND
    desk.tell(Deal(None, 2, 0, (8, 32, 5, 13, 17, 21, 25, 1)))
    desk.end_round()
    assert shown(desk)["rounds"][0]["end"] == "exhausted"


def _two_unseen(desk: KoiKoiDesk) -> tuple[int, int]:
    first, second, *_ = shown(desk)["unseen"]
    return first, second
