"""A tournament in a file, and as tables for spreadsheets."""

import csv
import io
from contextlib import closing
from pathlib import Path

import pytest

from desk.errors import DeskError
from desk.log.event_log import EventLog, LogEntry
from desk.tournament.desk import TournamentDesk
from desk.tournament.spreadsheet import results_csv, standings_csv
from referee.tournament.division import Division, Entrant, System
from referee.tournament.events import (
    DivisionOpened,
    EntrantEntered,
    EntrantWithdrawn,
    MatPlaced,
    ResultEntered,
    RoundDrawn,
    TournamentOpened,
)
from referee.tournament.pairing import Result

OPENED = TournamentOpened("spring", "12 May")


def rows(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff"), "spreadsheets need the mark to know that it is UTF-8"
    return list(csv.DictReader(io.StringIO(text[1:])))


@pytest.fixture
def desk(tmp_path: Path) -> TournamentDesk:
    desk = TournamentDesk.at(tmp_path / "new" / "spring.sqlite", OPENED)
    names = ("=Aoi", "Ben", "千恵")
    entrants = [EntrantEntered("A", Entrant(n, name, "East")) for n, name in enumerate(names, 1)]
    desk.tell(DivisionOpened(Division("A")), *entrants)
    desk.tell(
        RoundDrawn("A", ((1, 2),), (3,)), MatPlaced("A-1-1", "mat-07"), ResultEntered("A-1-1", Result(0, 8))
    )
    return desk


def test_who_opens_the_file_again_finds_the_same(desk: TournamentDesk, tmp_path: Path) -> None:
    desk.close()
    again = TournamentDesk.at(tmp_path / "new" / "spring.sqlite", TournamentOpened("other", "x"))
    assert (again.state, again.seq) == (desk.state, 8)
    assert again.state.name == "spring"
    again.close()


def test_the_log_of_something_else_is_left_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[Path] = []
    close = EventLog.close

    def noted(log: EventLog) -> None:
        close(log)
        closed.append(log.path)

    monkeypatch.setattr(EventLog, "close", noted)
    for kind, payload, told in (
        ("poem_read", {}, "poem_read"),
        ("draw_cancelled", {"division": "A"}, r"not the log of a tournament: .*begins with its opening"),
    ):
        path = tmp_path / f"{kind}.sqlite"
        with closing(EventLog.create(path)) as log:
            log.append([LogEntry(1, 0, "2026-01-01", "operator", kind, 1, payload)])
        closed.clear()
        with pytest.raises(DeskError, match=told):
            TournamentDesk.at(path, OPENED)
        assert closed == [path]


def test_what_is_refused_changes_nothing_and_wakes_nobody(desk: TournamentDesk) -> None:
    before, woken = desk.state, []
    leave = desk.listen(lambda: woken.append(desk.seq))
    with pytest.raises(DeskError, match="withdrawn already"):
        desk.tell(EntrantWithdrawn(2), EntrantWithdrawn(2))
    assert (desk.state, desk.seq, woken) == (before, 8, [])
    desk.tell(EntrantWithdrawn(2))
    leave()
    desk.tell(EntrantWithdrawn(3))
    assert woken == [9]
    desk.close()


def test_tables_for_spreadsheets(desk: TournamentDesk) -> None:
    results = rows(results_csv(desk.state))
    assert [
        (row["match"], row["mat"], row["first"], row["winner"], row["cards"], row["ended"]) for row in results
    ] == [("A-1-1", "mat-07", "'=Aoi", "'=Aoi", "8", "played"), ("", "", "千恵", "千恵", "", "bye")]
    desk.tell(EntrantWithdrawn(1))
    table = rows(standings_csv(desk.state))
    assert [(row["rank"], row["name"], row["points"], row["state"]) for row in table] == [
        ("1", "千恵", "1", "champion"), ("2", "'=Aoi", "1", "withdrawn"), ("3", "Ben", "0", "out")
    ]  # fmt: skip
    desk.close()


def test_a_class_of_an_earlier_version_is_ranked_as_it_was(tmp_path: Path) -> None:
    """Version 1 of the opening says nothing of virtual opponents."""
    path = tmp_path / "old.sqlite"
    division = {"name": "C", "system": "swiss", "rounds": 1, "boards": 1, "clubs_apart": 2}
    with EventLog.create(path) as log:
        wall = "2026-01-01"
        log.append(
            [
                LogEntry(1, 1, wall, "operator", "tournament_opened", 1, {"name": "x", "seed": "y"}),
                LogEntry(2, 1, wall, "operator", "division_opened", 1, {"division": division}),
            ]
        )
    with closing(TournamentDesk.at(path, OPENED)) as desk:
        desk.tell(DivisionOpened(Division("D", System.SWISS, 1)))
    with closing(TournamentDesk.at(path, OPENED)) as desk:
        assert [course.division.virtual_opponents for course in desk.state.courses.values()] == [False, True]
