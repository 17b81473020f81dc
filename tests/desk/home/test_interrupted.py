"""An interrupted game goes on: what is offered, what is refused, and what is told of the time between."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desk.card_games import CARD_GAMES
from desk.errors import DeskError
from desk.home.card_table import CardTable, interrupted_games
from desk.koikoi.card_game import KOIKOI
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.evening import Evenings
from desk.koikoi.events import TableUnseen
from desk.koikoi.page.state import shown
from desk.log.event_log import EventLog
from desk.panel.pages import Pages
from desk.panel.table.seat_links import SeatLinks
from desk.tables.live_game import LiveGame, desk_again, new_desk
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from desk.tables.table_opening import OpenedTable
from referee.koikoi.house_rules import preset
from tests.desk.koikoi.koikoi_script import events_of, planned
from tests.desk.tables.watched import watch_to_the_end
from vision.frames.frame import Frame
from vision.plane.printed_table import koikoi_table
from vision.simulator.art.hanafuda import drawn_deck

SEED = 5


def bare_table(first_ns: int = 0) -> ScriptedTable:
    """Return a table of which nothing is seen, whose camera's clock begins at `first_ns`."""
    frames = (
        Frame(np.zeros((72, 128), np.uint8), first_ns + n * 50_000_000, 1_000_000, n) for n in range(40)
    )
    return ScriptedTable(lambda: frames, Source.CAMERA, "0", 20.0, 1000.0)


def under_a_camera(open_table: Callable[[], ScriptedTable] = bare_table) -> OpenedTable:
    return OpenedTable(open_table, "camera", drawn_deck(), koikoi_table(2).zones)


def begun(folder: Path, name: str, opened: OpenedTable, share: float = 1.0) -> KoiKoiDesk:
    """Play a part of a month in a new log, close it as a killed desk would, and return its desk."""
    with EventLog.create(folder / f"{name}.sqlite") as log:
        desk = new_desk(KOIKOI, log, opened, preset(), ("父", "娘"))
        assert isinstance(desk, KoiKoiDesk)
        events = list(events_of(planned(SEED)))
        for event in events[: round(share * len(events))]:
            desk.tell(event)
    return desk


def test_a_game_goes_on_in_its_own_log_and_counts_once(tmp_path: Path) -> None:
    opened, rest = under_a_camera(), list(events_of(planned(SEED)))
    left = shown(begun(tmp_path, "koikoi_20260104_193000125", opened, 0.5))
    with EventLog.open(tmp_path / "koikoi_20260104_193000125.sqlite") as log:
        desk = desk_again(KOIKOI, log, opened)
        assert isinstance(desk, KoiKoiDesk)
        assert shown(desk) == left
        for event in rest[round(0.5 * len(rest)) :]:
            desk.tell(event)
        ended = shown(desk)
    (tmp_path / "other").mkdir()
    whole = shown(begun(tmp_path / "other", "koikoi_1", opened))
    assert [ended[key] for key in ("rounds", "seats")] == [whole[key] for key in ("rounds", "seats")]
    evening = Evenings(tmp_path).evening(None)
    assert [(player["name"], player["games"]) for player in evening["players"]] == [("父", 1), ("娘", 1)]


@pytest.mark.parametrize("first_s", [0.0, 300.0], ids=["machine restarted", "clock ran on"])
def test_nobody_saw_the_time_between_and_the_games_clock_runs_on(tmp_path: Path, first_s: float) -> None:
    opened = under_a_camera()
    look = begun(tmp_path, "koikoi_1", opened, 0.5).game.so_far.look
    assert look is not None
    left_ms = look.t_ms
    with EventLog.open(tmp_path / "koikoi_1.sqlite") as log:
        desk = desk_again(KOIKOI, log, opened)
        live = LiveGame(KOIKOI, desk, bare_table(round(first_s * 1e9)), opened)
        watch_to_the_end(live)
        unseen = [event for _, event in desk.history if isinstance(event, TableUnseen)]
        assert unseen == [TableUnseen(left_ms, max(first_s * 1e3, left_ms + 2000.0))]


def refusal(folder: Path, opened: OpenedTable) -> str:
    with EventLog.open(folder / "koikoi_1.sqlite") as log, pytest.raises(DeskError) as refused:
        desk_again(KOIKOI, log, opened)
    return str(refused.value)


def test_what_cannot_go_on_is_refused_with_the_reason(tmp_path: Path) -> None:
    opened = under_a_camera()
    begun(tmp_path, "koikoi_1", opened, 0.5)
    assert "begun by 2 with the deck shinpan; the table has 3" in refusal(
        tmp_path, replace(opened, players=3)
    )
    assert "ends with it" in refusal(tmp_path, replace(opened, source="simulator"))
    with (
        EventLog.open(tmp_path / "koikoi_1.sqlite") as log,
        pytest.raises(DeskError, match="no game of Kendo"),
    ):
        desk_again(CARD_GAMES["kendo"], log, opened)


def test_only_games_of_a_camera_that_are_not_over_are_offered(tmp_path: Path) -> None:
    one_month = replace(preset(), match=replace(preset().match, rounds=1))
    begun(tmp_path, "koikoi_1", replace(under_a_camera(), source="video"), 0.5)
    begun(tmp_path, "koikoi_2", under_a_camera(), 0.5)
    with EventLog.create(tmp_path / "koikoi_3.sqlite") as log:
        desk = new_desk(KOIKOI, log, under_a_camera(), one_month)
        for event in events_of(planned(SEED)):
            desk.tell(event)
        assert desk.game.is_over
    (tmp_path / "koikoi_4.sqlite").write_text("no log")
    (found,) = interrupted_games(KOIKOI, tmp_path)
    assert (found["id"], found["names"], found["players"], found["deck"]) == (
        "koikoi_2",
        ["父", "娘"],
        2,
        "shinpan",
    )


def test_a_family_goes_on_from_the_set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(tmp_path, "koikoi_1", under_a_camera(), 0.5)
    table = CardTable(KOIKOI, tmp_path, lambda _players: SeatLinks(), pages=Pages())
    monkeypatch.setattr(KOIKOI, "camera_table", lambda *_, **__: under_a_camera())

    async def play() -> None:
        await table.choose("camera", "0", "shinpan", 2)
        assert "no interrupted game" in str(await table.go_on("../koikoi_1"))
        assert await table.go_on("koikoi_1") is None
        assert table.running is not None
        assert table.interrupted() == [], "a running game is not interrupted"
        await table.close()

    asyncio.run(play())
    assert [path.name for path in tmp_path.glob("*.sqlite")] == ["koikoi_1.sqlite"]
