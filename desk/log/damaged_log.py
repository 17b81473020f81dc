"""Reading what is left of a damaged match log, a database or a text, and making a new log of it.

Events keep their numbers, because other events refer to them: `event_lost` takes the place of each missing
one. A log has no checksums, so an event counts as intact if its form is right; a changed letter within a text
is not noticed.
"""

import errno
import sqlite3
import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from calibration.files import json_text
from calibration.files.text import encoding_of
from desk.errors import DeskError, EventLogError
from desk.log.database import beside, raw_bytes
from desk.log.event_codec import LOST, EventCodec
from desk.log.event_log import EventLog, LogEntry, new_log
from desk.log.jsonl_file import entries_in, entry_of
from desk.log.log_file import NewerLogError, check_beginning, copy_as_it_is
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
    if is_text(path):
        entries, problems = entries_in(path)
        found = Inspection(_in_order(iter(entries)), problems[0] if problems else None)
    else:
        found = _of_database(path)
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
        with TemporaryDirectory(prefix="shinpan-") as folder:
            copy = Path(folder) / path.name
            check_beginning(path)
            with EventLogError.wrapping(
                "{path} is damaged: {why}", sqlite3.DatabaseError, UnicodeDecodeError, path=path
            ):
                copy_as_it_is(path, copy)
            with EventLog.read(copy) as log:
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


def _rows(path: Path) -> Iterator[LogEntry]:
    for seq, columns in rows_of(path):
        if len(columns) != _FIELDS or not 0 < seq < _SURELY_MORE:
            continue
        _, t_ns, wall, origin, kind, version, payload = columns
        told: dict[str, Any] = {"seq": seq, "t_ns": t_ns, "wall": wall, "origin": origin, "kind": kind}
        with suppress(ValueError, EventLogError, TypeError):
            yield entry_of({**told, "version": version, "payload": json_text.parse(payload)}, str(path))


def _in_order(entries: Iterator[LogEntry]) -> tuple[LogEntry, ...]:
    known: dict[int, LogEntry] = {}
    for entry in entries:
        known.setdefault(entry.seq, entry)
    return tuple(known[seq] for seq in sorted(known))


Row = tuple[int, tuple[Any, ...]]  # the row's number and its columns; the column of the number itself is None
_HEAD = 100
_LEAF = 0x0D
_MOST_BYTES = 16 << 20  # size limit of one row; see `desk.log.database`
_FRAME_HEAD = 24
_BROKEN = (IndexError, ValueError, OverflowError, struct.error)
"""Errors that a damaged page or row causes; invalid UTF-8 is a ValueError."""


def rows_of(path: Path) -> Iterator[Row]:
    """Iterate over the rows on all leaf pages of a database, with those committed to its write-ahead log.

    Raises OSError if the file cannot be read.
    """
    data, ahead = raw_bytes(path), beside(path, "-wal")
    if data is None:
        raise OSError(errno.EBUSY, Sentence("this program has it open"), str(path))
    frames = ahead.read_bytes() if ahead.is_file() else b""
    size = _page_size(data, frames)
    reserved = data[20] if len(data) > _HEAD and data[20] < 64 else 0
    pages = {number // size + 1: data[number : number + size] for number in range(0, len(data), size)}
    pages |= _committed(frames, size)
    for number, page in pages.items():
        yield from _leaf(page, _HEAD if number == 1 else 0, size - reserved, pages)


def _page_size(data: bytes, frames: bytes) -> int:
    sizes = [int.from_bytes(data[16:18], "big"), int.from_bytes(frames[8:12], "big"), 4096]
    return next(size for size in sizes if 512 <= size <= 32_768 and size & (size - 1) == 0)


def _committed(frames: bytes, size: int) -> dict[int, bytes]:
    """Return the pages of a write-ahead log up to its last commit with valid checksums."""
    pages: dict[int, bytes] = {}
    open_pages: dict[int, bytes] = {}
    order = ">" if frames[:4] == b"\x37\x7f\x06\x83" else "<"
    salts, sums = frames[16:24], _sums(frames[:24], (0, 0), order)
    for start in range(32, len(frames) - _FRAME_HEAD - size + 1, _FRAME_HEAD + size):
        head, page = frames[start : start + _FRAME_HEAD], frames[start + _FRAME_HEAD :][:size]
        sums = _sums(page, _sums(head[:8], sums, order), order)
        if head[8:16] != salts or struct.unpack(">II", head[16:]) != sums:
            break
        number, committed = struct.unpack(">II", head[:8])
        open_pages[number] = page
        if committed:
            pages |= open_pages
            open_pages = {}
    return pages


def _sums(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    first, second = sums
    for left, right in struct.iter_unpack(f"{order}II", data):
        first = (first + left + second) & 0xFFFF_FFFF
        second = (second + right + first) & 0xFFFF_FFFF
    return first, second


def _leaf(page: bytes, head: int, usable: int, pages: Mapping[int, bytes]) -> Iterator[Row]:
    if len(page) < head + 8 or page[head] != _LEAF:
        return
    count = int.from_bytes(page[head + 3 : head + 5], "big")
    places = page[head + 8 :][: 2 * count]
    for (place,) in struct.iter_unpack(">H", places[: len(places) // 2 * 2]):
        try:
            yield _row(page, place, usable, pages)
        except _BROKEN:
            continue


def _row(page: bytes, place: int, usable: int, pages: Mapping[int, bytes]) -> Row:
    length, place = _number(page, place)
    row, place = _number(page, place)
    if length > _MOST_BYTES:
        raise ValueError("no row is so long")
    local, most = length, usable - 35
    if length > most:
        least = (usable - 12) * 32 // 255 - 23
        local = least + (length - least) % (usable - 4)
        local = local if local <= most else least
    record = page[place : place + local]
    following = int.from_bytes(page[place + local : place + local + 4], "big")
    while len(record) < length:
        overflow = pages.get(following, b"")
        if len(overflow) < 5:
            raise ValueError("the rest of the row is lost")
        record += overflow[4 : min(usable, 4 + length - len(record))]
        following = int.from_bytes(overflow[:4], "big")
    return row, _columns(record)


def _columns(record: bytes) -> tuple[Any, ...]:
    end, place = _number(record, 0)
    kinds = []
    while place < end:
        kind, place = _number(record, place)
        kinds.append(kind)
    columns: list[Any] = []
    for kind in kinds:
        length = {0: 0, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0}.get(kind, kind if kind < 5 else (kind - 12) // 2)
        value = record[place : place + length]
        if len(value) != length:
            raise ValueError("the row is cut")
        place += length
        columns.append(_value(kind, value))
    return tuple(columns)


def _value(kind: int, value: bytes) -> Any:
    if kind == 0:
        return None
    if kind <= 6:
        return int.from_bytes(value, "big", signed=True)
    if kind in {8, 9}:
        return kind - 8
    if kind >= 13 and kind % 2:
        return value.decode("utf-8")
    raise ValueError("a log holds numbers and text")


def _number(data: bytes, place: int) -> tuple[int, int]:
    """Return a variable-length integer and the offset after it."""
    value = 0
    for index in range(8):
        byte = data[place + index]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + index + 1
    return value << 8 | data[place + 8], place + 9


_MOST_TOLD: Final = 3
"""Entries that are told one by one: of what follows from the first of them, a number is enough."""


class LeftOut:
    """The entries of a log that are left out, and what is told of them."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._noted: dict[int, Sentence] = {}

    def note(self, seq: int, why: Exception) -> None:
        self._noted[seq] = sentence_of(why).replacing(str(self._log.path), self.name)

    def __contains__(self, seq: int) -> bool:
        return seq in self._noted

    def readable(self, codec: EventCodec) -> Iterator[tuple[LogEntry, Any]]:
        """Iterate over the entries that can be read, each with its event; note the others."""
        for entry in self._log.entries(damaged=self.note):
            try:
                event = codec.decode(entry.kind, entry.version, entry.payload)
            except DeskError as error:
                self.note(entry.seq, error)
            else:
                yield entry, event

    @property
    def name(self) -> str:
        return self._log.path.name

    @property
    def problems(self) -> list[Sentence]:
        told = [
            Sentence("Entry {number} of {name} is left out: {why}", number=seq, name=self.name, why=why)
            for seq, why in list(self._noted.items())[:_MOST_TOLD]
        ]
        if others := list(self._noted)[_MOST_TOLD:]:
            told.append(
                Sentence(
                    "{count} more entries of {name} are left out, from number {number} on",
                    count=len(others),
                    name=self.name,
                    number=others[0],
                )
            )
        return told
