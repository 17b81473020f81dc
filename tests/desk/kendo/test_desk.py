"""The desk of a bout logs everything, and the replayed log gives the same bout."""

from pathlib import Path

import pytest

from desk.kendo.desk import KendoDesk, Refused
from desk.kendo.events import CourtSeen
from desk.kendo.page.view import shown
from desk.log.event_log import EventLog
from tests.desk.kendo.kendo_script import Court, opened_desk


@pytest.fixture
def desk(tmp_path: Path) -> KendoDesk:
    return opened_desk(tmp_path)


def test_words_that_the_rules_do_not_allow_are_refused_and_not_logged(desk: KendoDesk) -> None:
    court = Court()
    desk.tell(CourtSeen(court.lay(0, "seme")))
    seq = desk.last_seq
    assert desk.say(0, "pass") is Refused.NOT_NOW
    assert desk.say(1, "cede") is Refused.NOT_NOW
    assert desk.say(1, "accept") is Refused.NOTHING_TO_ACCEPT
    assert desk.last_seq == seq
    assert isinstance(desk.say(1, "pass"), int)
    assert desk.game.scribe.minutes.bout.ippon == (1, 0)


def test_a_card_that_was_read_wrongly_is_named_until_the_court_is_bare(desk: KendoDesk) -> None:
    court = Court()
    desk.tell(CourtSeen(court.lay(0, "oshidashi")))
    desk.tell(CourtSeen(court.lay(1, "tsuyoi_kamae")))
    assert shown(desk)["flags"][0]["lies"]
    assert desk.correct(1, "tsuyoi_kamae", "tsuyoi_kamae") is Refused.SAME_CARD
    assert desk.correct(0, "tsuyoi_kamae", "seme") is Refused.NO_SUCH_CARD
    desk.correct(1, "tsuyoi_kamae", "kaihi_suru")
    state = shown(desk)
    assert state["flags"] == []
    assert state["court"] == [["oshidashi"], ["kaihi_suru"]]
    desk.tell(CourtSeen(court.sweep(0)))
    desk.tell(CourtSeen(court.lay(0, "maki_waza")))
    desk.tell(CourtSeen(court.lay(1, "tsuyoi_kamae")))
    assert shown(desk)["flags"] == []


def test_a_card_that_cannot_be_told_gets_its_name(desk: KendoDesk) -> None:
    desk.tell(CourtSeen(Court().lay(0, "")))
    assert shown(desk)["court"] == [[""], []]
    desk.correct(0, "", "seme")
    assert shown(desk)["standing"]["kind"] == "seme"


def test_the_log_tells_the_same_bout_again(desk: KendoDesk, tmp_path: Path) -> None:
    court = Court()
    for look in (court.lay(0, "seme"), court.lay(1, "men_uchi-3"), court.lay(0, "men-do"), court.sweep(1)):
        desk.tell(CourtSeen(look))
    again = KendoDesk(EventLog.open(tmp_path / "bout.sqlite"))
    assert shown(again) == shown(desk)
    assert again.game.scribe.notes == desk.game.scribe.notes
