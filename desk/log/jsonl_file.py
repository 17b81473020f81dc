"""A match log as a text file, one JSON object per line.

The first line is a header; every further line is one event. Exporting, importing and exporting again gives
the same bytes.
"""

from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TextIO

from calibration.files import json_text
from calibration.files.text import encoding_of, read_bytes
from desk.errors import EventLogError
from desk.log.event_log import EventLog, LogEntry, new_log
from desk.log.log_file import NewerLogError
from referee.complaint import sentence_of
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
    entries, problems = entries_in(source)
    if problems:
        raise EventLogError(problems[0])
    return new_log(target, entries)


def entries_in(source: Path) -> tuple[list[LogEntry], list[Sentence]]:
    """Return the events of a text that can be read, as they stand, and what is wrong with its lines.

    Raises NewerLogError if a newer shinpan wrote it, TextFileError if it is far too long, OSError if it
    cannot be read.
    """
    data = read_bytes(source)
    encoding, mark = encoding_of(data)
    data = data[mark:]
    if encoding != "utf-8":
        # JSON knows no escape such as \xd8, so a letter that is damaged is noticed in its line
        data = data.decode(encoding, "backslashreplace").encode("utf-8", "backslashreplace")
    entries: list[LogEntry] = []
    problems: list[Sentence] = []
    for number, line in enumerate(data.splitlines() or [b""], 1):
        place = f"{source}, line {number}"
        try:
            value = json_text.parse(line.decode("utf-8")) if line.strip() else None
            if number == 1:
                _check_header(source, value)
            elif value is not None:
                entries.append(entry_of(value, place))
                if not problems and entries[-1].seq != len(entries):
                    wrong = Sentence(
                        "{place}: expected event {expected}, got {got}",
                        place=place,
                        expected=len(entries),
                        got=entries[-1].seq,
                    )
                    problems.append(wrong)
        except NewerLogError:
            raise
        except EventLogError as error:
            problems.append(sentence_of(error))
        except ValueError as error:
            problems.append(Sentence("{place} is damaged: {why}", place=place, why=sentence_of(error)))
    return entries, problems


def _check_header(source: Path, header: Any) -> None:
    if not isinstance(header, dict) or header.get("format") != _HEADER["format"]:
        raise EventLogError(
            "{source} is not an exported log: line 1 should be {head}",
            source=source,
            head=json_text.dump(_HEADER),
        )
    if header.get("version") != FORMAT_VERSION:
        raise NewerLogError(
            "{source} has format version {version}, but this shinpan reads version {known}: update shinpan",
            source=source,
            version=header.get("version"),
            known=FORMAT_VERSION,
        )


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
