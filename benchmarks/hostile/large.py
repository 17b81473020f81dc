"""Inputs that promise or hold far more than fits into memory, and what the commands make of them.

`uv run python -m benchmarks.hostile.large [--only TEXT ...] [--together] [--json OUT]`

Each input goes to its command in a process of its own, which may take 8 GiB of addresses. It has to end
within ten seconds of computing, with one line, and must never have held more than 1.5 GB. With `--together`
all go to the same process, as a test does it. Nothing of their size is ever on the disk: files have holes,
and what stands on standard input comes from a thread.
"""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

import av

from benchmarks.command import read_options, write_json
from benchmarks.hostile.cost import Cost, LargeInput
from benchmarks.hostile.files import RECORDING, picture, sound

ROOT = Path(__file__).parents[2]
_LINE_BYTES = 2_000_000_000


def large_png(side_px: int) -> bytes:
    """Return a black square picture; its rows repeat, and so does what they are packed to."""
    packing = zlib.compressobj(9)
    row = bytes(1 + side_px)
    first = packing.compress(row) + packing.flush(zlib.Z_FULL_FLUSH)
    again = packing.compress(row) + packing.flush(zlib.Z_FULL_FLUSH)
    # The Adler-32 of zeros: the low half is 1, the high half counts bytes.
    end = b"\x01\x00\x00\xff\xff" + struct.pack(">I", ((len(row) * side_px % 65521) << 16) | 1)
    head = struct.pack(">IIBBBBB", side_px, side_px, 8, 0, 0, 0, 0)
    parts = (b"IHDR", head), (b"IDAT", first + again * (side_px - 1) + end), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _sparse(path: Path, head: bytes, size: int) -> str:
    with path.open("wb") as file:
        file.write(head)
        file.truncate(size)
    return str(path)


def _write_film(path: Path, jpeg: bytes, side_px: int) -> None:
    """Write a film of eight such pictures, whose container says that they measure `side_px` each way."""
    with av.open(str(path), "w", format="matroska") as container:
        stream = container.add_mux_stream("mjpeg", rate=30, width=side_px, height=side_px)
        for number in range(8):
            packet = av.Packet(jpeg)
            packet.stream, packet.time_base = stream, Fraction(1, 30)
            packet.pts = packet.dts = number
            container.mux(packet)


def large_inputs(folder: Path) -> list[LargeInput]:
    """Lay the inputs into a folder and return them."""
    (black := folder / "large.png").write_bytes(large_png(30_000))
    line = _sparse(folder / "line.jsonl", b'{"kind": "', _LINE_BYTES)
    # ten days of 8,000 samples a second: an AU file says by its length how much it holds
    start = struct.pack(">4sIIIII", b".snd", 24, 0xFFFFFFFF, 3, 8000, 1)
    days = _sparse(folder / "days.au", start, len(start) + 10 * 86_400 * 8000 * 2)
    flac = bytearray(sound(folder / "promise.flac"))
    flac[21:26] = bytes([flac[21] | 0x0F]) + b"\xff\xff\xff\xff"  # 36 bits of STREAMINFO: 16 days
    (promise := folder / "promise.flac").write_bytes(flac)
    jpeg = picture(".jpg")
    size = jpeg.index(b"\xff\xc0") + 5
    huge = jpeg[:size] + struct.pack(">HH", 65_500, 65_500) + jpeg[size + 4 :]
    for name, each, side_px in (("pictures", huge, 160), ("container", jpeg, 30_000), ("sound", jpeg, 160)):
        (there := folder / name).mkdir()
        _write_film(there / "video.mkv", each, side_px)
        head = RECORDING if name == "sound" else RECORDING.replace('audio = "sound.flac"\n', "")
        (there / "recording.toml").write_text(head, "utf-8")
        (there / "reading.jsonl").write_text('{"poem": 17, "t_ms": 150.0}\n', "utf-8")
        (there / "sound.flac").write_bytes(flac)
    return [
        LargeInput("identify, PNG of 30,000 x 30,000", ("identify", str(black))),
        LargeInput("calibrate, the same", ("calibrate", "--check", str(black))),
        LargeInput("kendo play, a line of 2 GB", ("kendo", "play", "--events", line)),
        LargeInput("log import, the same", ("log", "import", line, str(folder / "new.sqlite"))),
        LargeInput("koikoi score, 2 GB through a pipe", ("koikoi", "score"), _LINE_BYTES),
        LargeInput("judge, pictures say 65,500 x 65,500", ("judge", str(folder / "pictures"))),
        LargeInput("judge, container says 30,000 x 30,000", ("judge", str(folder / "container"))),
        LargeInput("judge, sound that promises 16 days", ("judge", str(folder / "sound"))),
        LargeInput("listen, the same sound", ("listen", str(promise))),
        LargeInput("listen, ten days of sound", ("listen", days)),
    ]


def costs(inputs: Sequence[LargeInput]) -> list[Cost]:
    """Give some inputs to their commands, in one process that may not take all of the machine's memory."""
    words = [sys.executable, "-m", "benchmarks.hostile.cost"]
    asked = json.dumps([asdict(each) for each in inputs])
    done = subprocess.run(words, input=asked, capture_output=True, text=True, check=False, cwd=ROOT)
    found = [Cost(**json.loads(line)) for line in done.stdout.splitlines()]
    lost = [Cost(each.name, done.returncode, "Traceback: it was killed", 0.0, 0) for each in inputs]
    return found + lost[len(found) :]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 where anything cost too much or was not answered in one line."""
    options = read_options(__doc__, argv=arguments, only=[""], together=False)
    with tempfile.TemporaryDirectory() as folder:
        inputs = [
            each for each in large_inputs(Path(folder)) if any(text in each.name for text in options.only)
        ]
        rows = costs(inputs) if options.together else [row for each in inputs for row in costs([each])]
    for row in rows:
        mark = "" if row.is_good else "  NOT IN BOUNDS"
        print(f"{row.name:38} {row.seconds:5.1f} s  {row.held / 1e6:5.0f} MB{mark}")
        print(f"    {row.said.strip()[:200]}")
    write_json(options.json, [asdict(row) for row in rows])
    return 0 if all(row.is_good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
