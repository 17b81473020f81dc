"""Reading what is left of a damaged match log, a database or a text, and making a new log of it.

Events keep their numbers, because other events refer to them: `event_lost` takes the place of each missing
one. A log has no checksums, so an event counts as intact if its form is right; a changed letter within a text
is not noticed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from calibration.files import json_text
from calibration.files.text import encoding_of
from desk.errors import DeskError, EventLogError
from desk.log.database import raw_bytes
from desk.log.database_pages import rows_of
from desk.log.event_codec import LOST
from desk.log.event_log import EventLog, LogEntry, new_log
from desk.log.jsonl_file import FORMAT_VERSION, entry_of, header_problem
from desk.log.log_file import NewerLogError, check_beginning
from desk.log.read_only_log import copy_as_it_is
from referee.complaint import sentence_of
from referee.sentence import Sentence

_FIELDS = len(fields(LogEntry))
_SURELY_MORE = 1_000_000  # more events than any log has: a larger number is damage


@dataclass(frozen=True, slots=True)
class Inspection:
    """The state of a log."""

    intact: tuple[LogEntry, ...]  # the events that can be read, in order
    problem: Sentence | None  # what is wrong at the first damaged place, None if nothing is

    @property
    def lost(self) -> tuple[int, ...]:
        """Numbers of the missing events before the last readable one."""
        known = {entry.seq for entry in self.intact}
        return tuple(seq for seq in range(1, max(known, default=0)) if seq not in known)

    @property
    def first_damaged(self) -> int:
        """Number of the first unreadable event; it may never have been written."""
        return next(iter(self.lost), len(self.intact) + 1)


def inspect(path: Path) -> Inspection:
    """Look at every event of a log.

    Raises EventLogError if there is no such file, a newer shinpan wrote it, or no event in it can be read.
    Raises OSError if it cannot be read.
    """
    if not path.is_file():
        raise EventLogError("expected the file of a match log, but there is none at {path}", path=path)
    found = _of_text(path) if is_text(path) else _of_database(path)
    if not found.intact and found.problem is not None:
        raise EventLogError("{path} holds no event that can be read: {why}", path=path, why=found.problem)
    return found


def is_text(path: Path) -> bool:
    """Tell whether a file is an exported text, not a database."""
    head = raw_bytes(path, 8) or b""  # None: a database, which this process has open
    encoding, mark = encoding_of(head)
    return head[mark:].decode(encoding, "replace").startswith("{")


def repair(found: Inspection, target: Path) -> None:
    """Write the intact events into a new log; the old file is not changed.

    Raises EventLogError if `target` exists already or cannot be written; no part of it is left behind.
    """
    known = {entry.seq: entry for entry in found.intact}
    whole: list[LogEntry] = []
    for seq in range(1, max(known, default=0) + 1):
        before = whole[-1] if whole else found.intact[0]
        lost = LogEntry(seq, before.t_ns, before.wall, "desk", LOST, 1, {})
        whole.append(known.get(seq, lost))
    new_log(target, whole).close()


def _of_database(path: Path) -> Inspection:
    intact: list[LogEntry] = []
    try:
        # read a copy, because SQLite changes the files it opens
        with (
            TemporaryDirectory(prefix="shinpan-") as folder,
            EventLog.read(_copied(path, Path(folder))) as log,
        ):
            log.check()
            for entry in log.entries():
                intact.append(entry)
                if entry.seq != len(intact):
                    raise EventLogError(
                        "{path} is damaged: event {number} is missing", path=path, number=len(intact)
                    )
        return Inspection(tuple(intact), None)
    except DeskError as error:
        problem = sentence_of(error).replacing(f"{folder}/", f"{path.parent}/")
        if isinstance(error, NewerLogError):
            raise NewerLogError(problem) from error
    return Inspection(_in_order(_rows(path)), problem)


def _copied(path: Path, folder: Path) -> Path:
    copy = folder / path.name
    check_beginning(path)
    with EventLogError.wrapping(
        "{path} is damaged: {why}", sqlite3.DatabaseError, UnicodeDecodeError, path=path
    ):
        copy_as_it_is(path, copy)
    return copy


def _rows(path: Path) -> Iterator[LogEntry]:
    for seq, columns in rows_of(path):
        if len(columns) != _FIELDS or not 0 < seq < _SURELY_MORE:
            continue
        _, t_ns, wall, origin, kind, version, payload = columns
        told: dict[str, Any] = {"seq": seq, "t_ns": t_ns, "wall": wall, "origin": origin, "kind": kind}
        with suppress(ValueError, EventLogError, TypeError):
            yield entry_of({**told, "version": version, "payload": json_text.parse(payload)}, str(path))


def _of_text(path: Path) -> Inspection:
    intact: list[LogEntry] = []
    problems: list[Sentence] = []
    data = path.read_bytes()
    encoding, mark = encoding_of(data)
    data = data[mark:]
    if encoding != "utf-8":
        # JSON knows no escape such as \xd8, so a letter that is damaged is noticed in its line
        data = data.decode(encoding, "backslashreplace").encode("utf-8", "backslashreplace")
    for number, line in enumerate(data.splitlines(), 1):
        place = f"{path}, line {number}"
        try:
            value = json_text.parse(line.decode("utf-8")) if line.strip() else None
            if number == 1:
                problems += _of_header(path, value)
            elif value is not None:
                intact.append(entry_of(value, place))
        except NewerLogError:
            raise
        except EventLogError as error:
            problems.append(sentence_of(error))
        except ValueError as error:
            problems.append(Sentence("{place} is damaged: {why}", place=place, why=sentence_of(error)))
    ordered = _in_order(iter(intact))
    if [entry.seq for entry in ordered] != list(range(1, len(intact) + 1)):
        problems.append(Sentence("{path} is damaged: events are missing or come twice", path=path))
    return Inspection(ordered, problems[0] if problems else None)


def _of_header(path: Path, header: Any) -> list[Sentence]:
    problem = header_problem(path, header)
    if (
        problem is not None
        and isinstance(header, dict)
        and header.get("version") not in (None, FORMAT_VERSION)
    ):
        raise NewerLogError(problem)
    return [] if problem is None else [problem]


def _in_order(entries: Iterator[LogEntry]) -> tuple[LogEntry, ...]:
    known: dict[int, LogEntry] = {}
    for entry in entries:
        known.setdefault(entry.seq, entry)
    return tuple(known[seq] for seq in sorted(known))
