"""One desk at a time writes to a log; what a killed one leaves behind is no desk."""

import fcntl
import json
import os
import platform
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from desk.log import log_lock
from desk.log.event_log import EventLog, LogEntry
from desk.log.log_lock import LogLock, OpenElsewhereError, announce

HOLDER = """
import sys
from pathlib import Path
from desk.log.event_log import EventLog
from desk.log.log_lock import announce

log = EventLog.create(Path(sys.argv[1]))
announce("http://127.0.0.1:8471")
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "m.sqlite"


def beside(path: Path) -> Path:
    return path.with_name(f"{path.name}-lock")


def test_the_second_desk_is_told_where_the_first_one_is(path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, path], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "ready\n"
        with pytest.raises(
            OpenElsewhereError, match=rf"already open at http://127.0.0.1:8471 \(process {first.pid}\)"
        ):
            EventLog.open(path)
        first.kill()
        first.wait()
        assert beside(path).exists()
        EventLog.open(path).close()
    assert not beside(path).exists()


def test_a_process_holds_a_log_until_it_has_closed_it_as_often_as_it_opened_it(path: Path) -> None:
    first, second = EventLog.create(path), EventLog.open(path)
    first.close()
    assert beside(path).exists()
    second.close()
    assert not beside(path).exists()


@pytest.mark.parametrize(
    "left",
    ["", "no json", "[]", json.dumps({"pid": os.getpid(), "computer": platform.node(), "address": "x"})],
    ids=["empty", "no JSON", "no object", "this process"],  # the same in every worker
)
def test_what_is_left_after_a_power_cut_is_no_desk(left: str, path: Path) -> None:
    """Even if another program has the process number now."""
    EventLog.create(path).close()
    beside(path).write_text(left)
    with EventLog.open(path) as log:
        log.append([LogEntry(1, 1, "", "eye", "touch", 1, {})])


def test_a_log_that_another_computer_writes_is_read_from_a_copy(path: Path) -> None:
    """On a network drive the two cannot share SQLite's index of the latest events."""
    with EventLog.create(path, durable=False) as log:
        log.append([LogEntry(1, 1, "", "eye", "touch", 1, {})])
        subprocess.run(["cp", path, f"{path}-wal", path.parent.parent], check=True)
    far = path.parent.parent / path.name
    beside(far).write_text(json.dumps({"pid": 1, "computer": "another", "address": "http://x:1"}))
    with EventLog.read(far) as read:
        assert read.last_seq == 1
    assert sorted(each.name for each in far.parent.glob("m.sqlite*")) == [
        "m.sqlite",
        "m.sqlite-lock",
        "m.sqlite-wal",
    ]


def test_a_drive_without_locks_does_not_stop_a_match(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_descriptor: int) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(log_lock, "_lock", refused)
    with EventLog.create(path) as log:
        log.append([LogEntry(1, 1, "", "eye", "touch", 1, {})])


def test_a_file_that_is_removed_between_finding_and_locking_is_made_anew(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = log_lock._lock
    removed: list[int] = []

    def slow(descriptor: int) -> None:
        if not removed:
            removed.append(1)
            beside(path).unlink()
        lock(descriptor)

    monkeypatch.setattr(log_lock, "_lock", slow)
    lock_of_log = LogLock.take(path)
    assert beside(path).exists()
    lock_of_log.release()


@pytest.fixture(autouse=True)
def no_address() -> object:
    yield
    announce("")


class Windows:
    """What Windows does otherwise: it locks bytes, and removes no file that somebody has open."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        self.at: list[int] = []

    def locking(self, descriptor: int, mode: int, count: int) -> None:
        assert (mode, count) == (self.LK_NBLCK, 1)
        self.at.append(os.lseek(descriptor, 0, os.SEEK_CUR))
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, count, 0, os.SEEK_CUR)
        except OSError:
            raise PermissionError(13, "Permission denied") from None


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Windows:
    system, unlink = Windows(), Path.unlink

    def unlink_what_nobody_has_open(path: Path, missing_ok: bool = False) -> None:
        if any(os.path.samestat(os.fstat(lock._descriptor), path.stat()) for lock in closed_not_yet()):
            raise PermissionError(13, "it is used by another process")
        unlink(path, missing_ok)

    def closed_not_yet() -> list[LogLock]:
        found = []
        for lock in taken:
            with suppress(OSError):
                os.fstat(lock._descriptor)
                found.append(lock)
        return found

    taken: list[LogLock] = []
    take = LogLock._taken.__func__  # type: ignore[attr-defined]

    def note(kind: type[LogLock], log: Path, path: Path) -> LogLock:
        taken.append(take(kind, log, path))
        return taken[-1]

    monkeypatch.setattr(LogLock, "_taken", classmethod(note))
    monkeypatch.setattr(Path, "unlink", unlink_what_nobody_has_open)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(log_lock, "msvcrt", system, raising=False)
    return system


WINDOWS_HOLDER = """
import fcntl, os, sys
file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
os.write(file, b'{"pid": 7, "computer": "%s", "address": "http://127.0.0.1:8471"}' % sys.argv[2].encode())
fcntl.lockf(file, fcntl.LOCK_EX, 1, 1 << 30)
print("ready", flush=True)
sys.stdin.read()
"""


def test_windows_locks_a_byte_and_reads_who_holds_it(path: Path, windows: Windows) -> None:
    """The system's calls are pretended here; the behaviour is that of their documentation."""
    EventLog.create(path).close()
    assert not beside(path).exists(), "removed once it is closed"
    with subprocess.Popen(
        [sys.executable, "-c", WINDOWS_HOLDER, beside(path), platform.node()],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "ready\n"
        with pytest.raises(OpenElsewhereError, match=r"already open at http://127.0.0.1:8471 \(process 7\)"):
            EventLog.open(path)
        first.kill()
        first.wait()
    with EventLog.open(path) as log:
        log.append([LogEntry(1, 1, "", "eye", "touch", 1, {})])
    assert not beside(path).exists()
    assert set(windows.at) == {1 << 30}, "behind what is read"
