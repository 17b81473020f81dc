"""The event log is durable and append-only, its file has one door, and its news hold nobody up."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desk.errors import EventLogError
from desk.log import database
from desk.log.database import connect, copy_files, is_open, raw_bytes
from desk.log.event_log import EventLog, LogEntry, UnfitEventError
from desk.log.log_file import SCHEMA_VERSION, UnbegunLogError

WALL = "2026-01-04T10:00:00.000+09:00"


def entry(seq: int, **changes: Any) -> LogEntry:
    payload = {"card": 17, "text": "からくれなゐに", "t_s": 0.1 + 0.2}
    return replace(LogEntry(seq, 1_000 * seq, WALL, "eye", "touch", 1, payload), **changes)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches" / "match.sqlite"


def test_what_was_appended_is_read_back_exactly(path: Path) -> None:
    """Also where the path has characters that mean something in a URI."""
    path = path.with_name("試合 100%?#1.sqlite")
    with EventLog.create(path) as log:
        log.append([entry(1), entry(2)])
    with EventLog.open(path) as log:
        log.append([entry(3, origin="operator")])
        assert log.last_seq == 3
    with EventLog.open(path) as log:
        assert list(log.entries()) == [entry(1), entry(2), entry(3, origin="operator")]
        assert list(log.entries(after_seq=2)) == [entry(3, origin="operator")]
        assert log.last_seq == 3


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET payload = '{}' WHERE seq = 1",
        "DELETE FROM event WHERE seq = 2",
        "INSERT OR REPLACE INTO event VALUES (1, 0, '', 'operator', 'touch', 1, '{}')",
        "INSERT INTO event VALUES (4, 0, '', 'operator', 'touch', 1, '{}')",
        "INSERT INTO event VALUES (3, 0, '', 'operator', 'touch', 1, 'no json')",
    ],
)
def test_the_file_itself_refuses_to_be_rewritten(path: Path, statement: str) -> None:
    with EventLog.create(path) as log:
        log.append([entry(1), entry(2)])
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)
    connection.close()
    with EventLog.open(path) as log:
        assert list(log.entries()) == [entry(1), entry(2)]


def test_several_events_are_stored_all_or_none(path: Path) -> None:
    with EventLog.create(path) as log:
        log.append([entry(1)])
        with pytest.raises(EventLogError, match="does not follow"):
            log.append([entry(2), entry(4)])
        assert log.last_seq == 1
        log.append([entry(2)])
        assert [each.seq for each in log.entries()] == [1, 2]


def test_a_second_writer_is_noticed(path: Path) -> None:
    """One that does not ask for the lock: an older shinpan."""
    with EventLog.create(path) as log:
        with closing(sqlite3.connect(path)) as other:
            other.execute("INSERT INTO event VALUES (1, 1, '', 'eye', 'touch', 1, '{}')")
            other.commit()
        with pytest.raises(EventLogError, match="another process"):
            log.append([entry(1)])
        assert [each.seq for each in log.entries()] == [1]


def test_numbers_that_json_does_not_know_are_refused(path: Path) -> None:
    with EventLog.create(path) as log, pytest.raises(UnfitEventError, match="JSON"):
        log.append([entry(1, payload={"x_m": float("nan")})])


def test_the_log_writes_ahead_and_waits_for_the_disk(path: Path) -> None:
    with EventLog.create(path) as log:
        assert log._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert log._connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert log._connection.execute("PRAGMA fullfsync").fetchone() == (1,)  # on macOS
        assert log._connection.execute("PRAGMA checkpoint_fullfsync").fetchone() == (1,)


def test_a_copy_of_the_file_alone_holds_what_was_settled(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    with EventLog.create(path) as log:
        subprocess.run(["cp", path, copy], check=True)
        with pytest.raises(UnbegunLogError, match=r"copy that file with it, to .*copy.sqlite-wal"):
            EventLog.read(copy)
        log.append([entry(seq) for seq in range(1, 4)])
        log.checkpoint()
        subprocess.run(["cp", path, copy], check=True)
        with EventLog.read(copy) as copied:
            assert list(copied.entries()) == [entry(1), entry(2), entry(3)]
        for seq in range(4, 60):
            log.append([entry(seq)])
        subprocess.run(["cp", path, copy], check=True)
        with EventLog.read(copy) as copied:
            assert copied.last_seq > 40  # the file beside it never holds much


def test_a_log_appears_whole_or_not_at_all(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A desk that is killed while it makes the file leaves none by that name; also on disks without links."""

    def refused(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    EventLog.create(path).close()
    with pytest.raises(EventLogError, match="never overwritten"):
        EventLog.create(path)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_an_empty_file_with_events_beside_it_keeps_them(path: Path) -> None:
    """SQLite deletes a `-wal` file beside an empty database; a copying program may leave one."""
    path.parent.mkdir()
    path.touch()
    ahead = path.with_name(f"{path.name}-wal")
    ahead.write_bytes(b"events")
    for opening in (EventLog.open, EventLog.read):
        with pytest.raises(
            EventLogError, match=r"is empty, but match.sqlite-wal beside it holds events: copy"
        ):
            opening(path)
    assert ahead.read_bytes() == b"events"


KILLED_WRITER = """
import sys
from pathlib import Path
from typing import Any
from desk.log.event_log import EventLog, LogEntry, UnfitEventError

log = EventLog.create(Path(sys.argv[1]))
for seq in range(1, 1_000_000):
    log.append([LogEntry(seq, seq, "", "eye", "touch", 1, {"card": seq % 100 + 1})])
    print(seq, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [1, 37, 200])
def test_a_killed_process_loses_nothing_that_was_acknowledged(path: Path, acknowledged: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED_WRITER, str(path)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        for _ in range(acknowledged):
            last_told = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        told = [int(line) for line in writer.stdout.read().split("\n")[:-1]]
    assert writer.returncode == -signal.SIGKILL
    last_told = max([last_told, *told])
    with EventLog.open(path) as log:
        assert log.last_seq >= last_told
        entries = list(log.entries())
        assert [each.seq for each in entries] == list(range(1, log.last_seq + 1))
        assert all(each.payload == {"card": each.seq % 100 + 1} for each in entries)
        log.append([entry(log.last_seq + 1)])


def changed(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)


def newer(path: Path) -> None:
    EventLog.create(path).close()
    changed(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda _: None, "expected the file of a match log, but there is none at .*match"),
        (Path.mkdir, "expected the file of a match log"),
        (Path.touch, "holds no event"),
        (lambda path: path.write_text("near 25, far 25\n" * 100), "not a match log: file is not a database"),
        (lambda path: changed(path, "CREATE TABLE event (seq INTEGER)"), "shinpan did not write"),
        (newer, r"newer shinpan .*update shinpan"),
    ],
    ids=["missing", "folder", "unbegun", "text", "other database", "newer"],
)
def test_a_file_that_is_no_log_is_told(path: Path, make: Callable[[Path], object], told: str) -> None:
    path.parent.mkdir()
    make(path)
    for opening in (EventLog.open, EventLog.read):
        with pytest.raises(EventLogError, match=told):
            opening(path)


def test_no_file_is_overwritten_and_a_folder_that_cannot_be_made_is_told(path: Path, tmp_path: Path) -> None:
    with EventLog.create(path) as log:
        log.append([entry(1)])
    with pytest.raises(EventLogError, match="never overwritten"):
        EventLog.create(path)
    with EventLog.open(path) as log:
        assert log.last_seq == 1
    (tmp_path / "file").touch()
    with pytest.raises(EventLogError, match="cannot create the match log"):
        EventLog.create(tmp_path / "file" / "match.sqlite")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "a.sqlite"
    connection = connect(path, "mode=rwc")
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    return path


def test_bytes_are_read_only_while_no_connection_is_open(table: Path, tmp_path: Path) -> None:
    other_name = tmp_path / "b.sqlite"
    other_name.hardlink_to(table)
    first, second = connect(table), connect(table, "mode=ro")
    for name in (table, other_name):
        assert is_open(name)
        assert raw_bytes(name) is None
    with pytest.raises(OSError, match="this program has it open"):
        copy_files(table, tmp_path / "c.sqlite")
    first.close()
    assert is_open(table)
    second.close()
    assert not is_open(table)
    assert raw_bytes(table, 6) == b"SQLite"


def test_a_changed_file_is_copied_anew(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = iter([((1, 1),), ((2, 1),), ((3, 1),), ((3, 1),)])
    monkeypatch.setattr(database, "file_version", lambda _: next(versions))
    copy_files(table, tmp_path / "c.sqlite")
    assert (tmp_path / "c.sqlite").read_bytes() == table.read_bytes()
    monkeypatch.setattr(database, "file_version", lambda _: object())
    with pytest.raises(OSError, match="changes while it is read"):
        copy_files(table, tmp_path / "c.sqlite")
