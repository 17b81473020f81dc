"""From pixels to the desk: the eye over a simulated table, early declarations, consecutive rounds."""

from pathlib import Path

import pytest

from desk.commands.cli import main
from desk.koikoi.card_game import KOIKOI
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import Declared, NextRound, StripSeenBriefly, TableSeen, seen_by
from desk.koikoi.page.state import shown
from desk.koikoi.scribe.look import CardSeenBriefly
from desk.log.event_log import EventLog
from desk.tables.desk import Attendant
from desk.tables.live_game import LiveGame, new_desk
from desk.tables.recording import Declaration
from desk.tables.simulated.simulated_film import opened_film
from referee.koikoi.house_rules import preset
from tests.desk.koikoi.koikoi_script import Table, drawn, events_of, opened_desk, planned, played
from tests.desk.tables.watched import watch_to_the_end
from vision.plane.zones import TableZones, Zone
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.recording import film_koikoi
from vision.table.watcher import CardGlimpsed, StripGlimpsed

DEALT = (8, 32, 5, 13, 17, 21, 25, 1)


def test_a_word_that_comes_before_the_table_rests_waits_for_it(tmp_path: Path) -> None:
    desk, table = opened_desk(tmp_path), Table(DEALT)
    attendant = Attendant(desk, [Declaration(4500.0, 0, "stop")])
    attendant.seen(table.look())
    for move in (played(9, 8), drawn(33, 32)):
        for look in table.move(0, move):
            attendant.at(look.look.t_ms)
            attendant.seen(look)
    attendant.at(5600.0)
    assert shown(desk)["rounds"][0]["points"] == [5, 0]
    assert shown(desk)["flags"] == []


def test_a_new_deal_after_the_end_begins_the_next_round_by_itself(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    attendant = Attendant(desk)
    for event in events_of(planned(5)):
        if isinstance(event, Declared):
            attendant.at(event.t_ms)
            desk.tell(event)
        elif isinstance(event, TableSeen):
            attendant.seen(event)
    assert shown(desk)["phase"] == "over"
    attendant.seen(Table(DEALT, t_ms=1e6).look())
    assert any(isinstance(event, NextRound) for _, event in desk.history)
    assert shown(desk)["phase"] == "hand_card"
    assert shown(desk)["field"] == sorted(DEALT)


def test_a_table_that_is_not_seen_is_said_and_sources_that_cannot_be_used_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["koikoi", "live", "--source", str(tmp_path)]) != 0
    assert "recording.toml" in capsys.readouterr().err
    assert main(["koikoi", "live", "--source", "7", "--dealer", "2"]) != 0
    assert "--dealer" in capsys.readouterr().err
    assert main(["koikoi", "live", "--source", "7"]) != 0
    assert "--deck" in capsys.readouterr().err


def test_the_first_turns_of_a_simulated_table_reach_the_desk_from_pixels(tmp_path: Path) -> None:
    koikoi = film_koikoi(drawn_deck(), seed=100, look="wood", pace=0.5, longest=2, fps=15)
    opened = opened_film("koikoi", koikoi, koikoi.zones, koikoi.rounds[0].dealer, 1000.0)
    desk = new_desk(KOIKOI, EventLog.create(tmp_path / "live.sqlite"), opened, preset())
    assert isinstance(desk, KoiKoiDesk)
    live = LiveGame(KOIKOI, desk, opened.open_table(), opened)
    watch_to_the_end(live)
    assert live.failure is None
    truth = koikoi.filmed.rounds[0]
    view = shown(desk)
    assert view["field"] == truth["tables"][-1]["field"]
    assert [seat["captures"] for seat in view["seats"]] == truth["tables"][-1]["captures"]
    assert view["flags"] == []
    assert live.eye.preview() is not None


FIELD = Zone("field", 0, (150, 180, 560, 380))
PILE = Zone("capture", 0, (100, 420, 700, 550))
ZONES = TableZones((800, 560), (FIELD, PILE))


@pytest.mark.parametrize(("zone", "over"), [(FIELD, 0), (PILE, None)])
def test_a_card_is_laid_on_its_match_in_the_middle_and_not_in_a_pile(zone: Zone, over: int | None) -> None:
    fact = CardGlimpsed(2_000_000, "01-2", zone, 1_000_000, frozenset(), "01-1")
    assert seen_by(fact, ZONES, 2) == CardSeenBriefly(1.0, 1, at_stock=False, over=over, on_pile=zone is PILE)


def test_strips_are_told_in_piles_only() -> None:
    alike = {"01-1": -0.2, "01-2": 0.9}
    assert seen_by(StripGlimpsed(2_000_000, PILE, alike), ZONES, 2) == StripSeenBriefly(2.0, 0, {1: 0.9})
    assert seen_by(StripGlimpsed(2_000_000, FIELD, alike), ZONES, 2) is None
    assert seen_by(StripGlimpsed(2_000_000, None, alike), ZONES, 2) is None
