"""Judge clips of the product's own simulator, in a style that the eye was never tuned on.

`uv run python -m benchmarks.simulated [--seeds N] [--fps 120] [--size 1280x720] [--json OUT]`: every scenario
N times, 720p MJPEG, compared with the truth as `benchmarks.practice` does.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.practice import report
from vision.simulator import SCENARIOS, single_poem, write_recording

STYLE = "holdout"
_FIRST_SEED = 4_000


def main() -> int:
    """Render the clips, judge them, print a table and a summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=2, help="clips of each scenario (default: 2)")
    parser.add_argument("--fps", type=float, nargs="+", default=[60.0, 120.0], help="frame rates, in turn")
    parser.add_argument("--size", default="1280x720", help="size of the pictures (default: 1280x720)")
    parser.add_argument("--json", type=Path, default=None, help="write every figure to this file")
    arguments = parser.parse_args()
    width, height = (int(side) for side in arguments.size.split("x"))
    with tempfile.TemporaryDirectory() as folder:
        number = 0
        for scenario in SCENARIOS:
            for _ in range(arguments.seeds):
                fps = arguments.fps[number % len(arguments.fps)]
                clip = single_poem(scenario, _FIRST_SEED + number, fps=fps, size=(width, height), style=STYLE)
                write_recording(clip, Path(folder) / f"{number:02}-{scenario[:7]}")
                number += 1
        return report(Path(folder), arguments.json)


if __name__ == "__main__":
    sys.exit(main())
