"""What compression costs: recordings encoded anew as phones and WebRTC do, and judged against their truth.

`uv run python -m benchmarks.compression [FOLDER] [--codec hevc] [--mbit 2 5] [--only clip] [--unlimited]`

FOLDER defaults to `../shared/practice`. At most 60 pictures a second are kept, as most phones film; needs
`ffmpeg`. The recordings were compressed when they were made, so every row is compressed twice. `--unlimited`
judges what is compressed too coarsely, too: it tells where the limit has to be (`vision.frames.quantiser`).
"""

import math
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import av

from benchmarks.command import read_options, table, write_json
from benchmarks.judging import judge, recordings, sums, told, truth_of
from benchmarks.places import SHARED
from benchmarks.touches.refilmed import MJPEG, refilm
from benchmarks.touches.scoring import Json, PoemScore
from vision.frames import quantiser

_PHONE = ("-bf", "0", "-force_key_frames", "expr:gte(t,n_forced)")
_LIVE = ("-bf", "0", "-g", "100000")
"""A phone that films writes a key frame each second; one that streams only when asked for it."""
_AS_IT_IS = "mjpeg"
WAYS: Mapping[str, tuple[str, ...]] = {
    _AS_IT_IS: MJPEG,
    "h264": ("-c:v", "libx264", "-preset", "veryfast", *_PHONE),
    "h264-b": ("-c:v", "libx264", "-preset", "veryfast", "-bf", "3", "-force_key_frames", _PHONE[-1]),
    "h264-live": ("-c:v", "libx264", "-preset", "superfast", "-tune", "zerolatency", *_LIVE),
    "mpeg4": ("-c:v", "mpeg4", *_PHONE),
    "hevc": ("-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", *_PHONE),
    "vp8-live": ("-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-g", "100000"),
    "h264-vfr": ("-c:v", "libx264", "-preset", "veryfast", *_PHONE),
}
"""How each way is encoded: `mjpeg` nearly as they were, `-live` for a stream, `-b` with three B-frames in a
row, `-vfr` without every seventh picture or so."""
_MOST_FPS = 60.0
_RATES = (2.0, 5.0, 10.0, 20.0, 40.0)


def main() -> int:
    """Encode, judge, print the table, optionally write JSON."""
    asked = read_options(
        __doc__, SHARED / "practice", codec=dict.fromkeys(WAYS), mbit=[*_RATES], only="", unlimited=False
    )
    if asked.unlimited:
        quantiser._COARSEST, quantiser._FEWEST_BITS = math.inf, 0.0
    found = recordings(asked.folders, asked.only)
    rows: list[Json] = []

    def measured() -> Iterator[Json]:
        pairs = ((way, mbit) for way in asked.codec for mbit in asked.mbit if way != _AS_IT_IS)
        for way, mbit in chain(((_AS_IT_IS, 0.0),) if _AS_IT_IS in asked.codec else (), pairs):
            scores, films, refused = _judged(found, way, mbit)
            bits, seconds, pixels = (
                sum(film[key] for film in films) for key in ("bits", "seconds", "pixels")
            )
            row = {"way": way, "Mbit/s": mbit or None, "written": round(bits / seconds / 1e6, 1)}
            row |= {"bits/px": round(bits / pixels, 3), **sums(scores), "refused": refused}
            rows.append(row | {"scores": [told(score) for score in scores], "films": films})
            write_json(asked.json, rows)
            yield row

    table(measured())
    return 0


def _judged(
    found: Sequence[Path], way: str, mbit: float
) -> tuple[list[PoemScore], list[dict[str, float]], int]:
    """Return the scores of all poems, what each film holds, and how many films were refused."""
    from desk.errors import DeskError

    scores: list[PoemScore] = []
    films: list[dict[str, float]] = []
    refused = 0
    for recording in found:
        with tempfile.TemporaryDirectory() as anew:
            place = Path(anew) / recording.name
            every = max(1, round(truth_of(recording)["meta"]["fps"] / _MOST_FPS))
            refilm(recording, place, picture=_picture(way), every=every, codec=_codec(way, mbit))
            films.append(_film(place / "video.mkv"))
            try:
                scores += judge(place).scores
            except DeskError:
                refused += 1
    return scores, films, refused


def _picture(way: str) -> str:
    # a phone that lacks light or time leaves out a picture now and then: here by dice, the same for each rate
    return "select=gt(random(7)\\,0.14)" if way.endswith("-vfr") else "null"


def _codec(way: str, mbit: float) -> tuple[str, ...]:
    if way == _AS_IT_IS:
        return MJPEG
    rate = f"{mbit * 1000:.0f}k"
    # a buffer of one second: no encoder of a phone may save up for longer
    return (*WAYS[way], "-pix_fmt", "yuv420p", "-b:v", rate, "-maxrate", rate, "-bufsize", rate)


def _film(path: Path) -> dict[str, float]:
    """Return a film's pictures, seconds, bits and pixels."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        packets = [packet for packet in container.demux(stream) if packet.size and packet.pts is not None]
        stamps = [float((packet.pts or 0) * packet.time_base) for packet in packets]
        return {
            "pictures": len(packets),
            "seconds": (max(stamps) - min(stamps)) * len(packets) / max(1, len(packets) - 1),
            "bits": 8.0 * sum(packet.size for packet in packets),
            "pixels": float(stream.width * stream.height * len(packets)),
        }


if __name__ == "__main__":
    sys.exit(main())
