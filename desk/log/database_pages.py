"""Reading rows from the pages of a damaged SQLite file, without SQLite.

The format is https://www.sqlite.org/fileformat2.html. A log has one table whose rows are never changed or
deleted, so every row on any page is a logged event.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from desk.log.database import beside, raw_bytes
from referee.sentence import Sentence

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
