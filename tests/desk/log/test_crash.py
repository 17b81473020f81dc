"""kill -9 at each named moment of a karuta match and of a bout; `benchmarks.crash` has more."""

import os
from pathlib import Path
from random import Random

import pytest

from benchmarks import crash
from desk.log.event_log import EventLog, LogEntry

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.fixture(autouse=True)
def short_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crash, "POEMS", 6)
    monkeypatch.setattr(crash, "LOOKS", 12)
    monkeypatch.setattr(crash, "_WHOLE", {})


@pytest.mark.parametrize(("game", "moments"), [("karuta", 5), ("kendo", 3)])
def test_nothing_that_was_confirmed_is_lost_or_doubled(game: str, moments: int, tmp_path: Path) -> None:
    tallies = crash.measure(moments, 49, tmp_path, [game])
    assert sum(tally.kills for tally in tallies.values()) == moments
    assert len(tallies) == moments
    assert all(not sum(tally.problems.values()) for tally in tallies.values())


def test_the_count_notices_what_it_should(tmp_path: Path) -> None:
    path = tmp_path / "bout.sqlite"
    told, _ = crash.run_killed("kendo", path, "before it is told", Random(3), 0.0)
    with EventLog.open(path) as log:
        entries = list(log.entries())
        assert list(crash.problems_of("kendo", path, told, entries)) == []
        assert list(crash.problems_of("kendo", path, [len(entries) + 1], entries)) == ["lost"]
        last = entries[-1]
        log.append([LogEntry(last.seq + 1, 1, last.wall, "eye", last.kind, 1, last.payload)])
    assert "doubled" in crash.problems_of("kendo", path, told, entries)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux tells what a process has open")
def test_a_log_that_lost_its_name_is_found(tmp_path: Path) -> None:
    log = tmp_path / "m.sqlite-wal"
    with log.open("wb"):
        assert crash.deleted_logs(tmp_path) == []
        log.unlink()
        assert crash.deleted_logs(tmp_path) == [f"{log} (deleted)"]
