"""Damage to files and requests as networks, disks and people do it: the same seed does the same damage."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

_TOKENS = (
    b"\xff",
    b"\xfe\xff",
    b"\xed\xa0\x80",
    b"\x00",
    b"\r",
    b"\xe2\x80\xa8",
    b"\\ud800",
    b'"',
    b"{",
    b"]",
    b"'''",
    b"NaN",
    b"Infinity",
    b"1e999",
    b"-1",
    b"0",
    b"9" * 400,
    b"18446744073709551616",
    b"1e-320",
    b"true",
    b"null",
    b"[]",
    b"{}",
    b'""',
    b"[" * 2000,
    b"../../../../etc/passwd",
    b"/dev/zero",
    b"con\x00cealed",
    b"%s%n",
    b"\xef\xbb\xbf",
    "札".encode() * 40,
    "\uff11".encode(),
    b"A" * 5000,
)
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_STRING = re.compile(rb'"[^"\n]{0,80}"')
_SQLITE = b"SQLite format 3\0"


def damaged(data: bytes, random: Random) -> bytes:
    """Return a damaged copy: one to four accidents, one after another."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        data = random.choice(_ACCIDENTS)(data, random)
    return data


def _flip(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 4, 64)) if changed else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _head(data: bytes, random: Random) -> bytes:
    """Flip a bit of the first bytes, where formats keep sizes and counts."""
    return _flip(data[:128], random) + data[128:]


def _cut(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _hole(data: bytes, random: Random) -> bytes:
    start, length = random.randrange(len(data) + 1), random.choice((1, 16, 512, 4096))
    return data[:start] + data[start + length :]


def _overwrite(data: bytes, random: Random) -> bytes:
    start, length = random.randrange(len(data) + 1), random.choice((4, 64, 4096))
    there = data[start : start + length]
    return (
        data[:start]
        + random.choice((bytes(len(there)), random.randbytes(len(there))))
        + data[start + length :]
    )


def _insert(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data) + 1)
    return data[:place] + random.choice(_TOKENS) + data[place:]


def _repeat(data: bytes, random: Random) -> bytes:
    start, length = random.randrange(len(data) + 1), random.choice((8, 200))
    return data[:start] + data[start : start + length] * random.choice((2, 50)) + data[start:]


def _exchange(pattern: re.Pattern[bytes]) -> Callable[[bytes, Random], bytes]:
    def exchange(data: bytes, random: Random) -> bytes:
        found = list(pattern.finditer(data[:100_000]))
        if not found:
            return _insert(data, random)
        place = random.choice(found)
        return data[: place.start()] + random.choice(_TOKENS) + data[place.end() :]

    return exchange


def _lines(data: bytes, random: Random) -> bytes:
    """Lose a line, or mix them up."""
    lines = data.split(b"\n")
    if random.random() < 0.5:
        random.shuffle(lines)
    else:
        del lines[random.randrange(len(lines))]
    return b"\n".join(lines)


def _page(data: bytes, random: Random) -> bytes:
    """Exchange a page of a database for noise, zeros or another page."""
    size = 4096 if data.startswith(_SQLITE) else 512
    place = random.randrange(len(data) // size + 1) * size
    other = random.randrange(len(data) // size + 1) * size
    filling = random.choice((bytes(size), random.randbytes(size), data[other : other + size]))
    return data[:place] + filling + data[place + size :]


_ACCIDENTS = (
    _flip,
    _head,
    _cut,
    _hole,
    _overwrite,
    _insert,
    _repeat,
    _exchange(_NUMBER),
    _exchange(_STRING),
    _lines,
    _page,
)
