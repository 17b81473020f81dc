"""What the eye costs, as a ratio to bare gray JPEG decoding of the same frames in the same run.

`uv run python -m benchmarks.cost [--json OUT]`: renders a clip (720p, 120 fps, MJPEG), then measures in CPU
seconds: decoding alone, the whole of `shinpan judge`, a frame without a hand in view after decoding, and the
background subtractors of OpenCV on the same frames, which know nothing of cards or players yet. Then the clip
and the same clip many times over are judged by processes of their own: how much faster than real time, and
how much memory at the most.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

from benchmarks.command import read_options
from desk.karuta.eye.recorded_match import judge_recording
from vision.frames.frame import Frame
from vision.match.watcher import MatchWatcher
from vision.simulator import single_poem, write_recording
from vision.sources.video_file import VideoSource

FPS = 120.0
STYLE = "holdout"
_TIMES = 24  # about a minute
_RUNS = 3


def main() -> int:
    """Run the comparison, print a table, optionally write JSON."""
    arguments = read_options(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        clip = write_recording(single_poem("harai", 5, fps=FPS, style=STYLE), Path(folder) / "clip")
        judge_recording(clip)  # warm up: weights, first-use tables
        figures = _measure(clip)
        runs = [_judged_alone(clip), _judged_alone(_repeated(clip, Path(folder) / "long", _TIMES))]
    decode_ms = figures["gray decode"]
    print(f"{'per frame, 720p MJPEG':<38} {'CPU ms':>8} {'x decode':>9}")
    for name, cost_ms in figures.items():
        print(f"{name:<38} {cost_ms:>8.3f} {cost_ms / decode_ms:>9.2f}")
    print(f"{'video':>10} {'x real time':>12} {'by CPU time':>12} {'all x decode':>13} {'peak memory':>12}")
    for run in runs:
        by_cpu = run["video_s"] / run["cpu_s"]
        of_decode = 1000 * run["process_cpu_s"] / (run["video_s"] * FPS * decode_ms)
        print(
            f"{run['video_s']:>8.1f} s {run['times_real_time']:>12.1f} {by_cpu:>12.1f} {of_decode:>13.2f} "
            f"{run['peak_mib']:>8.0f} MiB"
        )
    if arguments.json is not None:
        ratios = {name: cost / decode_ms for name, cost in figures.items()}
        arguments.json.write_text(
            json.dumps({"cpu_ms": figures, "ratio_to_decode": ratios, "judged_alone": runs}, indent=1)
        )
    return 0


def judged_beside_decoding(clip: Path) -> tuple[float, float]:
    """Return what judging a recording costs, decoding included, and decoding alone: CPU ms per picture."""
    video = clip / "video.mkv"
    count = sum(1 for _ in VideoSource(video))
    # the shortest of several runs: in the first ones memory is asked of the system page by page
    runs = [
        (cpu_ms(lambda: judge_recording(clip)), cpu_ms(lambda: [None for _ in VideoSource(video)]))
        for _ in range(_RUNS)
    ]
    judged, decoded = zip(*runs, strict=True)
    return min(judged) / count, min(decoded) / count


def _measure(clip: Path) -> dict[str, float]:
    frames = list(VideoSource(clip / "video.mkv"))
    judge_ms, decode_ms = judged_beside_decoding(clip)
    figures = {
        "gray decode": decode_ms,
        "whole judge (decoding included)": judge_ms,
        "after decoding, no hand in view": _resting_ms(frames),
    }
    for name, make in _subtractors().items():
        subtractor = make()
        figures[f"{name}, after decoding"] = cpu_ms(partial(_apply, subtractor, frames)) / len(frames)
    return figures


def _repeated(clip: Path, folder: Path, times: int) -> Path:
    """Write a recording in which a clip is played again and again, without coding its pictures anew."""
    folder.mkdir()
    shutil.copy(clip / "recording.toml", folder)
    readings = [json.loads(line) for line in (clip / "reading.jsonl").read_text("utf-8").splitlines()]
    lines: list[str] = []
    with av.open(clip / "video.mkv") as source, av.open(folder / "video.mkv", "w") as target:
        video = source.streams.video[0]
        assert video.time_base is not None
        copy = target.add_stream_from_template(video)
        packets = [packet for packet in source.demux(video) if packet.pts is not None]
        ends = [packet.pts + round(1 / FPS / video.time_base) for packet in packets if packet.pts is not None]
        starts = [packet.pts for packet in packets if packet.pts is not None]
        for number in range(times):
            shift = number * max(ends)
            for packet, pts in zip(packets, starts, strict=True):
                packet.stream, packet.pts, packet.dts = copy, pts + shift, pts + shift
                packet.time_base = video.time_base
                target.mux(packet)
            shift_ms = float(1000 * shift * video.time_base)
            lines += [json.dumps({**reading, "t_ms": reading["t_ms"] + shift_ms}) for reading in readings]
    (folder / "reading.jsonl").write_text("\n".join(lines), "utf-8")
    return folder


def _judged_alone(clip: Path) -> dict[str, float]:
    """Return what `shinpan judge`, run as people run it, says of itself, its peak memory and all CPU time."""
    code = (
        "import json, sys, time; from pathlib import Path; from desk.commands.cli import main; "
        "judged = Path(sys.argv[1]) / 'judged.json'; "
        "assert main(['judge', sys.argv[1], '--json', str(judged)]) == 0; "
        "stats = json.loads(judged.read_text('utf-8'))['stats']; "
        # not getrusage: that counts what the parent had in memory when it forked
        "told = dict(line.split(':') for line in Path('/proc/self/status').read_text().splitlines()); "
        "peak_mib = int(told['VmHWM'].split()[0]) / 1024; "
        "print(json.dumps({**stats, 'peak_mib': peak_mib, 'process_cpu_s': time.process_time()}))"
    )
    # what limits the threads of libraries is the program's own doing, not this shell's
    own = {name: value for name, value in os.environ.items() if not name.endswith("_THREADS")}
    command = [sys.executable, "-c", code, str(clip)]
    run = subprocess.run(command, check=True, capture_output=True, text=True, env=own)
    said: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return {key: said[key] for key in ("video_s", "times_real_time", "cpu_s", "process_cpu_s", "peak_mib")}


def _subtractors() -> dict[str, Callable[[], Any]]:
    return {
        "OpenCV MOG2": cv2.createBackgroundSubtractorMOG2,
        "OpenCV KNN": cv2.createBackgroundSubtractorKNN,
    }


def _apply(subtractor: Any, frames: list[Frame]) -> None:
    for frame in frames:
        subtractor.apply(frame.gray)


def _resting_ms(frames: list[Frame]) -> float:
    """Return the cost of a frame of a settled field: the first half second of the clip, over and over."""
    still = [frame for frame in frames if frame.t_ns - frames[0].t_ns < 500_000_000]
    watcher, count, step_ns = MatchWatcher(), 400, round(1e9 / FPS)
    costs = []
    for index in range(count):
        frame = Frame(still[index % len(still)].gray, index * step_ns, 1_000, index)
        costs.append(cpu_ms(partial(watcher.feed, frame)))
    return float(np.mean(costs[count // 2 :]))


def cpu_ms(work: Callable[[], object]) -> float:
    """Return how long all processors worked for this process meanwhile, in milliseconds."""
    started_ns = time.process_time_ns()
    work()
    return (time.process_time_ns() - started_ns) / 1e6


if __name__ == "__main__":
    sys.exit(main())
