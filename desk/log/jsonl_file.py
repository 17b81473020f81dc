"""A match log as a text file, one JSON object per line.

The first line is a header; every further line is one event. Exporting, importing and exporting again gives
the same bytes.
"""

from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TextIO

from calibration.files import json_text
from calibration.files.text import TextFileError, lines_of, read_text
from desk.errors import EventLogError
from desk.log.event_log import EventLog, LogEntry, new_log
from referee.sentence import Sentence

FORMAT_VERSION = 1
_HEADER = {"format": "shinpan-log", "version": FORMAT_VERSION}
_MOST = (1 << 63) - 1  # the largest integer that a log can hold
_TYPES = {"seq": int, "t_ns": int, "wall": str, "origin": str, "kind": str, "version": int, "payload": dict}


def exported_lines(log: EventLog) -> Iterator[str]:
    """Iterate over the lines of an export: the header, then one for every event."""
    yield json_text.dump(_HEADER) + "\n"
    for entry in log.entries():
        yield json_text.dump(asdict(entry)) + "\n"


def export_jsonl(log: EventLog, stream: TextIO) -> int:
    """Write every event of `log` to `stream` and return how many there were."""
    count = -1  # the header is no event
    for line in exported_lines(log):
        stream.write(line)
        count += 1
    return count


def import_jsonl(source: Path, target: Path) -> EventLog:
    """Make the log `target` from the text file `source` and return it, open.

    Raises EventLogError if `source` is no exported log (the message names the line) or `target` exists
    already.
    """
    return new_log(target, _read(source))


def _read(source: Path) -> list[LogEntry]:
    with EventLogError.wrapping("{source} is not an exported log: {why}", TextFileError, source=source):
        lines = lines_of(read_text(source))
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()  # an editor may leave empty lines at the end
    if (problem := header_problem(source, _object(source, 1, lines[0]))) is not None:
        raise EventLogError(problem)
    return [_entry(source, number, line) for number, line in enumerate(lines[1:], start=2)]


def header_problem(source: Path, header: Any) -> Sentence | None:
    """Return why the first line of a text is no header of an exported log, None if it is one."""
    if not isinstance(header, dict) or header.get("format") != _HEADER["format"]:
        return Sentence(
            "{source} is not an exported log: line 1 should be {head}",
            source=source,
            head=json_text.dump(_HEADER),
        )
    if header.get("version") != FORMAT_VERSION:
        return Sentence(
            "{source} has format version {version}, but this shinpan reads version {known}: update shinpan",
            source=source,
            version=header.get("version"),
            known=FORMAT_VERSION,
        )
    return None


def _object(source: Path, number: int, line: str) -> dict[str, Any]:
    place = {"source": source, "number": number, "line": line[:60]}
    with EventLogError.wrapping(
        "{source}, line {number}: expected JSON, got {line!r} ({why})", ValueError, **place
    ):
        value = json_text.parse(line)
    if not isinstance(value, dict):
        raise EventLogError("{source}, line {number}: expected a JSON object, got {line!r}", **place)
    return value


def _entry(source: Path, number: int, line: str) -> LogEntry:
    entry = entry_of(_object(source, number, line), f"{source}, line {number}")
    if entry.seq != number - 1:
        raise EventLogError(
            "{source}, line {number}: expected event {expected}, got {got}",
            source=source,
            number=number,
            expected=number - 1,
            got=entry.seq,
        )
    return entry


def entry_of(value: Any, place: str) -> LogEntry:
    """Return the event in a JSON object; error messages begin with `place`.

    Raises EventLogError if it is no object, or its fields are not those of an event.
    """
    names = [field.name for field in fields(LogEntry)]
    if not isinstance(value, dict) or sorted(value) != sorted(names):
        found = sorted(value) if isinstance(value, dict) else value
        raise EventLogError(
            "{place}: expected the fields {names}, got {found}", place=place, names=names, found=found
        )
    for name, expected in _TYPES.items():
        found = value[name]
        if type(found) is not expected or (isinstance(found, int) and not -_MOST <= found <= _MOST):
            raise EventLogError(
                "{place}: {name} should be {expected}, got {found!r}",
                place=place,
                name=name,
                expected=expected.__name__,
                found=found,
            )
        if isinstance(found, str) and not found.isprintable():
            raise EventLogError(
                "{place}: {name} should be plain text, got {found!r}", place=place, name=name, found=found
            )
    return LogEntry(**value)
