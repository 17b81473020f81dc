"""An evening of Koi-Koi: which games belong to it, and what each player took home."""

import shutil
from pathlib import Path
from typing import Literal

import pytest

from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.evening import Evenings
from desk.koikoi.events import GameOpened
from desk.log.event_log import EventLog, LogEntry
from desk.tables.desk import Origin
from desk.tables.table_events import TakenBack
from referee.koikoi.events import Call
from referee.koikoi.house_rules import preset
from tests.desk.koikoi.koikoi_script import Table, drawn, played, tell

DEALT = (8, 32, 5, 13, 17, 21, 25, 1)


def play(
    folder: Path,
    name: str,
    wall: str,
    names: tuple[str | None, ...],
    source: Literal["camera", "simulator"] = "camera",
) -> None:
    """Keep a game whose only month the first player stops with five points."""
    opened = GameOpened(name, source, 2, 0, preset(), "shinpan", names)
    with EventLog.create(folder / f"{name}.sqlite") as log:
        desk = KoiKoiDesk(log, opened, clock=lambda: 0, wall=lambda: wall)
        table = Table(DEALT)
        tell(desk, (table.look(), *table.move(0, played(9, 8)), *table.move(0, drawn(33, 32))))
        desk.declare(0, Call.STOP)


def test_games_of_one_night_are_added_up_by_name(tmp_path: Path) -> None:
    play(tmp_path, "koikoi_1", "2026-01-02T21:00:00.000+09:00", ("Hana", "Jun"))
    play(tmp_path, "koikoi_2", "2026-01-03T20:00:00.000+09:00", ("Hana", "Jun"))
    play(tmp_path, "koikoi_3", "2026-01-04T00:30:00.000+09:00", ("Jun", None))
    play(tmp_path, "koikoi_4", "2026-01-03T19:00:00.000+09:00", ("Hana", "Jun"), "simulator")
    (tmp_path / "koikoi_5.sqlite").write_text("no log")
    evenings = Evenings(tmp_path)
    shown = evenings.evening(None)
    assert (shown["day"], shown["days"]) == ("2026-01-03", ["2026-01-03", "2026-01-02"])
    assert [game["started"][11:16] for game in shown["games"]] == ["19:00", "20:00", "00:30"]
    assert [game["counts"] for game in shown["games"]] == [False, True, True]
    taken = {
        player["name"]: (player["points"], player["games"], player["best"]) for player in shown["players"]
    }
    assert taken == {"Hana": (5, 1, 5), "Jun": (5, 2, 5)}
    assert shown["games"][1]["months_won"] == [1, 0]
    assert shown["games"][1]["winners"] == [], "eleven months are still to be played"
    assert [game["totals"] for game in evenings.evening("2026-01-02")["games"]] == [[5, 0]]
    assert evenings.evening("1999-12-31")["day"] == "2026-01-03"


def sums(folder: Path) -> list[tuple[str, int, int]]:
    shown = Evenings(folder).evening(None)
    return [(player["name"], player["games"], player["points"]) for player in shown["players"]]


@pytest.mark.parametrize("typed", ["Ｈａｎａ", "Hana ", "\u3000Hana"])
def test_a_name_is_the_same_on_any_keyboard(tmp_path: Path, typed: str) -> None:
    play(tmp_path, "koikoi_1", "2026-01-03T20:00:00.000+09:00", ("Hana", "が"))
    play(tmp_path, "koikoi_2", "2026-01-03T21:00:00.000+09:00", (typed, "か\u3099"))
    assert sums(tmp_path) == [("Hana", 2, 10), ("が", 2, 0)]


def test_a_game_in_several_files_counts_once_and_the_double_is_named(tmp_path: Path) -> None:
    play(tmp_path, "koikoi_1", "2026-01-03T20:00:00.000+09:00", ("Hana", "Jun"))
    shutil.copy(tmp_path / "koikoi_1.sqlite", tmp_path / "koikoi_1 (1).sqlite")
    shutil.copy(tmp_path / "koikoi_1.sqlite", tmp_path / "koikoi_0.sqlite")
    assert sums(tmp_path) == [("Hana", 1, 5), ("Jun", 1, 0)]
    assert Evenings(tmp_path).evening(None)["doubles"] == ["koikoi_0.sqlite", "koikoi_1 (1).sqlite"]


def test_an_impossible_event_is_left_out_and_told(tmp_path: Path) -> None:
    """The whole game was left out, and nobody was told."""
    play(tmp_path, "koikoi_1", "2026-01-03T20:00:00.000+09:00", ("Hana", "Jun"))
    with EventLog.open(tmp_path / "koikoi_1.sqlite") as log:
        after = log.last_seq
        log.append(
            [
                LogEntry(
                    after + 1, 0, "2026-01-03T20:10:00.000+09:00", "player", "declared", 1, {"player": "x"}
                ),
                LogEntry(after + 2, 0, "2026-01-03T20:11:00.000+09:00", "player", "sung", 1, {}),
            ]
        )
    shown = Evenings(tmp_path).evening(None)
    assert [game["totals"] for game in shown["games"]] == [[5, 0]]
    assert [str(problem)[:35] for problem in shown["problems"]] == [
        f"Entry {after + 1} of koikoi_1.sqlite is left out"[:35],
        f"Entry {after + 2} of koikoi_1.sqlite is left out"[:35],
    ]
    with EventLog.open(tmp_path / "koikoi_1.sqlite") as log:
        desk = KoiKoiDesk(log)
        assert [f"Entry {after + 1} of" in desk.failures[0], len(desk.failures)] == [True, 2]
        assert desk.tell(TakenBack(after), Origin.OPERATOR) == after + 3


@pytest.mark.parametrize(
    "wall", ["0001-01-01T00:00:00.000+09:00", "99999-01-01T00:00:00.000", "yesterday", ""]
)
def test_a_log_of_no_day_takes_no_evening_away(tmp_path: Path, wall: str) -> None:
    play(tmp_path, "koikoi_1", "2026-01-03T20:00:00.000+09:00", ("Hana", "Jun"))
    play(tmp_path, "koikoi_2", wall, ("Hana", "Jun"))
    assert [game["totals"] for game in Evenings(tmp_path).evening(None)["games"]] == [[5, 0]]
