"""A match log as a text file, one JSON object per line, to keep, to read and to hand on.

The first line is a header; every further line is one event. Export, import and export again gives the same
bytes.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TextIO

from desk.event_log import EventLog, EventLogError, LogEntry

FORMAT_VERSION = 1
_HEADER = {"format": "shinpan-log", "version": FORMAT_VERSION}
_TYPES = {"seq": int, "t_ns": int, "wall": str, "origin": str, "kind": str, "version": int, "payload": dict}


def export_jsonl(log: EventLog, stream: TextIO) -> int:
    """Write every event of `log` to `stream` and return how many there were."""
    stream.write(json.dumps(_HEADER) + "\n")
    count = 0
    for entry in log.entries():
        stream.write(json.dumps(asdict(entry), ensure_ascii=False, allow_nan=False) + "\n")
        count += 1
    return count


def import_jsonl(source: Path, target: Path) -> EventLog:
    """Make the log `target` from the text file `source` and return it, open.

    Raises
    ------
    EventLogError
        If `source` is no exported log (the message names the line) or `target` exists already.
    """
    entries = _read(source)
    log = EventLog.create(target)
    try:
        log.append(entries)
    except EventLogError:
        log.close()
        target.unlink()
        raise
    return log


def _read(source: Path) -> list[LogEntry]:
    try:
        text = source.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise EventLogError(f"{source} is no exported log: it is not UTF-8 text") from error
    # not splitlines(): JSON text may hold U+2028 and other characters that it would split at
    lines = text.removesuffix("\n").split("\n")
    header = _object(source, 1, lines[0])
    if header.get("format") != _HEADER["format"]:
        raise EventLogError(f"{source} is no exported log: line 1 should be {json.dumps(_HEADER)}")
    if header.get("version") != FORMAT_VERSION:
        raise EventLogError(
            f"{source} has format version {header.get('version')}, but this shinpan reads version "
            f"{FORMAT_VERSION}: update shinpan"
        )
    return [_entry(source, number, line) for number, line in enumerate(lines[1:], start=2)]


def _object(source: Path, number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise EventLogError(f"{source}, line {number}: expected JSON, got {line[:60]!r}") from error
    if not isinstance(value, dict):
        raise EventLogError(f"{source}, line {number}: expected a JSON object, got {line[:60]!r}")
    return value


def _entry(source: Path, number: int, line: str) -> LogEntry:
    value = _object(source, number, line)
    names = [field.name for field in fields(LogEntry)]
    if sorted(value) != sorted(names):
        raise EventLogError(f"{source}, line {number}: expected the fields {names}, got {sorted(value)}")
    for name, expected in _TYPES.items():
        if type(value[name]) is not expected:
            raise EventLogError(
                f"{source}, line {number}: {name} should be {expected.__name__}, got {value[name]!r}"
            )
    if value["seq"] != number - 1:
        raise EventLogError(f"{source}, line {number}: expected event {number - 1}, got {value['seq']}")
    return LogEntry(**value)
