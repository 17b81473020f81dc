"""Copies of many matches: all whole, few of them open."""

import subprocess
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from desk.errors import DeskError, EventLogError
from desk.hall.board import copies as copies_module
from desk.hall.board.copies import Copies
from desk.hall.messages import EventBatch, pack
from desk.hall.subjects import events_of
from desk.log.event_log import EventLog, LogEntry
from desk.panel.house.port import MatchListed


def take(copies: Copies, mat: str, seq: int) -> bool:
    entry = LogEntry(seq, seq, "2026-11-28T10:00:00.000+09:00", "rules", "ruled", 1, {"n": seq})
    return copies.take(events_of(mat, "m"), pack(EventBatch(mat, "m", (entry,)))) is not None


def test_a_board_keeps_few_of_many_copies_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies_module, "_OPEN_AT_ONCE", 2)
    copies, mats = Copies(tmp_path), ("mat-01", "mat-02", "mat-03")
    for seq in (1, 2):
        for mat in mats:
            assert take(copies, mat, seq)
            assert len(copies._logs) <= 2
    assert not take(copies, "mat-01", 2), "what was taken in before a copy was closed is known"
    copies.close()
    for mat in mats:
        with EventLog.read(copies.path(mat, "m")) as copy:
            assert [entry.seq for entry in copy.entries()] == [1, 2]


@pytest.mark.parametrize(("allowed", "most"), [(1024, 128), (256, 32), (130, 1), (-1, 128)])
def test_as_many_copies_are_open_as_the_system_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, allowed: int, most: int
) -> None:
    """macOS allows a process 256 files, and one mat may begin many matches."""
    monkeypatch.setattr("resource.getrlimit", lambda _what: (allowed, allowed))
    copies = Copies(tmp_path)
    for number in range(1, most + 3):
        take(copies, f"mat-{number:03}", 1)
        assert len(copies._logs) <= most
    copies.close()


def test_only_copies_that_have_grown_are_read_again_for_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def listed(log: EventLog) -> MatchListed:
        read.append(f"{log.path.parent.name} {log.last_seq}")
        return {
            "id": "m",
            "source": "camera",
            "rules": "",
            "names": {"near": None, "far": None},
            "started_wall": log.path.parent.name,
            "poems": log.last_seq,
            "winner": None,
            "over": False,
            "stopped": None,
        }

    monkeypatch.setattr(copies_module, "listed_match", listed)
    earlier = Copies(tmp_path)
    assert take(earlier, "mat-01", 1)
    earlier.close()
    copies = Copies(tmp_path)
    assert take(copies, "mat-02", 1)
    assert [mat for mat, _ in copies.listed()] == ["mat-02", "mat-01"]
    assert take(copies, "mat-02", 2)
    assert [match["poems"] for _, match in copies.listed()] == [2, 1]
    assert copies.listed() == copies.listed()
    copies.close()
    assert read == ["mat-01 1", "mat-02 1", "mat-02 2"]


def test_what_could_not_be_stored_is_taken_in_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copies = Copies(tmp_path)
    assert take(copies, "mat-01", 1)

    def full(*_: object) -> None:
        raise EventLogError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(EventLog, "append", full)
        with pytest.raises(OSError, match="the disk is full"):
            take(copies, "mat-01", 2)
    assert copies.last_seq("mat-01", "m") == 1
    assert take(copies, "mat-01", 2)
    copies.close()


def test_a_copy_that_could_not_be_made_is_made_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copies = Copies(tmp_path)

    def full(*_: object, **__: object) -> None:
        raise EventLogError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(EventLog, "create", full)
        with pytest.raises(OSError, match="the disk is full"):
            take(copies, "mat-01", 1)
    assert take(copies, "mat-01", 1)
    copies.close()


def test_what_a_power_cut_took_comes_again(tmp_path: Path) -> None:
    copies, before = Copies(tmp_path / "board"), tmp_path / "before"
    assert take(copies, "mat-01", 1)
    subprocess.run(["cp", "-r", tmp_path / "board", before], check=True)
    assert take(copies, "mat-01", 2)
    copies.close()
    again = Copies(before)  # the disk as it was before the second entry
    assert [take(again, "mat-01", seq) for seq in (1, 2, 3)] == [False, True, True]
    again.close()
    with EventLog.read(again.path("mat-01", "m")) as copy:
        assert [entry.seq for entry in copy.entries()] == [1, 2, 3]


def test_no_batch_waits_for_the_disk(tmp_path: Path) -> None:
    copies = Copies(tmp_path)
    assert take(copies, "mat-01", 1)
    (log,) = copies._logs.values()
    normal = 1
    assert log._connection.execute("PRAGMA synchronous").fetchone()[0] == normal
    copies.close()


def test_no_mat_chooses_the_place_of_a_copy(tmp_path: Path) -> None:
    copies, match = Copies(tmp_path / "board"), f"{tmp_path}/elsewhere"
    entry = LogEntry(1, 1, "2026-11-28T10:00:00.000+09:00", "rules", "ruled", 1, {})
    with pytest.raises(DeskError, match="expected a match's id"):
        copies.take(f"hall.event.mat-01.{match}", pack(EventBatch("mat-01", match, (entry,))))
    copies.close()
    assert list(tmp_path.iterdir()) == []
