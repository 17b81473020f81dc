"""Consoles without Japanese, disks that are full and media that cannot be written."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from desk.commands.cli import main
from desk.errors import EventLogError
from desk.log.event_log import EventLog, LogEntry

WALL = "2026-01-04T10:00:00.000+09:00"
ENTRIES = [LogEntry(n, n, WALL, "operator", "note", 1, {"text": f"もろ {n}"}) for n in (1, 2)]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "m.sqlite"
    with EventLog.create(path) as made:
        made.append(ENTRIES)
    return path


@pytest.fixture
def full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "full"
    folder.mkdir()
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], check=False).returncode:
        pytest.skip("no disk can be mounted here")
    (folder / "data").mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    with (folder / "fill").open("wb", buffering=0) as filling, suppress(OSError):
        while True:
            filling.write(bytes(4096))
    yield folder
    subprocess.run(["umount", folder], check=True)


def shinpan(*words: object, **environment: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, "-m", "desk", *map(str, words)],
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=120,
        env=os.environ | environment,
    )


@pytest.mark.parametrize("console", ["cp1252", "ascii", "utf-16"])
def test_what_programs_read_is_the_same_on_any_console(log: Path, console: str) -> None:
    listed = shinpan("koikoi", "score", "--help", PYTHONIOENCODING=console)  # what people read comes, too
    assert (listed.returncode, listed.stderr) == (0, b"")
    exported = shinpan("log", "export", log, PYTHONIOENCODING=console)
    assert exported.returncode == 0
    lines = exported.stdout.decode("utf-8").splitlines()
    assert [json.loads(line)["payload"]["text"] for line in lines[1:]] == ["もろ 1", "もろ 2"]


@pytest.fixture(params=["log alone", "events still beside it"])
def read_only(
    request: pytest.FixtureRequest, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A log on media that cannot be written; where a match was broken off its last events lie beside it."""
    folder = tmp_path / "medium"
    folder.mkdir()
    with EventLog.open(log) as opened:
        opened.append([LogEntry(3, 3, WALL, "operator", "note", 1, {"text": "もろ 3"})])
        if request.param == "log alone":
            opened.close()
        ahead = [log.with_name("m.sqlite-wal")] if request.param != "log alone" else []
        subprocess.run(["cp", log, *ahead, folder], check=True)
    monkeypatch.setattr(os, "access", lambda path, *_: folder not in (Path(path), *Path(path).parents))
    return folder / "m.sqlite"


def test_a_log_is_read_where_nothing_can_be_written(read_only: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in read_only.parent.iterdir()}
    assert main(["log", "export", str(read_only), "--jsonl", str(tmp_path / "e.jsonl")]) == 0
    assert "もろ 3" in (tmp_path / "e.jsonl").read_text("utf-8")
    assert {path.name: path.read_bytes() for path in read_only.parent.iterdir()} == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (("decks", "list"), "decks/{}.deck.zip"),
        (("voices", "list"), "voices/{}.zip"),
        (("book",), "matches/{}.sqlite"),
        (("recite", "--set", "due", "--player", "A", "--silent", "--no-page"), "matches/{}.sqlite"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_what_is_no_file_keeps_nobody_waiting(words: tuple[str, ...], kept: str, tmp_path: Path) -> None:
    """A pipe that nobody writes to, and a device without an end."""
    paths = {each: tmp_path / "shinpan" / kept.format(each) for each in ("pipe", "device", "folder", "loop")}
    paths["folder"].mkdir(parents=True)
    os.mkfifo(paths["pipe"])
    paths["device"].symlink_to("/dev/zero")
    paths["loop"].symlink_to(paths["loop"])
    done = shinpan(*words, XDG_DATA_HOME=str(tmp_path))
    assert b"Traceback" not in done.stderr


def test_a_reading_goes_on_where_its_order_cannot_be_kept(full_disk: Path) -> None:
    words = "recite --cards 1 --silent --no-page --no-joka --rhythm 2-0-0-2 --voice chime"
    read = shinpan(*words.split())
    assert read.returncode == 0, read.stderr
    assert b"the order is not kept" in read.stderr
    assert b"last-reading.json: the disk is full" in read.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("log", "export", "{log}", "--jsonl", "{full}/out"),
        ("log", "check", "{log}", "--repair", "{full}/new.sqlite"),
        ("koikoi", "mat", "{full}/out.svg"),
        ("kendo", "play", "--events", "{events}", "--json", "{full}/out"),
        ("calibrate", "--print", "{full}/out.pdf"),
        ("recite", "--cards", "1", "--voice", "chime", "--render", "{full}/data"),
        ("sets", "save", "mine", "1-20"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_full_disk_gets_one_line_and_no_half_file(
    words: tuple[str, ...], log: Path, full_disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = log.with_name("events.jsonl")
    events.write_text('{"kind": "open", "player": 0}\n')
    assert main([word.format(log=log, full=full_disk, events=events) for word in words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "the disk is full: make room on it" in said or "the disk does not read or write" in said
    left = {path.name for path in full_disk.rglob("*") if path.is_file()}
    assert left == {"fill"}


def test_a_log_that_is_cut_is_no_traceback(log: Path) -> None:
    data = log.read_bytes()
    log.write_bytes(data.replace(b"origin  TEXT", b"orixin  TEXT"))
    with pytest.raises(EventLogError, match="damaged"), EventLog.read(log) as opened:
        list(opened.entries())
    for keep in (100, 5000, len(data) // 2):
        log.write_bytes(data[:keep])
        with pytest.raises(EventLogError), EventLog.read(log) as opened:
            list(opened.entries())


_ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"


@pytest.mark.parametrize(
    "made",
    [
        f"CREATE VIEW event AS {_ENDLESS} SELECT i AS seq, i AS t_ns, '' AS wall, '' AS origin, '' AS kind, "
        "1 AS version, '{}' AS payload FROM n",
        "CREATE TABLE event (seq INTEGER PRIMARY KEY, payload TEXT AS (hex(zeroblob(9000000))))",
        "CREATE VIRTUAL TABLE event USING fts5(seq, payload)",
        "CREATE TRIGGER more AFTER INSERT ON event BEGIN DELETE FROM event; END",
        "CREATE INDEX more ON event(payload)",
    ],
)
def test_what_only_pretends_to_be_a_log_is_refused_at_once(log: Path, made: str) -> None:
    """A view without an end kept whoever listed the matches busy for ever."""
    with closing(sqlite3.connect(log)) as connection:
        if "more" not in made:
            connection.execute("DROP TABLE event")
        connection.execute(made)
    for reads in (EventLog.read, EventLog.open):
        with pytest.raises(EventLogError, match="is not a match log, or damaged: shinpan does not write its"):
            reads(log)
