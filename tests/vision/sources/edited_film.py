"""QuickTime films with an edit list, as programs leave them that cut without writing a film anew."""

import struct
from collections.abc import Sequence
from pathlib import Path

MOVIE_HZ = 1000  # ticks a second in which FFmpeg writes the lengths of edits


def edited(path: Path, parts_s: Sequence[tuple[float, float]], media_hz: int) -> None:
    """Leave of a film only these parts by its edit list, from and to in seconds since its first picture."""
    data = path.read_bytes()
    moov = data.index(b"moov") - 4
    assert moov + int.from_bytes(data[moov : moov + 4], "big") == len(data), "or its pictures would move"
    edts = data.index(b"edts", moov) - 4
    size = int.from_bytes(data[edts : edts + 4], "big")
    count = int.from_bytes(data[edts + 20 : edts + 24], "big")
    kept = [struct.unpack_from(">Iii", data, edts + 24 + 12 * number) for number in range(count)]
    # a film whose first picture comes late begins with nothing; one with B frames begins later in its track
    shift = kept[-1][1]
    waits = b"".join(struct.pack(">Iii", *entry) for entry in kept if entry[1] == -1)
    entries = waits + b"".join(
        struct.pack(">Iii", round((to - begins) * MOVIE_HZ), shift + round(begins * media_hz), 1 << 16)
        for begins, to in parts_s
    )
    elst = struct.pack(">I4sII", len(entries) + 16, b"elst", 0, len(entries) // 12) + entries
    data = data[:edts] + struct.pack(">I4s", len(elst) + 8, b"edts") + elst + data[edts + size :]
    for name in (b"moov", b"trak"):
        box = data.index(name, moov) - 4
        grown = int.from_bytes(data[box : box + 4], "big") + len(elst) + 8 - size
        data = data[:box] + struct.pack(">I", grown) + data[box + 4 :]
    path.write_bytes(data)
