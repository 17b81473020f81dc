"""Copies of many matches: all whole, few of them open."""

import subprocess
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from desk.errors import DeskError, EventLogError
from desk.hall.board.copies import Copies
from desk.hall.messages import EventBatch, pack
from desk.hall.subjects import events_of
from desk.log.event_log import EventLog
from tests.desk.hall.halls import entry


def take(copies: Copies, mat: str, seq: int) -> bool:
    return copies.take(events_of(mat, "m"), pack(EventBatch(mat, "m", (entry(seq),)))) != ()


def test_a_board_keeps_few_of_many_copies_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS allows a process 256 files, and one mat may begin many matches."""
    monkeypatch.setattr("resource.getrlimit", lambda _what: (136, 136))
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


def test_what_could_not_be_stored_is_taken_in_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copies = Copies(tmp_path)

    def full(*_: object, **__: object) -> None:
        raise EventLogError("the disk is full")

    for seq, deed in ((1, "create"), (2, "append")):
        with monkeypatch.context() as patched:
            patched.setattr(EventLog, deed, full)
            with pytest.raises(OSError, match="the disk is full"):
                take(copies, "mat-01", seq)
        assert copies.last_seq("mat-01", "m") == seq - 1
        assert take(copies, "mat-01", seq)
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


def test_no_mat_chooses_the_place_of_a_copy(tmp_path: Path) -> None:
    copies, match = Copies(tmp_path / "board"), f"{tmp_path}/elsewhere"
    with pytest.raises(DeskError, match="expected a match's id"):
        copies.take(f"hall.event.mat-01.{match}", pack(EventBatch("mat-01", match, (entry(1),))))
    copies.close()
    assert list(tmp_path.iterdir()) == []
