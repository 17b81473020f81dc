"""Photos that promise more than fits into memory."""

import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frames.decoding import decoded
from vision.frames.picture_file import read_colour

SHOWN = """
import sys
from pathlib import Path
from desk.commands.cli import main
code = main(["identify", sys.argv[1]])
status = Path("/proc/self/status").read_text()
print(int(status.partition("VmHWM:")[2].split()[0]) // 1024, file=sys.stderr)
sys.exit(code)
"""


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(side_px: int) -> bytes:
    """Return a black square picture."""
    packing = zlib.compressobj(1)
    rows = b"".join(packing.compress(bytes(1 + side_px)) for _ in range(side_px)) + packing.flush()
    head = struct.pack(">IIBBBBB", side_px, side_px, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system tells no peak of memory")
def test_a_picture_of_900_megapixels_gets_one_line_and_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    path.write_bytes(png(30_000))
    environment = {name: text for name, text in os.environ.items() if not name.startswith("OPENCV")}
    asked = subprocess.run(
        [sys.executable, "-c", SHOWN, path], capture_output=True, text=True, check=False, env=environment
    )
    complaint, rss_mib = asked.stderr.strip().splitlines()
    assert asked.returncode == 2
    assert complaint.endswith("cannot be read as a picture: JPEG and PNG of up to 134 megapixels work")
    assert int(rss_mib) < 800


@pytest.mark.parametrize("data", [b"", b"\xff\xd8\xff", png(4)[:40], b"text"])
def test_what_is_no_picture_is_none(data: bytes) -> None:
    assert decoded(data, cv2.IMREAD_GRAYSCALE) is None


def test_a_header_that_promises_too_much_is_none_too() -> None:
    whole = bytearray(cv2.imencode(".jpg", np.zeros((16, 16), np.uint8))[1].tobytes())
    size = whole.index(b"\xff\xc0") + 5
    whole[size : size + 4] = b"\xff\xdc\xff\xdc"  # 65,500 x 65,500
    assert decoded(bytes(whole), cv2.IMREAD_GRAYSCALE) is None


def test_a_file_that_is_no_photo_at_all_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "film.jpg"
    with path.open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(ValueError, match="is larger than 512 MiB"):
        read_colour(path)
