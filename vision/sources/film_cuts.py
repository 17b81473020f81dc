"""Find where an MP4 or QuickTime film was cut without being re-encoded: what its edit list leaves out.

Players and decoders join the remaining parts, so the pictures before and after a cut follow each other as if
nothing had happened in between. The pictures' times do not show that something was left out.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

_HEAD: Final = 8
_LARGEST_INDEX: Final = 1 << 28  # bytes; no film's index is larger
_ROUNDING: Final = 2  # ticks of the movie's clock to which lengths of edits are rounded


def cuts_ns(path: Path, track: int) -> tuple[int, ...]:
    """Return the instants at which an edit list joins parts that were not filmed in succession.

    `path`: the film; only MP4 and QuickTime files have such a list.
    """
    index = _index_of(path)
    boxes = list(_boxes(index))
    clock = next((_after_times(body) for kind, body in boxes if kind == b"mvhd"), 0)
    for kind, trak in boxes:
        inside = dict(_boxes(trak)) if kind == b"trak" else {}
        if _after_times(inside.get(b"tkhd", b"")) != track or b"edts" not in inside:
            continue
        own_clock = _after_times(dict(_boxes(inside.get(b"mdia", b""))).get(b"mdhd", b""))
        edits = list(_edits(dict(_boxes(inside[b"edts"])).get(b"elst", b"")))
        return tuple(_joins(edits, clock, own_clock)) if clock and own_clock else ()
    return ()


def _joins(edits: list[tuple[int, int]], clock: int, own_clock: int) -> Iterator[int]:
    """Yield the instants, nanoseconds, at which an edit does not start where the previous one ended."""
    shown, parts = 0, list[tuple[int, int, int]]()
    for length, begins in edits:
        if begins >= 0:  # empty edits show nothing for a while
            parts.append((shown, length, begins))
        shown += length
    for (_, length, begins), (at, _, goes_on) in pairwise(parts):
        skipped = (goes_on - begins) / own_clock - length / clock
        if abs(skipped) > _ROUNDING / clock:
            yield round(at * 1_000_000_000 / clock)


def _index_of(path: Path) -> bytes:
    """Return the body of a film's `moov` box, empty if it has none."""
    with path.open("rb") as file:
        while len(head := file.read(_HEAD)) == _HEAD:
            size, kind = struct.unpack(">I4s", head)
            read = _HEAD
            if size == 1:
                size, read = int.from_bytes(file.read(8), "big"), 2 * _HEAD
            if not kind.isalnum() or size < read:
                return b""
            if kind == b"moov":
                return file.read(size - read) if size < _LARGEST_INDEX else b""
            file.seek(size - read, 1)
    return b""


def _boxes(body: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kind and the body of each box."""
    at = 0
    while at + _HEAD <= len(body):
        size, kind = struct.unpack_from(">I4s", body, at)
        if size < _HEAD:
            return
        yield kind, body[at + _HEAD : at + size]
        at += size


def _after_times(body: bytes) -> int:
    """Return the number after a box's two dates, 0 if it has none.

    That is the ticks per second of a `mvhd` or `mdhd` box, and the number of the track of a `tkhd` box.
    """
    place = 20 if body[:1] == b"\1" else 12
    return int.from_bytes(body[place : place + 4], "big")


def _edits(body: bytes) -> Iterator[tuple[int, int]]:
    """Yield each edit's length, and its start in the film: -1 for an empty edit."""
    entry = struct.Struct(">QqI" if body[:1] == b"\1" else ">IiI")
    for number in range(int.from_bytes(body[4:8], "big")):
        at = 8 + number * entry.size
        if at + entry.size > len(body):
            return
        length, begins, _ = entry.unpack_from(body, at)
        yield length, begins
