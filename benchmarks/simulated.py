"""Judge clips of the product's own simulator, in a style that the eye was never tuned on.

`uv run python -m benchmarks.simulated [--seeds N] [--seed FIRST] [--fps 120] [--size 1280x720] [--json OUT]`:
every scenario N times, 720p MJPEG, compared with the truth as `benchmarks.practice` does. A set is held out
until somebody mends the eye by it: measure with a first seed that is in no `RESULTS.md` of `benchmarks/` yet.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.command import read_options
from benchmarks.practice import report
from vision.simulator import SCENARIOS, single_poem, write_recording

STYLE = "holdout"
_FIRST_SEED = 20_000


def main() -> int:
    """Render the clips, judge them, print a table and a summary."""
    arguments = read_options(__doc__, seeds=2, seed=_FIRST_SEED, fps=[60.0, 120.0], size="1280x720")
    width, height = (int(side) for side in arguments.size.split("x"))
    with tempfile.TemporaryDirectory() as folder:
        number = 0
        for scenario in SCENARIOS:
            for _ in range(arguments.seeds):
                fps = arguments.fps[number % len(arguments.fps)]
                clip = single_poem(
                    scenario, arguments.seed + number, fps=fps, size=(width, height), style=STYLE
                )
                write_recording(clip, Path(folder) / f"{number:02}-{scenario[:7]}")
                number += 1
        return report([Path(folder)], arguments.json)


if __name__ == "__main__":
    sys.exit(main())
