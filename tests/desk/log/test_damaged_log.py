"""Damaged logs: the intact part is found, named and copied, and nothing else; logs as text."""

import io
import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from desk.commands.cli import main
from desk.errors import DeskError, EventLogError
from desk.log.damaged_log import Inspection, inspect, repair, rows_of
from desk.log.event_log import EventLog, LogEntry
from desk.log.jsonl_file import export_jsonl, exported_lines, import_jsonl
from desk.log.log_file import NewerLogError
from tests.desk.karuta.karuta_script import begin, play, whole_match

WALL = "2026-01-04T10:00:00.000+09:00"
PAGE = 4096
COUNT = 60


def entry(seq: int) -> LogEntry:
    """Return an event; every seventh is longer than a page, every tenth than two."""
    letters = 3000 if seq % 10 == 0 else 1500 if seq % 7 == 0 else 40
    return LogEntry(
        seq, seq * 10**12, WALL, "eye", "note", 1, {"text": "もろともに"[: seq % 6] + "a" * letters}
    )


ENTRIES = tuple(entry(seq) for seq in range(1, COUNT + 1))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("log") / "m.sqlite"
    with EventLog.create(path) as log:
        for each in ENTRIES:
            log.append([each])
    return path.read_bytes()


@pytest.fixture
def path(whole: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "m.sqlite"
    path.write_bytes(whole)
    return path


def pages_of(whole: bytes) -> list[int]:
    return list(range(0, len(whole), PAGE))


def test_each_lost_page_costs_only_the_events_that_lie_on_it(whole: bytes, path: Path) -> None:
    """Whether it holds events, a part of one, the index of pages, or the schema."""
    for start in pages_of(whole):
        path.write_bytes(whole[:start] + bytes(PAGE) + whole[start + PAGE :])
        found = inspect(path)
        assert found.problem is not None
        assert all(each in ENTRIES for each in found.intact)
        # the most that lies on one page: its short events, and long ones that begin there
        assert len(found.intact) >= COUNT - 30
        assert (len(found.intact) == COUNT) is not bool(found.lost or found.first_damaged <= COUNT)


def test_a_file_that_was_cut_holds_what_lies_before(whole: bytes, path: Path, tmp_path: Path) -> None:
    path.write_bytes(whole[: len(whole) // 2 + 100])
    found = inspect(path)
    assert 10 < len(found.intact) < COUNT
    assert found.intact == tuple(each for each in ENTRIES if each in found.intact)
    repair(found, tmp_path / "new.sqlite")
    with EventLog.open(tmp_path / "new.sqlite") as log:
        copied = list(log.entries())
        assert [each.seq for each in copied] == list(range(1, found.intact[-1].seq + 1))
        assert [each for each in copied if each.kind == "note"] == list(found.intact)
        assert [each.seq for each in copied if each.kind == "event_lost"] == list(found.lost)
        log.append([entry(log.last_seq + 1)])  # it is a log like any other


def test_what_was_committed_last_is_found_in_the_file_beside_it(tmp_path: Path) -> None:
    path, copy = tmp_path / "m.sqlite", tmp_path / "copy.sqlite"
    ahead = copy.with_name("copy.sqlite-wal")
    with EventLog.create(path, durable=False) as log:
        for each in ENTRIES[:20]:
            log.append([each])
        subprocess.run(["cp", path, copy], check=True)
        subprocess.run(["cp", path.with_name("m.sqlite-wal"), ahead], check=True)
    damaged = b"\0" * 100 + copy.read_bytes()[100:]
    copy.write_bytes(damaged)
    with pytest.raises(EventLogError, match="file is not a database"):
        EventLog.read(copy)
    assert inspect(copy).intact == ENTRIES[:20]
    # the last transaction was torn: it had not been acknowledged
    ahead.write_bytes(ahead.read_bytes()[:-10])
    copy.write_bytes(damaged)
    assert inspect(copy).intact == ENTRIES[:19]


def test_a_running_match_is_intact_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    with EventLog.create(path) as log:
        for each in ENTRIES:
            log.append([each])
            if each.seq % 6 == 0:
                assert inspect(path) == Inspection(ENTRIES[: each.seq], None)
        assert path.with_name("m.sqlite-wal").stat().st_size


def test_an_empty_file_beside_its_events_is_repaired(tmp_path: Path) -> None:
    path, copy = tmp_path / "m.sqlite", tmp_path / "copy.sqlite"
    with EventLog.create(path, durable=False) as log:
        log.append(ENTRIES)
        subprocess.run(["cp", f"{path}-wal", f"{copy}-wal"], check=True)
    copy.touch()
    assert inspect(copy).intact == ENTRIES
    assert copy.with_name("copy.sqlite-wal").stat().st_size


def test_no_damage_ends_in_a_traceback_or_invents_an_event(whole: bytes, path: Path) -> None:
    random = Random(7)
    for _ in range(60):
        data, start = bytearray(whole), random.choice(pages_of(whole))
        if random.random() < 0.5:
            data[start : start + PAGE] = random.randbytes(PAGE)
        else:
            data[start : start + 200] = bytes(byte ^ 0x80 for byte in data[start : start + 200])
        path.write_bytes(data)
        try:
            assert all(each in ENTRIES for each in inspect(path).intact)
        except DeskError:
            assert start == 0  # its head tells another version


@pytest.mark.parametrize(
    ("was", "now"),
    [
        # by 71 SQLite means 29 letters, by 70 as many bytes, and by 19 three letters
        (bytes([71, 19]), bytes([70, 19])),
        (b"12345", b"1e999"),
    ],
)
def test_what_json_cannot_hold_is_damage(was: bytes, now: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    with EventLog.create(path) as log:
        log.append([LogEntry(seq, seq, WALL, "eye", "note", 1, {"number": 12343 + seq}) for seq in (1, 2, 3)])
    whole = path.read_bytes()
    at = whole.rindex(was)
    path.write_bytes(whole[:at] + now + whole[at + len(was) :])
    found = inspect(path)
    assert found.problem is not None
    assert len(found.intact) == 2
    repair(found, tmp_path / "repaired.sqlite")
    with EventLog.read(path) as log, pytest.raises(EventLogError, match=r"another type|too large"):
        list(exported_lines(log))


def test_a_log_of_a_newer_version_is_not_called_damaged(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[60:64] = (2).to_bytes(4, "big")
    path.write_bytes(data)
    with pytest.raises(NewerLogError, match=rf"^{path} was written by a newer shinpan .* update shinpan"):
        inspect(path)
    for version in ("2", "[1]"):
        path.write_text(f'{{"format": "shinpan-log", "version": {version}}}\n')
        with pytest.raises(NewerLogError, match="update shinpan"):
            inspect(path)


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"SQLite format 3\0" + bytes(5000), b"{\n{", bytes(3 * PAGE)]
)
def test_what_holds_no_event_is_said(data: bytes, path: Path) -> None:
    path.write_bytes(data)
    with pytest.raises(EventLogError, match="holds no event that can be read"):
        inspect(path)


def test_lines_of_a_text_are_lost_one_by_one(path: Path, tmp_path: Path) -> None:
    text, copy = tmp_path / "m.jsonl", tmp_path / "new.sqlite"
    with EventLog.read(path) as log:
        lines = [line.encode() for line in exported_lines(log)]
    lines[3] = lines[3][:-20] + b"\xff\n"
    lines[7] = b"\n"
    lines[-1] = lines[-1][:30]
    text.write_bytes(b"".join(lines))
    found = inspect(text)
    assert found.lost == (3, 7)
    assert [each.seq for each in found.intact] == [seq for seq in range(1, COUNT) if seq not in {3, 7}]
    assert found.problem is not None
    assert "line 4 is damaged" in found.problem
    with pytest.raises(EventLogError):
        import_jsonl(text, copy)
    repair(found, copy)
    assert inspect(copy).problem is None


def test_the_command_names_the_first_damaged_event(
    whole: bytes, path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["log", "check", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: all {COUNT} events are intact\n"
    path.write_bytes(whole[: len(whole) - PAGE])
    assert main(["log", "check", str(path)]) == 1
    said, advice = capsys.readouterr().out.splitlines()
    assert "is damaged or missing" in said
    assert "events are intact" in said
    assert advice == f"copy what is intact: shinpan log check {path} --repair NEW"
    new = tmp_path / "new.sqlite"
    assert main(["log", "check", str(path), "--repair", str(new)]) == 1
    assert main(["log", "check", str(path), "--repair", str(new)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["log", "check", str(new)]) == 0


def exported_match(folder: Path) -> tuple[list[str], Path, Path]:
    """Return the lines of a match's text, its file, and a place for a new log."""
    path, text = folder / "match.sqlite", folder / "match.jsonl"
    engine = begin(path)
    play(engine, whole_match())
    engine._log.close()
    assert main(["log", "check", str(path)]) == 0
    main(["log", "export", str(path), "--jsonl", str(text)])
    return text.read_text("utf-8").splitlines(), text, folder / "new.sqlite"


def test_a_match_is_followed_up_to_a_lost_event(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines, text, new = exported_match(tmp_path)
    changed = next(number for number, line in enumerate(lines) if '"poem_finished"' in line)
    text.write_text("\n".join([*lines[:changed], lines[changed][1:], *lines[changed + 1 :]]), "utf-8")
    capsys.readouterr()
    assert main(["log", "check", str(text), "--repair", str(new)]) == 1
    assert f"event {changed} is damaged or missing" in capsys.readouterr().out
    assert main(["replay", str(new)]) == 1
    assert f"entry {changed} of the log: it was lost before this log was repaired" in capsys.readouterr().out
    assert main(["log", "show", str(new)]) == 2
    assert "it was lost" in capsys.readouterr().err
    assert main(["log", "check", str(new)]) == 1
    assert "can be read, but entry" in capsys.readouterr().out


@pytest.mark.parametrize(("size", "reserved"), [(512, 0), (8192, 0), (PAGE, 32)])
def test_rows_are_read_from_pages_of_any_size_and_reserve(tmp_path: Path, size: int, reserved: int) -> None:
    """As SQLite does where it is built with checksums or encryption: the header says how many."""
    path = tmp_path / "m.sqlite"
    with closing(sqlite3.connect(path)) as empty:
        empty.execute(f"PRAGMA page_size = {size}")
        empty.execute("PRAGMA user_version = 1")
    page = bytearray(path.read_bytes())
    page[20] = reserved
    page[105:107] = (size - reserved).to_bytes(2, "big")  # where the first page's cells begin
    path.write_bytes(page)
    texts = {number: "a" * 600 * number for number in range(30)}
    texts |= {2**56 - 1: "the largest number of eight bytes", 2**56: "nine bytes", 2**63 - 1: "the largest"}
    with closing(sqlite3.connect(path)) as log, log:
        log.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, text TEXT)")
        log.executemany("INSERT INTO events VALUES (?, ?)", texts.items())
    found = {number: columns[1] for number, columns in rows_of(path) if len(columns) == 2}
    assert found == texts


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "utf-8-sig"])
def test_text_of_any_encoding_is_checked_as_it_is_imported(encoding: str, path: Path, tmp_path: Path) -> None:
    """Editors and PowerShell write UTF-16; a letter that is lost costs its own event alone."""
    with EventLog.read(path) as log:
        text = "".join(exported_lines(log))
    source = tmp_path / "m.jsonl"
    source.write_bytes(text.encode(encoding))
    assert inspect(source) == Inspection(ENTRIES, None)
    with import_jsonl(source, tmp_path / "new.sqlite") as log:
        assert tuple(log.entries()) == ENTRIES
    if encoding == "utf-16":
        half = "\ud83d".encode("utf-16-le", "surrogatepass")
        source.write_bytes(text.encode(encoding).replace("も".encode("utf-16-le"), half, 1))
        assert inspect(source).lost == (1,)


TWO = [
    LogEntry(1, 5, "2026-01-04T10:00:00.000+09:00", "reader", "poem_started", 1, {"poem": 17}),
    LogEntry(
        2, 9, "2026-01-04T10:00:01.000+09:00", "operator", "note", 2, {"text": "ち\u2028は", "x": 0.1 + 0.2}
    ),
]


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    with EventLog.create(tmp_path / "first.sqlite") as log:
        log.append(TWO)
        stream = io.StringIO()
        assert export_jsonl(log, stream) == 2
    path = tmp_path / "match.jsonl"
    path.write_text(stream.getvalue(), encoding="utf-8")
    return path


def test_export_import_export_gives_the_same_bytes(exported: Path, tmp_path: Path) -> None:
    text = exported.read_text("utf-8")
    exported.write_text(f"{text}\n\n", "utf-8")  # an editor may leave empty lines
    with import_jsonl(exported, tmp_path / "second.sqlite") as log:
        assert list(log.entries()) == TWO
        stream = io.StringIO()
        export_jsonl(log, stream)
    assert stream.getvalue() == text


def changed(line: int, change: Callable[[dict[str, Any]], object]) -> Callable[[str], str]:
    def apply(text: str) -> str:
        lines = text.split("\n")
        value = json.loads(lines[line])
        change(value)
        lines[line] = json.dumps(value)
        return "\n".join(lines)

    return apply


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: "", "line 1 should be"),
        (lambda text: "[1]\n", "line 1 should be"),
        (changed(0, lambda header: header.update(format="pgn")), "line 1 should be"),
        (changed(0, lambda header: header.update(version=99)), "format version 99.*update"),
        (lambda text: text[:-20], "line 3 is damaged"),
        (changed(1, lambda event: event.pop("origin")), "line 2: expected the fields"),
        (changed(1, lambda event: event.update(t_ns=1.5)), "line 2: t_ns should be int, got 1.5"),
        (changed(2, lambda event: event.update(seq=7)), "line 3: expected event 2, got 7"),
        (changed(2, lambda event: event.update(version=0)), "does not follow|could not write"),
    ],
)
def test_a_damaged_file_is_refused_with_its_line_and_leaves_nothing_behind(
    exported: Path, tmp_path: Path, damage: Callable[[str], str], message: str
) -> None:
    exported.write_text(damage(exported.read_text(encoding="utf-8")), encoding="utf-8")
    target = tmp_path / "second.sqlite"
    with pytest.raises(EventLogError, match=message):
        import_jsonl(exported, target)
    assert not target.exists()
