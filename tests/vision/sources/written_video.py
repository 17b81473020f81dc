"""Small video files of every kind, written picture by picture with true times."""

import struct
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import av

from vision.frames.frame import Gray

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


def write_video(
    path: Path,
    pictures: Sequence[tuple[int, Gray]],
    codec: str,
    *,
    pixels: str = "yuv420p",
    matrix: list[int] | None = None,
    aspect: Fraction = Fraction(1),
    encoder: Mapping[str, str] | None = None,
) -> Path:
    """Write pictures, each with its instant in milliseconds; a player turns them as the display matrix says.

    `aspect` is how much wider than tall each pixel is to be shown, `encoder` its options.
    """
    height, width = pictures[0][1].shape
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=30, options=dict(encoder or {}))
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = width, height, pixels
        stream.codec_context.time_base = stream.time_base = Fraction(1, 1000)
        if codec == "mjpeg":
            stream.codec_context.qmin = stream.codec_context.qmax = 2
        if aspect != 1:
            stream.codec_context.sample_aspect_ratio = aspect
        if matrix is not None:
            stream.set_display_matrix(matrix)  # type: ignore[attr-defined, unused-ignore]
        for t_ms, gray in pictures:
            frame = av.VideoFrame.from_ndarray(gray, format="gray").reformat(format=pixels)
            frame.pts, frame.time_base = t_ms, Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path
