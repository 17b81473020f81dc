"""What judging costs, as a ratio to bare gray decoding of the same pictures in the same run.

`uv run python -m benchmarks.cost [--json OUT]`: renders a clip (720p, 120 fps, MJPEG), and measures the CPU
time of decoding alone and of the whole of `shinpan judge`.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.command import read_options, write_json
from desk.karuta.eye.recorded_match import judge_recording
from vision.simulator import single_poem, write_recording
from vision.sources.video_file import VideoSource

_RUNS = 3


def main() -> None:
    """Measure, print both costs and their ratio, and write JSON where asked."""
    arguments = read_options(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        clip = write_recording(single_poem("harai", 5, fps=120.0, style="holdout"), Path(folder) / "clip")
        judge_recording(clip)  # warm up: weights, first-use tables
        judged_ms, decoded_ms = judged_beside_decoding(clip)
    ratio = judged_ms / decoded_ms
    print(f"CPU ms a picture: judged {judged_ms:.3f}, decoded {decoded_ms:.3f}, ratio {ratio:.2f}")
    write_json(arguments.json, {"judged_ms": judged_ms, "decoded_ms": decoded_ms})


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


def cpu_ms(work: Callable[[], object]) -> float:
    """Return how long all processors worked for this process meanwhile, in milliseconds."""
    started_ns = time.process_time_ns()
    work()
    return (time.process_time_ns() - started_ns) / 1e6


if __name__ == "__main__":
    main()
