"""Inputs that announce or contain more than fits into memory give one line, fast and with little memory.

Nothing of their size is ever on the disk: files have holes, and standard input is made meanwhile.
"""

import os
import struct
import subprocess
import sys
import zlib
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
import soundfile

resource = pytest.importorskip("resource", reason="the system limits no program")
LINE_BYTES = 2_000_000_000
MOST_ADDRESSES, MOST_S = 3 << 30, 10
HEAD = 'format = 1\ngame = "karuta"\nvideo = "video.mkv"\nrules = "kyogi"\n'
CAMERA, MICROPHONE = "[camera]\nfps = 30.0\n", "[microphone]\nstart_ms = 0.0\ndistance_mm = 900\n"


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
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def sparse(path: Path, head: bytes, size: int) -> str:
    with path.open("wb") as file:
        file.write(head)
        file.truncate(size)
    return str(path)


def recording(folder: Path, jpeg: bytes, side_px: int, flac: bytes | None = None) -> str:
    """Write a recording of eight such pictures, whose container says that they measure `side_px` each way."""
    folder.mkdir()
    with av.open(str(folder / "video.mkv"), "w", format="matroska") as container:
        stream = container.add_mux_stream("mjpeg", rate=30, width=side_px, height=side_px)
        for number in range(8):
            packet = av.Packet(jpeg)
            packet.stream, packet.time_base = stream, Fraction(1, 30)
            packet.pts = packet.dts = number
            container.mux(packet)
    sound = "" if flac is None else 'audio = "sound.flac"\n'
    (folder / "recording.toml").write_text(f"{HEAD}{sound}{CAMERA}{sound and MICROPHONE}", "utf-8")
    (folder / "reading.jsonl").write_text('{"poem": 17, "t_ms": 150.0}\n', "utf-8")
    (folder / "sound.flac").write_bytes(flac or b"")
    return str(folder)


NAMES = (
    "a picture of 30,000 x 30,000",
    "the same to calibrate by",
    "a line of 2 GB",
    "the same as a log",
    "2 GB through a pipe",
    "pictures that say 65,500 x 65,500",
    "a container that says 30,000 x 30,000",
    "sound that promises 16 days",
    "the same sound alone",
    "ten days of sound",
)


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Lay the inputs into a folder; returns the command line of each."""
    folder = tmp_path_factory.mktemp("large")
    (black := folder / "large.png").write_bytes(large_png(30_000))
    line = sparse(folder / "line.jsonl", b'{"kind": "', LINE_BYTES)
    # ten days of 8,000 samples a second: an AU file says by its length how much it holds
    start = struct.pack(">4sIIIII", b".snd", 24, 0xFFFFFFFF, 3, 8000, 1)
    days = sparse(folder / "days.au", start, len(start) + 10 * 86_400 * 8000 * 2)
    soundfile.write(folder / "promise.flac", np.zeros(4800, np.float32), 48_000)
    flac = bytearray((folder / "promise.flac").read_bytes())
    flac[21:26] = bytes([flac[21] | 0x0F]) + b"\xff\xff\xff\xff"  # 36 bits of STREAMINFO: 16 days
    (folder / "promise.flac").write_bytes(flac)
    jpeg = bytes(cv2.imencode(".jpg", np.full((120, 160, 3), 60, np.uint8))[1])
    size = jpeg.index(b"\xff\xc0") + 5
    huge = jpeg[:size] + struct.pack(">HH", 65_500, 65_500) + jpeg[size + 4 :]
    return {
        "a picture of 30,000 x 30,000": f"identify {black}",
        "the same to calibrate by": f"calibrate --check {black}",
        "a line of 2 GB": f"kendo play --events {line}",
        "the same as a log": f"log import {line} {folder / 'new.sqlite'}",
        "2 GB through a pipe": "koikoi score",
        "pictures that say 65,500 x 65,500": f"judge {recording(folder / 'pictures', huge, 160)}",
        "a container that says 30,000 x 30,000": f"judge {recording(folder / 'container', jpeg, 30_000)}",
        "sound that promises 16 days": f"judge {recording(folder / 'sound', jpeg, 160, bytes(flac))}",
        "the same sound alone": f"listen {folder / 'promise.flac'}",
        "ten days of sound": f"listen {days}",
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_large_input_gets_one_line(name: str, words: dict[str, str]) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_S, MOST_S))

    command = [sys.executable, "-m", "desk", *words[name].split()]
    endless = ["head", "-c", str(LINE_BYTES if "pipe" in name else 0), "/dev/zero"]
    with subprocess.Popen(endless, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as source:
        done = subprocess.run(
            command, stdin=source.stdout, capture_output=True, text=True, check=False, preexec_fn=limit,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip
        source.kill()
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "Traceback" not in done.stderr
    if name == "a picture of 30,000 x 30,000":
        assert done.stderr.endswith(
            "cannot be read as a picture: JPEG and PNG of up to 134 megapixels work\n"
        )
