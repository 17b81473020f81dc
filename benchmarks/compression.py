"""What compression costs: recordings encoded anew as phones and WebRTC do, and judged against their truth.

`uv run python -m benchmarks.compression [FOLDER] [--codec hevc] [--mbit 2,5] [--only clip] [--unlimited]`

FOLDER defaults to `../shared/practice`. At most 60 pictures a second are kept, as most phones film; needs
`ffmpeg`. The recordings were compressed when they were made, so every row is compressed twice. `--unlimited`
judges what is compressed too coarsely, too: it tells where the limit has to be (`vision.frames.quantiser`).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np

from benchmarks.practice import DEFAULT
from benchmarks.touches.refilmed import MJPEG, refilm
from benchmarks.touches.scoring import PoemScore, score_poems
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


@dataclass(frozen=True)
class Row:
    """One way at one rate: what was written, and how it was judged.

    Attributes
    ----------
    way, mbit : how it was encoded, and the rate that was asked for (0: none was).
    written_mbit, bits_per_pixel : what came of it, bits for each pixel of each picture.
    poems, decided, wrong, false_faults, first_right : counts; wrong are decided wrongly.
    error_p50_ms, error_p90_ms : of the contacts' instants; None without contacts.
    covered, contacts : contacts whose true instant lies in its 95 % interval, and all of them.
    refused : recordings that were not judged at all.
    """

    way: str
    mbit: float
    written_mbit: float
    bits_per_pixel: float
    poems: int
    decided: int
    wrong: int
    false_faults: int
    first_right: int
    error_p50_ms: float | None
    error_p90_ms: float | None
    covered: int
    contacts: int
    refused: int


def main() -> int:
    """Encode, judge, print the table, optionally write JSON; 2 where there is nothing to judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--codec", default=",".join(WAYS), help=f"some of {', '.join(WAYS)}")
    parser.add_argument(
        "--mbit", default=",".join(f"{rate:g}" for rate in _RATES), help="Mbit/s, with commas"
    )
    parser.add_argument("--only", default="", help="only recordings whose name contains one of these words")
    parser.add_argument("--unlimited", action="store_true", help="judge pictures that are too coarse, too")
    parser.add_argument("--json", type=Path, default=None, help="write every figure to this file")
    arguments = parser.parse_args()
    if arguments.unlimited:
        quantiser._COARSEST, quantiser._FEWEST_BITS = math.inf, 0.0
    ways, rates = arguments.codec.split(","), [float(rate) for rate in arguments.mbit.split(",")]
    if unknown := [way for way in ways if way not in WAYS]:
        parser.error(f"--codec knows {', '.join(WAYS)}, got {', '.join(unknown)}")
    words = arguments.only.split(",")
    recordings = [
        path.parent
        for path in sorted(arguments.folder.glob("*/truth.json"))
        if any(word in path.parent.name for word in words)
    ]
    if not recordings:
        print(f"no recordings with a truth.json in {arguments.folder}", file=sys.stderr)
        return 2
    print(
        f"{'way':<10} {'Mbit/s':>6} {'written':>7} {'bits/px':>7} {'poems':>5} {'decided':>7} {'wrong':>5} "
        f"{'first':>5} {'p50 ms':>6} {'p90 ms':>6} {'covered':>9} {'refused':>7}"
    )
    rows: list[dict[str, Any]] = []
    for way, mbit in ((one, rate) for one in ways for rate in ((0.0,) if one == _AS_IT_IS else rates)):
        scores, films, refused = _judged(recordings, way, mbit)
        row = _row(way, mbit, scores, films, refused)
        _print(row)
        rows.append({**asdict(row), "scores": [_told(score) for score in scores], "films": films})
        if arguments.json is not None:
            arguments.json.write_text(json.dumps(rows, indent=1))
    return 0


def _judged(
    recordings: Sequence[Path], way: str, mbit: float
) -> tuple[list[PoemScore], list[dict[str, float]], int]:
    """Return the scores of all poems, what each film holds, and how many films were refused."""
    from desk.errors import DeskError
    from desk.karuta.eye.recorded_match import judge_recording

    scores: list[PoemScore] = []
    films: list[dict[str, float]] = []
    refused = 0
    for recording in recordings:
        with tempfile.TemporaryDirectory() as anew:
            place = Path(anew) / recording.name
            truth = json.loads((recording / "truth.json").read_text("utf-8"))
            every = max(1, round(truth["meta"]["fps"] / _MOST_FPS))
            refilm(recording, place, picture=_picture(way), every=every, codec=_codec(way, mbit))
            films.append(_film(place / "video.mkv"))
            try:
                judged = judge_recording(place)
            except DeskError:
                refused += 1
                continue
            scores += score_poems(recording.name, judged, truth)
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


def _row(
    way: str, mbit: float, scores: Sequence[PoemScore], films: Sequence[Mapping[str, float]], refused: int
) -> Row:
    bits = sum(film["bits"] for film in films)
    errors = [abs(error) for score in scores for error in score.time_errors_ms]
    p50, p90 = np.percentile(errors, [50, 90]) if errors else (None, None)
    return Row(
        way=way,
        mbit=mbit,
        written_mbit=bits / sum(film["seconds"] for film in films) / 1e6,
        bits_per_pixel=bits / sum(film["pixels"] for film in films),
        poems=len(scores),
        decided=sum(score.verdict != "review" for score in scores),
        wrong=sum(score.verdict == "WRONG" for score in scores),
        false_faults=sum(score.false_faults for score in scores),
        first_right=sum(score.first_right is not False for score in scores),
        error_p50_ms=None if p50 is None else round(float(p50), 2),
        error_p90_ms=None if p90 is None else round(float(p90), 2),
        covered=sum(inside for score in scores for inside in score.covered),
        contacts=len(errors),
        refused=refused,
    )


def _print(row: Row) -> None:
    p50, p90 = ("-" if value is None else f"{value:.1f}" for value in (row.error_p50_ms, row.error_p90_ms))
    print(
        f"{row.way:<10} {row.mbit or '-':>6} {row.written_mbit:>7.1f} {row.bits_per_pixel:>7.3f} "
        f"{row.poems:>5} {row.decided:>7} {row.wrong:>5} {row.first_right:>5} {p50:>6} {p90:>6} "
        f"{f'{row.covered}/{row.contacts}':>9} {row.refused:>7}",
        flush=True,
    )


def _told(score: PoemScore) -> dict[str, Any]:
    return {**vars(score), "layout": vars(score.layout), "verdict": score.verdict}


if __name__ == "__main__":
    sys.exit(main())
