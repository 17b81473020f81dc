"""Export and import of a match log as text."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desk.errors import EventLogError
from desk.log.event_log import EventLog, LogEntry
from desk.log.jsonl_file import export_jsonl, import_jsonl

ENTRIES = [
    LogEntry(1, 5, "2026-01-04T10:00:00.000+09:00", "reader", "poem_started", 1, {"poem": 17}),
    LogEntry(
        2, 9, "2026-01-04T10:00:01.000+09:00", "operator", "note", 2, {"text": "ち\u2028は", "x": 0.1 + 0.2}
    ),
]


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    with EventLog.create(tmp_path / "first.sqlite") as log:
        log.append(ENTRIES)
        stream = io.StringIO()
        assert export_jsonl(log, stream) == 2
    path = tmp_path / "match.jsonl"
    path.write_text(stream.getvalue(), encoding="utf-8")
    return path


def test_export_import_export_gives_the_same_bytes(exported: Path, tmp_path: Path) -> None:
    text = exported.read_text("utf-8")
    exported.write_text(f"{text}\n\n", "utf-8")  # an editor may leave empty lines
    with import_jsonl(exported, tmp_path / "second.sqlite") as log:
        assert list(log.entries()) == ENTRIES
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
        (lambda text: "", "line 1: expected JSON"),
        (lambda text: "[1]\n", "line 1: expected a JSON object"),
        (changed(0, lambda header: header.update(format="pgn")), "line 1 should be"),
        (changed(0, lambda header: header.update(version=99)), "format version 99.*update"),
        (lambda text: text[:-20], "line 3: expected JSON"),
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
