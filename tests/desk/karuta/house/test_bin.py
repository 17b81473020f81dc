"""Deleted matches: they lie in the bin, count nowhere, and come back whole."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks.book.club_matches import ClubMatch
from desk.book.book import Book
from desk.karuta.house.history import MatchBin, list_matches
from desk.log.event_log import EventLog
from referee.notation import parse_layout
from referee.sides import BySide, Side

FIELD = parse_layout("near 1 2|/|/| far 11 12|/|/|")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("one", "two"):
        match = ClubMatch(tmp_path / f"{name}.sqlite", BySide("Hana", "Ken"), cards_per_side=2, layout=FIELD)
        match.finish(Side.NEAR)
        match.write()
    (tmp_path / "one.evidence").mkdir()
    (tmp_path / "one.evidence" / "3.zip").write_bytes(b"replay")
    return tmp_path


def names(folder: Path) -> set[str]:
    return {match["id"] for match in list_matches(folder)}


def test_a_deleted_match_counts_nowhere_and_comes_back_with_its_replays(folder: Path) -> None:
    kept = MatchBin(folder)
    before = EventLog.read(folder / "one.sqlite")
    entries = list(before.entries())
    before.close()
    assert kept.delete("one") is None
    assert (names(folder), [match["id"] for match in kept.matches()]) == ({"two"}, ["one"])
    assert not list(folder.glob("one*")), "nothing of it stays behind"
    book = Book(folder)
    assert {player["matches"] for player in book.players()} == {1}
    assert kept.put_back("one") is None
    assert names(folder) == {"one", "two"}
    assert kept.matches() == []
    assert (folder / "one.evidence" / "3.zip").read_bytes() == b"replay"
    with EventLog.read(folder / "one.sqlite") as log:
        assert list(log.entries()) == entries
    book.refresh()
    assert {player["matches"] for player in book.players()} == {2}
    book.close()


def test_a_match_that_is_played_is_not_deleted(folder: Path) -> None:
    assert MatchBin(folder, lambda match_id: match_id == "one").delete("one") == "running"
    assert names(folder) == {"one", "two"}


def test_a_wrong_id_moves_nothing(folder: Path) -> None:
    kept = MatchBin(folder)
    (folder.parent / "outside.sqlite").write_text("not a match")
    assert kept.delete("nowhere") == kept.put_back("one") == kept.delete("../outside") == "missing"
    assert (folder.parent / "outside.sqlite").exists()
    assert names(folder) == {"one", "two"}


def test_nothing_in_the_bin_is_overwritten(folder: Path) -> None:
    kept = MatchBin(folder)
    shutil.copy(folder / "one.sqlite", folder / "safe")
    assert kept.delete("one") is None
    shutil.move(folder / "safe", folder / "one.sqlite")
    assert kept.delete("one") == kept.put_back("one") == "taken"
    assert names(folder) == {"one", "two"}
    assert [match["id"] for match in kept.matches()] == ["one"]


def test_what_is_in_the_file_beside_a_log_moves_with_it(folder: Path) -> None:
    reader = EventLog.read(folder / "two.sqlite")  # keeps SQLite from tidying up
    try:
        assert MatchBin(folder).delete("two") is None
    finally:
        reader.close()
    assert [match["id"] for match in MatchBin(folder).matches()] == ["two"]
    assert not list(folder.glob("two*"))


def test_a_disk_that_does_not_let_it_move_leaves_the_match(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "bin").write_text("a file where the bin should be")
    assert MatchBin(folder).delete("one") == "failed"
    assert names(folder) == {"one", "two"}
    assert "cannot be moved" in capfd.readouterr().err
