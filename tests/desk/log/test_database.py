"""What SQLite has open in this process is never opened by other means."""

import gc
from pathlib import Path

import pytest

from desk.log import database
from desk.log.database import connect, copy_files, is_open, raw_bytes


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.sqlite"
    connection = connect(path, "mode=rwc")
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    return path


def test_bytes_are_read_only_while_no_connection_is_open(path: Path, tmp_path: Path) -> None:
    other_name = tmp_path / "b.sqlite"
    other_name.hardlink_to(path)
    first, second = connect(path), connect(path, "mode=ro")
    for name in (path, other_name):
        assert is_open(name)
        assert raw_bytes(name) is None
    with pytest.raises(OSError, match="this program has it open"):
        copy_files(path, tmp_path / "c.sqlite")
    first.close()
    assert is_open(path)
    second.close()
    assert not is_open(path)
    assert raw_bytes(path, 6) == b"SQLite"


def test_a_connection_that_nobody_holds_is_not_open(path: Path) -> None:
    connect(path)
    gc.collect()
    assert not is_open(path)


def test_a_copy_is_made_again_while_the_file_changes(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = iter([((1, 1),), ((2, 1),), ((3, 1),), ((3, 1),)])
    monkeypatch.setattr(database, "file_version", lambda _: next(versions))
    copy_files(path, tmp_path / "c.sqlite")
    assert (tmp_path / "c.sqlite").read_bytes() == path.read_bytes()
    monkeypatch.setattr(database, "file_version", lambda _: object())
    with pytest.raises(OSError, match="changes while it is read"):
        copy_files(path, tmp_path / "c.sqlite")
