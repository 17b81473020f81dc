"""The index reads each log once, stays up to date and can be deleted without loss."""

import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.book.club_matches import ClubMatch
from desk.book import index
from desk.book.book import Book
from desk.book.digest import MatchDigest, read_digest
from desk.book.index import FILE_NAME, BookIndex, forget
from desk.errors import DeskError
from desk.karuta.engine.engine import Engine, Origin
from desk.log import database
from desk.log.event_log import EventLog, LogEntry
from referee.facts import PoemStarted, Touch
from referee.karuta.flow.events import PoemFinished
from referee.notation import parse_layout
from referee.sides import BySide, Side

NOW = datetime(2026, 6, 1, tzinfo=UTC)
FIELD = parse_layout("near 1 2|3/|/|4 far 11 12|13/|/|14")


def played(folder: Path, name: str, *, day: str = "2026-01-04", finished: bool = True) -> Path:
    match = ClubMatch(
        folder / f"{name}.sqlite", BySide("Hana", "Ken"), cards_per_side=4, layout=FIELD, day=day
    )
    match.read(1, (1, Side.NEAR, 200))
    if finished:
        match.finish(Side.NEAR)
    return match.write()


def problems(book: Book) -> dict[str, str]:
    return {log["file"]: log["detail"] for log in book.left_out()}


@pytest.fixture
def read_names(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the logs that were read, as they are read."""
    names: list[str] = []

    def noted(path: Path) -> object:
        names.append(path.stem)
        return read_digest(path)

    monkeypatch.setattr(index, "read_digest", noted)
    return names


def test_a_log_is_read_once_until_it_changes(tmp_path: Path, read_names: list[str]) -> None:
    played(tmp_path, "a")
    path = played(tmp_path, "b", finished=False)
    for _ in range(2):
        book = BookIndex(tmp_path)
        assert book.refresh(NOW).logs == 2
        book.close()
    assert read_names == ["a", "b"]
    with EventLog.open(path) as log:
        engine = Engine.resume(log)
        for event in (PoemStarted(2, 60_000_000_000, 1), Touch(2, Side.FAR, 61_000_000_000, 500_000)):
            engine.submit(event, Origin.EYE)
        engine.submit(PoemFinished(), Origin.EYE)
        book = BookIndex(tmp_path)  # while the match goes on: the news lies in the file beside the log
        assert book.refresh(NOW).read == 1
        assert book.refresh(NOW).read == 0
        assert book.connection.execute("SELECT COUNT(*) FROM poem").fetchone()[0] == 6, (
            "four and one, and the new one"
        )
        book.close()
    assert read_names == ["a", "b", "b"]


def test_a_match_that_is_gone_is_forgotten_and_a_lost_index_is_built_anew(tmp_path: Path) -> None:
    played(tmp_path, "a")
    played(tmp_path, "b").rename(tmp_path / "elsewhere")
    book = Book(tmp_path)
    assert [player["matches"] for player in book.players()] == [1, 1]
    book.close()
    (tmp_path / "a.sqlite").unlink()
    (tmp_path / "elsewhere").rename(tmp_path / "b.sqlite")
    for how in ("kept", "deleted", "forgotten"):
        if how == "deleted":
            (tmp_path / FILE_NAME).unlink()
        if how == "forgotten":
            forget(tmp_path)
        book = Book(tmp_path)
        assert [player["matches"] for player in book.players()] == [1, 1]
        book.close()


def test_two_processes_read_many_logs_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        played(tmp_path, f"m{number}")
    (tmp_path / "m1.sqlite").write_text("no database")
    book = Book(tmp_path)
    alone = (book.players(), problems(book))
    book.close()
    forget(tmp_path)
    monkeypatch.setattr(index, "MANY", 2)
    monkeypatch.setattr(index, "read_digest", None)  # this process reads nothing
    told: list[tuple[int, int]] = []
    book = Book(tmp_path)
    book.refresh(lambda done, total: told.append((done, total)))
    assert (book.players(), problems(book)) == alone
    assert told == [(1, 3), (2, 3), (3, 3)]
    book.close()


def test_damaged_logs_are_named_and_left_out(tmp_path: Path) -> None:
    played(tmp_path, "good")
    (tmp_path / "notes.sqlite").write_text("no database")
    cut = played(tmp_path, "cut")
    cut.write_bytes(cut.read_bytes()[:9000])
    spoil(played(tmp_path, "odd"), "kind = 'match_opened'")
    book = Book(tmp_path)
    assert sorted(problems(book)) == ["cut.sqlite", "notes.sqlite", "odd.sqlite"]
    assert "is not a match log" in problems(book)["notes.sqlite"]
    assert "its data are damaged" in problems(book)["cut.sqlite"]
    assert "unexpected shape" in problems(book)["odd.sqlite"]
    assert all("\n" not in problem for problem in problems(book).values())
    assert [player["matches"] for player in book.players()] == [1, 1]
    book.close()


def spoil(path: Path, which: str) -> list[int]:
    """Write nonsense into entries of a log, and return their numbers."""
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TRIGGER event_never_changes")
        numbers = [seq for (seq,) in connection.execute(f"SELECT seq FROM event WHERE {which} ORDER BY seq")]
        connection.execute(f'UPDATE event SET payload = \'{{"poem": "x"}}\' WHERE {which}')
    connection.close()
    return numbers


@pytest.mark.parametrize("kind", ["poem_started", "kimariji_completed", "touch", "proposed", "ruled"])
@pytest.mark.parametrize("nth", [0, 1])
def test_an_entry_that_cannot_be_read_takes_its_poem_alone_along(tmp_path: Path, kind: str, nth: int) -> None:
    """An unread first sound takes the poem before it along, too: nobody knows where that one ended."""
    match = ClubMatch(
        tmp_path / "m.sqlite", BySide("Hana", "Ken"), cards_per_side=4, layout=FIELD, day="2026-01-04"
    )
    for poem, side in ((1, Side.NEAR), (11, Side.FAR), (2, Side.NEAR)):
        match.read(poem, (poem, side, 200))
    match.finish(Side.FAR)
    path = match.write()
    whole = read_digest(path)
    assert isinstance(whole, MatchDigest)
    of_kind = f"(SELECT seq FROM event WHERE kind = '{kind}' ORDER BY seq LIMIT 1 OFFSET {nth})"
    (number,) = spoil(path, f"seq = {of_kind}")
    rest = read_digest(path)
    assert isinstance(rest, MatchDigest)
    told = {(each.poem, each.taken_by, each.reaction_ns, each.territory) for each in rest.poems}
    lost = {each.poem for each in whole.poems} - {each.poem for each in rest.poems}
    assert told <= {(each.poem, each.taken_by, each.reaction_ns, each.territory) for each in whole.poems}
    assert lost == ({1, 11} if (kind, nth) == ("poem_started", 1) else {(1, 11)[nth]})
    assert (rest.winner, rest.over, rest.events) == (whole.winner, whole.over, whole.events)
    book = Book(tmp_path)
    assert problems(book)["m.sqlite"].startswith(f"Entry {number} of m.sqlite is left out: ")
    assert [player["matches"] for player in book.players()] == [1, 1]
    book.close()


def test_a_damaged_index_is_built_anew_and_a_foreign_file_is_left_alone(tmp_path: Path) -> None:
    played(tmp_path, "a")
    book = Book(tmp_path)
    book.players()
    book.close()
    file = tmp_path / FILE_NAME
    whole = file.read_bytes()
    newer = whole[:60] + (99).to_bytes(4, "big") + whole[64:]  # an index of another version
    for damaged in (whole[:100] + b"\xff" * 8000, bytes(8192), newer):
        file.write_bytes(damaged)
        book = Book(tmp_path)
        assert len(book.players()) == 2
        book.close()
    file.write_text("my own notes")
    with pytest.raises(DeskError, match="is not the book's index: move it elsewhere"):
        Book(tmp_path)
    with pytest.raises(DeskError, match="move it elsewhere"):
        forget(tmp_path)
    assert file.read_text() == "my own notes"


def test_an_index_that_is_damaged_while_it_is_open_heals_itself(tmp_path: Path) -> None:
    """The disk fails behind pages that are read later: both for a query and for a look at the folder."""
    for number in range(3):
        played(tmp_path, f"m{number}")
    book = Book(tmp_path)
    assert len(book.players()) == 2
    book.close()
    wipe = "import os, sys; f = open(sys.argv[1], 'r+b'); f.seek(4096); f.write(bytes(20 * 4096))"
    for query in (Book.players, Book.refresh):
        book = Book(tmp_path)
        subprocess.run([sys.executable, "-c", wipe, tmp_path / FILE_NAME], check=True)
        played(tmp_path, f"later{query.__name__}")
        query(book)
        assert sum(each["matches"] for each in book.players()) == 2 * len(list(tmp_path.glob("*.sqlite")))
        book.close()


def test_nothing_of_a_player_stays_in_the_index_once_the_logs_are_gone(tmp_path: Path) -> None:
    path = played(tmp_path, "a")
    book = Book(tmp_path)
    names = book.names()
    for name in names:
        book.due_days(name)
    path.unlink()
    assert book.refresh().logs == 0
    book.close()
    held = (tmp_path / FILE_NAME).read_bytes()
    assert names
    assert not any(name.encode() in held for name in names)


def test_a_book_is_read_where_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(tmp_path, "a")
    real = database.connect

    def refused(path: Path | None, how: str = "mode=rw", *, timeout_s: float = 5.0) -> database.Database:
        if path is not None and path.name == FILE_NAME:
            raise sqlite3.OperationalError("unable to open database file")
        return real(path, how, timeout_s=timeout_s)

    monkeypatch.setattr(database, "connect", refused)
    for folder, players in ((tmp_path, 2), (tmp_path / "nowhere", 0)):
        book = Book(folder)
        assert len(book.players()) == players
        book.close()
        assert not (folder / FILE_NAME).exists()


@pytest.mark.parametrize(
    ("kind", "change", "told"),
    [
        ("match_opened", {"wall": "yesterday"}, "Invalid isoformat string"),
        ("match_opened", {"wall": "9999-13-01T00:00:00"}, "month must be"),
        ("field_settled", {"row": 2**63}, "too large"),
        ("ruled", {"poem": 101}, "there is no poem 101"),
    ],
)
def test_nonsense_in_one_log_takes_no_other_out_of_the_book(
    tmp_path: Path, kind: str, change: dict[str, object], told: str
) -> None:
    played(tmp_path, "whole")
    with EventLog.read(played(tmp_path, "source")) as log:
        entries = [with_values(each, change) if each.kind == kind else each for each in log.entries()]
    database.remove(tmp_path / "source.sqlite")
    with EventLog.create(tmp_path / "odd.sqlite") as log:
        log.append(entries)
    book = Book(tmp_path)
    assert told in problems(book)["odd.sqlite"]
    assert book.names() == ["Hana", "Ken"]
    book.due_days("Hana")
    book.close()


def with_values(entry: LogEntry, change: dict[str, object]) -> LogEntry:
    """Return an entry with other values, wherever these names stand in it."""

    def changed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: change.get(key, changed(each)) for key, each in value.items()}
        return [changed(each) for each in value] if isinstance(value, list) else value

    wall = str(change.get("wall", entry.wall))
    return replace(entry, wall=wall, payload=changed(dict(entry.payload)))
