"""A game goes on although eye or scribe fail at a look: the failure is reported, and the look is skipped."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from desk.koikoi.card_game import KOIKOI
from desk.koikoi.desk import Game, KoiKoiDesk
from desk.koikoi.events import Seen, TableSeen
from desk.koikoi.page.state import shown
from desk.koikoi.scribe.look import Look
from desk.koikoi.scribe.scribe import Scribe
from desk.log.event_log import EventLog
from desk.panel.table.stream import LEFT_OUT
from desk.tables.desk import Attendant
from desk.tables.live_game import LiveGame
from desk.tables.log_follower import Following
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from desk.tables.table_opening import OpenedTable
from tests.desk.koikoi.koikoi_script import events_of, opened_desk, planned
from tests.desk.tables.watched import watch_to_the_end
from vision.frames.frame import Frame
from vision.plane.printed_table import koikoi_table
from vision.simulator.art.hanafuda import drawn_deck
from vision.table.watcher import TableWatcher

pytestmark = pytest.mark.live

BAD_MS = 7000.0
LOOK = Scribe.look


def failing(self: Scribe, look: Look) -> None:
    LOOK(self, look)
    if look.t_ms == BAD_MS:
        raise IndexError("a twin")


def views(desk: KoiKoiDesk) -> dict[str, object]:
    return {name: value for name, value in shown(desk).items() if name not in {"seq", "id"}}


def test_a_look_at_which_the_scribe_fails_is_left_out_and_stays_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = list(events_of(planned(5)))
    (bad,) = (event for event in events if isinstance(event, TableSeen) and event.look.t_ms == BAD_MS)
    without = opened_desk(tmp_path / "without")
    for event in events:
        if event is not bad:
            without.tell(event)
    monkeypatch.setattr(Scribe, "look", failing)
    desk = opened_desk(tmp_path)
    for event in events:
        desk.tell(event)
    assert views(desk) == views(without)
    assert [failure.partition(",")[0] for failure in desk.failures] == ["a twin (IndexError"]
    with EventLog.open(tmp_path / "game.sqlite") as log:
        again = KoiKoiDesk(log)
        assert views(again) == views(without)
        assert len(again.failures) == 1
        assert bad in [event for _, event in again.history]
    monkeypatch.undo()
    with EventLog.open(tmp_path / "game.sqlite") as log:
        mended = KoiKoiDesk(log)
    assert mended.failures == []


def test_a_game_whose_end_cannot_be_judged_stays_as_it_stood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Scribe) -> None:
        raise IndexError("the end")

    monkeypatch.setattr(Scribe, "close", broken)
    following = Following(Game.read, opened_desk(tmp_path).history)
    for event in events_of(planned(5)):
        following.tell(event)
    before = following.game.match
    following.finish()
    assert following.game.match == before
    assert len(following.failures) == 1


def no_pictures(count: int) -> Iterator[Frame]:
    for number in range(count):
        yield Frame(np.zeros((18, 32), np.uint8), number * 100_000_000, 1, number)


def broken_watch(self: TableWatcher, frame: Frame) -> list[Seen]:
    if frame.index in {3, 4}:
        raise IndexError("a picture")
    return []


def test_a_live_table_tells_once_what_failed_and_watches_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(TableWatcher, "feed", broken_watch)
    desk = opened_desk(tmp_path)
    table = ScriptedTable(lambda: no_pictures(8), Source.SIMULATOR, "koikoi", 10.0, 1000.0)
    opened = OpenedTable(lambda: table, "simulator", drawn_deck(), koikoi_table(2).zones)
    live = LiveGame(KOIKOI, desk, table, opened)
    shown_frames: list[float] = []
    monkeypatch.setattr(Attendant, "at", lambda self, t_ms: shown_frames.append(t_ms))
    watch_to_the_end(live)
    assert live.failure is None
    assert len(shown_frames) == 8
    assert capsys.readouterr().err.count("a picture (IndexError") == 1
    warnings = live.health()["warnings"]
    assert isinstance(warnings, list)
    assert LEFT_OUT in warnings
